#include "net/socket/send_backlog.h"

#include <algorithm>
#include <cmath>

namespace promenade::net {
namespace {

// For how long intervals count; on a long line it takes two round trips to see anything.
constexpr double kMemory_s = 0.5, kMemoryRoundTrips = 2;
// An interval that is shorter cannot tell a rate.
constexpr double kEnough_s = 0.03;
// An interval at whose end nothing is under way says only that the bytes took no longer than that.
constexpr double kEmptied_s = 0.02;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

bool SendBacklog::late(std::uint64_t written, std::uint64_t unacknowledged,
                       Clock::duration round_trip, Clock::time_point now) {
  const std::uint64_t acknowledged = written - std::min(written, unacknowledged);
  const double bytes = static_cast<double>(acknowledged - std::min(acknowledged, acknowledged_));
  const double round_trip_s = seconds(round_trip);
  if (looked_ != Clock::time_point{} && (bytes > 0 || unacknowledged_ > 0)) {
    double elapsed_s = seconds(now - looked_);
    if (unacknowledged == 0) elapsed_s = std::min(elapsed_s, round_trip_s + kEmptied_s);
    const double kept = std::exp(-elapsed_s / (kMemory_s + kMemoryRoundTrips * round_trip_s));
    sum_bytes_ = kept * sum_bytes_ + bytes;
    sum_s_ = kept * sum_s_ + elapsed_s;
  }
  looked_ = now;
  acknowledged_ = acknowledged;
  unacknowledged_ = unacknowledged;
  if (unacknowledged == 0 || sum_s_ < round_trip_s + kEnough_s) return false;
  const double most_s = round_trip_s + seconds(kMostWait);
  return static_cast<double>(unacknowledged) * sum_s_ > most_s * sum_bytes_;
}

}  // namespace promenade::net
