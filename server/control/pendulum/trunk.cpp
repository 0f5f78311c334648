#include "control/pendulum/trunk.h"

#include <cmath>

namespace promenade::control::pendulum {

TrunkShape trunk_of(double mass, double height) {
  return {0.06 * mass * height * height, 0.16 * height, 0.3 * mass * height};
}

Vec3 Trunk::pivot(const TrunkShape& shape) const {
  return {shape.pivot_height * std::sin(lean.x()), shape.pivot_height * std::sin(lean.y()),
          shape.pivot_height * std::cos(lean.x()) * std::cos(lean.y())};
}

void Trunk::step(const TrunkShape& shape, const Vec3& arm, const Vec3& force, double dt) {
  const Vec3 moment = arm.cross(force);  // eq. 4.5, about the centre of mass
  // A moment about +y leans the trunk forward, one about -x to the left.
  const Vec2 turning(moment.y(), -moment.x());
  // Damping is implicit: it must not overshoot however large it is.
  rate = (rate + turning * (dt / shape.inertia)) / (1 + shape.damping * dt / shape.inertia);
  lean += rate * dt;
}

Vec3 force_to_pivot(const Vec3& arm, const Vec3& pivot, const Vec3& leg) {
  const Vec3 direction = (pivot - arm).normalized();
  return leg.dot(direction) * direction;
}

}  // namespace promenade::control::pendulum
