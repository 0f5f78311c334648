#pragma once

#include "math/types.h"
#include "physics/ground/ground.h"

namespace promenade::control::pendulum {

/// Where a foot can be put.
struct Foothold {
  Vec3 position = Vec3::Zero();  // on the ground, m
  bool found = false;            // false: there is none near; `position` is the wanted one
};

/// The foothold that is looked for.
struct FootholdSearch {
  Vec2 wanted = Vec2::Zero();        // m, world
  Vec2 forward = Vec2::UnitX();      // direction of the step, unit length
  double level = 0;                  // m, of the foot that stands
  double step_up = 0.3;              // m, most above it
  double step_down = 0.45;           // m, most below it
  double radius = 0.1;               // m, of the foot's circle: it wants ground under all of it
  double ahead = 0.3, behind = 0.3;  // m, how far the foot may go instead
};

/// Whether a foot can stand at a place. @param found  written where it can
bool bears_foot(const physics::GroundNow& ground, const FootholdSearch& search, const Vec2& place,
                Foothold& found);

/// The place itself if a foot can stand there; else the nearest one ahead, then behind, each up to
/// 10 cm to the side, in steps of 2 cm.
/// Source: Kenwright2014 §3.4.8 and §5.4.1.3.
Foothold find_foothold(const physics::GroundNow& ground, const FootholdSearch& search);

}  // namespace promenade::control::pendulum
