#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace promenade::stream {

/// Bytes: no message to a viewer is larger, but for frames and details: larger ones go in Parts.
/// Small enough that a viewer who reads 15 KB a second waits no more than about a second for the
/// frame behind one.
inline constexpr std::size_t kMaxWholeBytes = 16 * 1024;

/// A ServerMessage as it is sent: by itself, or where it is larger than kMaxWholeBytes as Parts.
std::vector<std::string> in_parts(std::string message);

}  // namespace promenade::stream
