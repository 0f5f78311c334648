#pragma once

#include "math/types.h"

namespace promenade::control {

struct LegAngles {
  Mat3 thigh = Mat3::Identity();  // world_from_thigh
  double knee = 0;                // rad, 0 straight, positive bent backwards
  bool reachable = true;
};

/// Two-link leg: the thigh's orientation and the knee's angle that put the ankle at `ankle`. Where
/// that is out of reach, the leg is stretched towards it.
/// Source: Coros2010 §3.5 (Kulpa et al. 2005); `twist` is the free angle of the knee's plane.
/// @param hip, ankle    [3] m, world frame
/// @param upper, lower  m, lengths
/// @param left          [3] direction that the knee's axis follows, world frame, unit length
/// @param twist         rad about the line from hip to ankle, positive turns a left knee outwards
LegAngles solve_leg(const Vec3& hip, const Vec3& ankle, double upper, double lower,
                    const Vec3& left, double twist);

}  // namespace promenade::control
