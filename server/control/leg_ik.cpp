#include "control/leg_ik.h"

#include <algorithm>
#include <cmath>

namespace promenade::control {

LegAngles solve_leg(const Vec3& hip, const Vec3& ankle, double upper, double lower,
                    const Vec3& left, double twist) {
  LegAngles out;
  const Vec3 line = ankle - hip;
  const double shortest = std::abs(upper - lower) + 0.02 * (upper + lower);
  const double longest = 0.999 * (upper + lower);
  const double distance = line.norm();
  const double reach = std::clamp(distance, shortest, longest);
  out.reachable = distance == reach;
  const Vec3 d = distance > 1e-9 ? Vec3(line / distance) : Vec3(-Vec3::UnitZ());

  Vec3 axis = left - left.dot(d) * d;
  if (axis.squaredNorm() < 1e-6) axis = Vec3::UnitY() - d.y() * d;
  axis.normalize();
  if (twist != 0) axis = std::cos(twist) * axis + std::sin(twist) * d.cross(axis);
  const Vec3 forward = axis.cross(-d);

  // Cosines of the angles at hip and knee.
  const double at_hip =
      std::clamp((upper * upper + reach * reach - lower * lower) / (2 * upper * reach), -1.0, 1.0);
  const double at_knee =
      std::clamp((upper * upper + lower * lower - reach * reach) / (2 * upper * lower), -1.0, 1.0);
  const Vec3 down_thigh = at_hip * d + std::sqrt(1 - at_hip * at_hip) * forward;
  out.thigh.col(2) = -down_thigh;
  out.thigh.col(1) = axis;
  out.thigh.col(0) = axis.cross(-down_thigh);
  out.knee = std::acos(-at_knee);
  return out;
}

}  // namespace promenade::control
