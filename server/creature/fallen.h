#pragma once

#include "creature/creature.h"
#include "physics/articulated_body.h"

namespace promenade {

/// The one rule of when a creature has fallen, for rooms, trials and reports.
/// Law:    root lower above the ground than `height` times its standing height, or the trunk's up
///         axis more than `tilt` from the vertical. Two legs: 0.62 and 70 degrees: a pelvis below
///         is not walking any more, whatever the style. Others carry their trunk lower and tip it
///         further: 0.35 and 100 degrees, which is upside down.
/// @param ground  m, height of the ground below the root
bool has_fallen(const Creature& creature, const physics::ArticulatedBody& body, double ground);

}  // namespace promenade
