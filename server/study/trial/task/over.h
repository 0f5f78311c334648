#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "study/trial/rig/rollout.h"

// Ways over and under obstacles, for walkers that start at the origin and walk along x.
namespace promenade::trial {

/// A box across the way, m.
struct Bar {
  double near = 0;    // of its front along x
  double depth = 0;   // along x
  double bottom = 0;  // 0: it stands on the ground
  double top = 0;
};
std::shared_ptr<const physics::Ground> bars_across(const std::vector<Bar>& bars);

/// Flights of stairs up, level floor between them, and as many down again.
/// @param flights  of `steps` each
std::shared_ptr<const physics::Ground> flights_up_and_down(double rise, double tread, int steps,
                                                           int flights, double edge);

/// How a way went.
struct WayRun {
  bool up = false;     // it did not fall
  bool past = false;   // and came past the end in time
  double touched = 0;  // s, for which a link that is no foot bore on the ground or an obstacle
  double hit = 0;      // N, the most that such a link bore
  double seconds = 0;  // that it took
  double reached = 0;  // m along x
  /// Stays up, gets past, and nothing but the feet touches anything.
  bool clean() const { return past && touched == 0; }
};
WayRun go_over(const Walker& walker, double speed, double past, double seconds, std::uint64_t seed);

}  // namespace promenade::trial
