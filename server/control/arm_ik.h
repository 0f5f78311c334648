#pragma once

#include "math/types.h"

namespace promenade::control {

struct ArmAngles {
  Mat3 upper = Mat3::Identity();  // world_from_upper_arm
  double elbow = 0;               // rad, 0 straight, negative bent forwards
  bool reachable = true;
};

/// Two-link arm: the orientation of the upper arm and the angle of the elbow that put the palm at
/// `palm`. Where that is out of reach, the arm is stretched towards it.
/// Source: Coros2010 §5.4 (Kulpa et al. 2005); `elbow_way` decides on the twist of the arm's plane.
/// @param shoulder, palm  [3] m, world frame
/// @param upper, lower    m, lengths from shoulder to elbow and from elbow to palm
/// @param elbow_way       [3] where the elbow points to as far as it is free, world frame
ArmAngles solve_arm(const Vec3& shoulder, const Vec3& palm, double upper, double lower,
                    const Vec3& elbow_way);

}  // namespace promenade::control
