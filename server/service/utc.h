#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace promenade::service {

/// Milliseconds since 1970.
std::int64_t utc_now_ms();
/// "2030-01-02T03:04:05.678Z"
std::string utc_text(std::int64_t ms);
/// The inverse; nothing for any other text.
std::optional<std::int64_t> utc_ms(const std::string& text);

}  // namespace promenade::service
