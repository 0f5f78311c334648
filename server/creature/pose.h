#pragma once

#include <span>

#include "creature/creature.h"
#include "physics/articulation.h"

namespace promenade {

/// A creature in its rest pose with its root at `root`, not moving.
physics::ArticulationState rest_state(const Creature& creature, const Pose& root);

/// Rotation of a link against its parent where its joint's coordinates are `at`, as in
/// Creature::rest.
Quat joint_rotation(const physics::LinkModel& link, const Vec3& at);

/// Sets servos that hold the rest pose with the gains of the file. Things always have them, such as
/// a door that a weak spring shuts.
/// @param stiffness, damping  factors of kp and kd
/// @param drives              [links] of a body of the creature
void hold_rest(const Creature& creature, double stiffness, double damping,
               std::span<physics::JointDrive> drives);

}  // namespace promenade
