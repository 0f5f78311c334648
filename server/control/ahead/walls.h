#pragma once

#include <optional>

#include "control/ahead/path_ground.h"
#include "control/ahead/way.h"

namespace promenade::control::ahead {

/// What counts as a wall, m.
struct WallLimits {
  double rise = 0;        // from one place to the next that nobody steps up
  double spacing = 0;     // between places that are looked at; smaller finds thinner walls
  double half_width = 0;  // of the shoulders

  /// @param by  a body's lengths over those that the limits are for
  WallLimits scaled(double by) const { return {rise * by, spacing * by, half_width * by}; }
};

/// The distance along a way to the nearest wall that the middle or a shoulder would meet, m, not
/// less than 0; none: there is none nearer than `to`.
/// @param from   m, may be negative
/// @param level  m, the ground before the first place. What a shoulder already passes beside counts
///               as its ground, and is no wall ahead
std::optional<double> distance_to_wall(const PathGround& ground, const Way& way, double from,
                                       double to, double level, const WallLimits& limits);

}  // namespace promenade::control::ahead
