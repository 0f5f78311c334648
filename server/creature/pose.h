#pragma once

#include "creature/creature.h"
#include "physics/articulation.h"

namespace promenade {

/// A creature in its rest pose with its root at `root`, not moving.
physics::ArticulationState rest_state(const Creature& creature, const Pose& root);

/// Rotation of a link against its parent where its joint's coordinates are `at`, as in
/// Creature::rest.
Quat joint_rotation(const physics::LinkModel& link, const Vec3& at);

}  // namespace promenade
