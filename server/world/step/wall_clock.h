#pragma once

#include <chrono>

namespace promenade::world {

/// Seconds of the machine's clock, for how long something takes; nothing of a room depends on it.
inline double now_s() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace promenade::world
