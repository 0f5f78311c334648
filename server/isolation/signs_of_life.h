#pragma once

#include <chrono>
#include <string>

namespace promenade::isolation {

/// @return s
double seconds_since(std::chrono::steady_clock::time_point then);

/// When the process of a room last showed that it is well.
struct SignsOfLife {
  std::chrono::steady_clock::time_point born;  // its start
  std::chrono::steady_clock::time_point sign;  // it said something
  std::chrono::steady_clock::time_point turn;  // its room ticked, or need not

  /// @param ready  it has its room
  /// @param running  which is to tick
  /// @param owed  s for which it has owed the answer that it has owed longest
  /// @param limit  s without a sign
  /// @return empty where it does not hang
  std::string why_hung(bool ready, bool running, double owed, double limit) const;
};

}  // namespace promenade::isolation
