#pragma once

#include <algorithm>
#include <cmath>

namespace promenade {

/// The greatest speed from which one can stop within a way, m/s.
/// Law:    v = -a T + sqrt((a T)^2 + 2 a d), the v at which the way v T until the braking begins
///         and the way v^2 / (2 a) of the braking are d together
/// @param braking  a, m/s^2, positive
/// @param lag      T, s, until the braking begins
/// @param way      d, m; negative counts as 0
/// Source: mechanics of constant braking, as for stopping distances of vehicles.
inline double speed_to_stop(double braking, double lag, double way) {
  const double slowed = braking * lag;
  return std::sqrt(slowed * slowed + 2 * braking * std::max(0.0, way)) - slowed;
}

/// Its inverse: the way in which a speed of at least 0 is stopped, m.
inline double way_to_stop(double braking, double lag, double speed) {
  return speed * lag + 0.5 * speed * speed / braking;
}

}  // namespace promenade
