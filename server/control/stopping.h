#pragma once

#include <algorithm>
#include <cmath>

// How walkers come to a stop before an obstacle.
// Source: values fitted so that bodies from child to giant stop before a bench at any of their
// speeds. By measurement, a human who walks at 0.6, 1.0, 1.3 and 1.6 m/s and is told to stop goes
// on for 0.5, 1.0, 1.5 and 2.2 m, a child at 1.0 m/s for 1.0 m. A walker whose speed falls with the
// way that is left needs more, as it always answers to where it was a step before.
namespace promenade::control {

inline constexpr double kBraking = 0.5;    // m/s^2, at which walkers slow down
inline constexpr double kAnswerLag = 0.7;  // s, until a walker has answered, for legs of scale 1

/// Way that it takes to stop, m.
/// Law: d = v T + v^2 / (2 a), a the braking, T the lag
/// @param speed  m/s; walking backward takes no way
inline double stopping_way(double speed, double braking, double lag) {
  const double v = std::max(0.0, speed);
  return v * lag + v * v / (2 * braking);
}

/// The speed from which a walker stops within a way, m/s: stopping_way() the other way round.
/// Law: v = -a T + sqrt((a T)^2 + 2 a d)
/// @param way  m; a negative way counts as 0
inline double speed_to_stop_within(double way, double braking, double lag) {
  const double slowed = braking * lag;
  return std::sqrt(slowed * slowed + 2 * braking * std::max(0.0, way)) - slowed;
}

}  // namespace promenade::control
