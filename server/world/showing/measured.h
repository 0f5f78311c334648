#pragma once

#include "control/controller.h"
#include "physics/ground/ground.h"

namespace promenade::world {

struct Entity;

/// The report of a character's motion: that of its controller, with everything that its body shows
/// measured from the body as it is now. A controller sees its body before the last step of the
/// physics, and one that does not drive at present sees nothing.
/// Law:    centre of mass and its velocity are the links' means, by mass; the capture point is
///         x + d(v), by capture_distance() along the heading and across it, v over the ground;
///         the heading is that of the root.
/// For one that its own controller does not drive (fallen, or limp) feet bear the load of their
/// contacts, it is in no step, nothing is aimed at, and its mean velocity is that of its mass.
/// For one that is not in the scene (away, quarantined) nothing moves and nothing bears.
/// One that is moved as a pendulum is its pendulum: the report is returned as it is.
/// Allocates nothing.
control::ControlReport measured(const Entity& e, const physics::GroundNow& ground);

}  // namespace promenade::world
