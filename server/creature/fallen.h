#pragma once

#include "creature/creature.h"
#include "physics/articulated_body.h"
#include "physics/ground/ground.h"

namespace promenade {

/// The one rule of when a creature has fallen, for rooms, trials and reports.
/// Law:    the root is lower above the ground than a share of its standing height, or the trunk's
///         up axis is further than an angle from the vertical. With two legs these are 0.62 and
///         70 degrees: no style walks with its pelvis lower. Other creatures may crouch lower and
///         tip further: 0.35 and 100 degrees, which is upside down. With a stoop that is meant, the
///         root may come down to 0.35 and 130 degrees, in proportion to how deep the stoop is.
/// @param ground  m, height of the ground below the root
/// @param stoop   0 to 1, how deep the controller means to stoop
bool has_fallen(const Creature& creature, const physics::ArticulatedBody& body, double ground,
                double stoop = 0);

/// The same on a ground: the height below the root, or below a foot where that is lower, as when it
/// steps over a block. Ground above the root does not count.
bool has_fallen(const Creature& creature, const physics::ArticulatedBody& body,
                const physics::GroundNow& ground, double stoop = 0);

}  // namespace promenade
