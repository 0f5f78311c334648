#include "control/arm_ik.h"

#include <algorithm>
#include <cmath>

namespace promenade::control {

ArmAngles solve_arm(const Vec3& shoulder, const Vec3& palm, double upper, double lower,
                    const Vec3& elbow_way) {
  ArmAngles out;
  const Vec3 line = palm - shoulder;
  const double shortest = std::abs(upper - lower) + 0.02 * (upper + lower);
  const double longest = 0.999 * (upper + lower);
  const double distance = line.norm();
  const double reach = std::clamp(distance, shortest, longest);
  out.reachable = distance == reach;
  const Vec3 d = distance > 1e-9 ? Vec3(line / distance) : Vec3(-Vec3::UnitZ());
  Vec3 aside = elbow_way - elbow_way.dot(d) * d;
  if (aside.squaredNorm() < 1e-6) aside = d.unitOrthogonal();
  aside.normalize();

  const double at_shoulder =
      std::clamp((upper * upper + reach * reach - lower * lower) / (2 * upper * reach), -1.0, 1.0);
  const double at_elbow =
      std::clamp((upper * upper + lower * lower - reach * reach) / (2 * upper * lower), -1.0, 1.0);
  const double away = std::sqrt(1 - at_shoulder * at_shoulder);
  out.upper.col(2) = -(at_shoulder * d + away * aside);  // from the elbow to the shoulder
  out.upper.col(0) = away * d - at_shoulder * aside;     // to where the forearm bends
  out.upper.col(1) = out.upper.col(2).cross(out.upper.col(0));
  out.elbow = -std::acos(-at_elbow);
  return out;
}

}  // namespace promenade::control
