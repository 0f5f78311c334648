#pragma once

#include <cstdint>

#include "net/types.h"

namespace promenade::net {

/// Tells when what has been written to a connection is still under way, so that a state written now
/// would arrive late. The kernel takes bytes long before a thin line has carried them: at 15 KB/s
/// its smallest buffers hold seconds.
///
/// Law:    late  <=>  u / r - t > kMostWait,  u bytes written and not acknowledged, r bytes
///         acknowledged a second over the last half second or so in which any were under way,
///         t the shortest round trip: bytes merely on a long line do not wait
class SendBacklog {
 public:
  static constexpr std::chrono::milliseconds kMostWait{60};

  /// Looks at the connection; call it before each state.
  /// @param written         bytes since the connection began
  /// @param unacknowledged  how many of them the other side has not acknowledged
  /// @return whether a state should wait
  bool late(std::uint64_t written, std::uint64_t unacknowledged, Clock::duration round_trip,
            Clock::time_point now);

 private:
  std::uint64_t acknowledged_ = 0, unacknowledged_ = 0;  // when last looked at
  Clock::time_point looked_{};
  double sum_bytes_ = 0, sum_s_ = 0;  // acknowledged, and in what time; older ones count less
};

}  // namespace promenade::net
