#include "control/pendulum/sole.h"

#include <algorithm>

#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

/// Least x of a shape.
double rear_of(const physics::Shape& shape) {
  switch (shape.kind) {
    case physics::Shape::Kind::kBox:
      return shape.a.x() - shape.b.x();
    case physics::Shape::Kind::kSphere:
      return shape.a.x() - shape.radius;
    case physics::Shape::Kind::kCapsule:
    case physics::Shape::Kind::kCylinder:
      break;
  }
  return std::min(shape.a.x(), shape.b.x()) - shape.radius;
}

}  // namespace

std::array<Sole, 2> soles_of(const Creature& creature, const Biped& biped) {
  const auto& links = creature.model->links;
  std::array<Sole, 2> soles;
  for (std::size_t side = 0; side < 2; ++side) {
    const physics::LinkModel& foot = links[std::size_t(biped.link[kLeftFoot + side])];
    const physics::LinkModel& toes = links[std::size_t(biped.link[kLeftToes + side])];
    Sole& sole = soles[side];
    for (const physics::Shape& shape : foot.shapes)
      sole.heel = std::max(sole.heel, foot.at_child.x() - rear_of(shape));
    sole.ball = toes.at_parent.x() - foot.at_child.x();
    sole.middle = 0.5 * (sole.ball - sole.heel);
    sole.height = biped.ankle_height[side];
  }
  return soles;
}

Vec3 ankle_over(const Sole& sole, const Vec3& middle, double yaw, double pitch) {
  const double pivot = sole.pivot(pitch);
  const Quat turn = rotation_z(yaw);
  return middle + turn * (Vec3(pivot - sole.middle, 0, 0) +
                          rotation_y(pitch) * Vec3(-pivot, 0, sole.height));
}

Vec3 middle_under(const Sole& sole, const Vec3& ankle, double yaw, double pitch) {
  return ankle - (ankle_over(sole, Vec3::Zero(), yaw, pitch));
}

}  // namespace promenade::control::pendulum
