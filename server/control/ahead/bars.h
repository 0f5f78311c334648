#pragma once

#include "control/ahead/path_ground.h"
#include "control/ahead/way.h"

namespace promenade::control::ahead {

/// What counts as a bar, m.
struct BarLimits {
  double headroom = 0;  // what leaves less above the ground is a bar; 0: none are looked for
  double spacing = 0;   // between places that are looked at; smaller finds thinner ones
};

/// The ground and what hangs above it where that leaves least room, of the middle and both sides of
/// a lane; a ceiling of physics::kAnyHeight: nothing hangs there.
/// @param along  m along the way
physics::Clearance headroom_at(const PathGround& ground, const Way& way, double along);

/// Finds what hangs low between two distances along a way, and adds it to a list. What goes on
/// beyond the second ends there.
/// @param ground  its boards may be in the same list
void find_bars(const PathGround& ground, const Way& way, double from, double to,
               const BarLimits& limits, Features& out);

}  // namespace promenade::control::ahead
