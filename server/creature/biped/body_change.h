#pragma once

#include "creature/creature.h"
#include "physics/articulated_body.h"
#include "physics/ground/ground.h"

namespace promenade {

/// The feet that a biped stands on while its body is changed.
enum class Footing { kOnLeft, kOnRight, kOnBoth, kOnNone };

/// The state in which a biped goes on with another body. Where one of the two is no biped, this is
/// done as for a body that stands on no foot.
/// Law:  the rotations and rates of joints are carried over by the joints' names, and the root's
///       rotation and velocity; the root is moved so that the sole under the ankle of the foot it
///       stands on stays where it is. On both feet, their middle stays, and the shorter leg decides
///       the height; on none, the lowest point of the body stays as high as it is.
///       A leg that would then reach into the ground is bent at the knee, the hip and the ankle.
///       Contacts are not carried over.
/// @param now      the body of `from` as it is; its state must be finite
/// @return a body of `to`; its drives are not set
physics::ArticulatedBody change_body(const Creature& from, const physics::ArticulatedBody& now,
                                     const Creature& to, Footing footing,
                                     const physics::GroundNow& ground);

}  // namespace promenade
