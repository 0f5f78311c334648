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

/// The one of them whose way is nearest to a direction.
/// @param ahead  unit length, world
BoxSide side_towards(const ThingSeen& thing, const Vec2& ahead);

/// Rotation of the thing set upright, with its yaw as it is.
Quat upright(const ThingSeen& thing);

/// Where two hands touch the box that come from outside along `towards`, level, at `apart` to the
/// left and right of its middle, or as far apart as it is wide.
/// @param towards unit length, world
/// @param inside  m, that they stay away from where they would pass it
/// @param near    written: m, from the middle back to what of the box is met first
/// @return false: the box is too narrow
bool grips_across(const ThingSeen& thing, const Vec2& towards, double apart, double inside,
                  std::array<Vec2, 2>* out, double* near);

}  // namespace promenade::behaviour::tasks
