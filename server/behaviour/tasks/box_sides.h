#pragma once

#include <array>

#include "behaviour/tasks/workplace.h"

namespace promenade::behaviour::tasks {

/// A side of the upright box round a thing, as somebody who stands before it sees it.
struct BoxSide {
  Vec2 way = Vec2::Zero();    // from there towards the thing, unit length, world
  double depth = 0;           // m, half extent along the way
  double width = 0;           // m, half extent across it
  double height = 0;          // m, half extent upwards
  Vec3 ahead = Vec3::Zero();  // link frame: along the way, to the left, upwards
  Vec3 left = Vec3::Zero();
  Vec3 up = Vec3::Zero();
};

/// The four sides. The axis of the box that is nearest to the vertical counts as upright.
std::array<BoxSide, 4> sides_of(const ThingSeen& thing);

/// Rotation of the thing set upright, with its yaw as it is.
Quat upright(const ThingSeen& thing);

}  // namespace promenade::behaviour::tasks
