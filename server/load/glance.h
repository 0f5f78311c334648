#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace promenade::load {

/// The part of a frame that a load client needs to know.
struct Glance {
  std::uint64_t server_time_us = 0;
  std::uint64_t dropped = 0;
};

/// Reads the little of a ServerMessage's frame that is wanted, without decoding its arrays:
/// thousands of viewers in one thread would otherwise measure their own decoding.
/// @return nothing if the message is no frame
std::optional<Glance> glance_at_frame(std::string_view message);

}  // namespace promenade::load
