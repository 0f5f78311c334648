#pragma once

#include "math/types.h"

namespace promenade::control::pendulum {

/// A Bezier curve of degree 4 through one dimension, over [0, 1].
double bezier(double p0, double p1, double p2, double p3, double p4, double at);

/// Goes from 0 to 1 without a jolt at either end.
inline double smooth(double at) { return at * at * at * (10 + at * (6 * at - 15)); }

/// How a foot is carried from where it stood to where it will stand.
/// Source: Kenwright2014 §5.5.2: a Bezier path whose peak lies early, and a pitch that follows the
/// share of the way, toes down first and up at the end.
struct SwingShape {
  double clearance = 0.08;  // m, of the peak above the higher of the two ends
  double toe_down = 0.6;    // rad, most, early in the swing
  double toe_up = 0.3;      // rad, at the end
};

struct SwingPoint {
  Vec3 position = Vec3::Zero();
  double yaw = 0;
  double pitch = 0;  // rad, positive with the toes down
};

/// @param share  of the time of the swing that is over, [0, 1]
SwingPoint swing_point(const Vec3& from, const Vec3& to, double from_yaw, double to_yaw,
                       const SwingShape& shape, double share);

}  // namespace promenade::control::pendulum
