#include "control/pendulum/sole.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kAsLow = 0.1;  // share of the joint's height: toes no higher above the sole bear

/// Least z of a shape.
double bottom_of(const physics::Shape& shape) {
  if (shape.kind == physics::Shape::Kind::kBox) return shape.a.z() - shape.b.z();
  if (shape.kind == physics::Shape::Kind::kSphere) return shape.a.z() - shape.radius;
  return std::min(shape.a.z(), shape.b.z()) - shape.radius;
}

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
    // A foot with its heel up turns about a point in between: about the joint of the toes its edge
    // would slide and sink, about the edge or the ground below that joint its toes would slide. It
    // does so until the toes are off the ground.
    double edge = sole.ball;
    for (const physics::Shape& shape : foot.shapes)
      if (shape.kind == physics::Shape::Kind::kBox)
        edge = std::max(edge, shape.a.x() + shape.b.x() - foot.at_child.x());
    sole.tip = 0.5 * (sole.ball + edge);
    const double joint = sole.height + toes.at_parent.z() - foot.at_child.z();
    double lowest = joint;  // of the toes, above the ground
    for (const physics::Shape& shape : toes.shapes)
      lowest = std::min(lowest, joint + bottom_of(shape) - toes.at_child.z());
    sole.tip_height = lowest < kAsLow * joint ? 0.5 * joint : 0;
  }
  return soles;
}

Vec3 ankle_over(const Sole& sole, const Vec3& middle, double yaw, double pitch) {
  const Vec3 pivot = sole.pivot(pitch);
  const Vec3 flat = pivot + Vec3(-sole.middle, 0, sole.height);  // from the middle
  return middle + rotation_z(yaw) * (flat - rotation_y(pitch) * pivot);
}

Vec3 middle_under(const Sole& sole, const Vec3& ankle, double yaw, double pitch) {
  return ankle - ankle_over(sole, Vec3::Zero(), yaw, pitch);
}

Vec3 middle_under(const Sole& sole, const Vec3& ankle, const Mat3& turn, double yaw, double pitch) {
  const Vec3 pivot = sole.pivot(pitch);
  const Vec3 flat = pivot + Vec3(-sole.middle, 0, sole.height);
  return ankle + turn * pivot - rotation_z(yaw) * flat;
}

}  // namespace promenade::control::pendulum
