#include "creature/inertia_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "creature/repeated_vector.h"
#include "math/types.h"

namespace promenade {
namespace {

using schema::Checker;
using schema::indexed;
using schema::number;

// The least share of m r^2; bodies that we ship have 0.13 and more. Of 324 drops of boxes, plates,
// rods, balls, capsules and cylinders of 5 to 50 cm, with 50 g to 50 kg, none gained energy with
// 0.1; with 0.05, 3 did, with 0.01 17 and with 1e-5 203.
constexpr double kLeastShare = 0.1;
// The greatest such share. Mass within the shapes can have 1. Shapes may be thinner than what they
// stand for, as those of a foot's toes, which have 6.6; beyond 10 it is a mistake in the unit.
constexpr double kMostShare = 10;

/// The squares of the greatest distances of points of a shape from the axes through the origin.
Vec3 squared_reach(const v1::Shape& shape) {
  std::vector<Vec3> points;
  double radius = 0;
  switch (shape.kind_case()) {
    case v1::Shape::kCapsule:
      points = {vec3(shape.capsule().from_m()), vec3(shape.capsule().to_m())};
      radius = shape.capsule().radius_m();
      break;
    case v1::Shape::kCylinder:
      points = {vec3(shape.cylinder().from_m()), vec3(shape.cylinder().to_m())};
      radius = shape.cylinder().radius_m();
      break;
    case v1::Shape::kSphere:
      points = {vec3(shape.sphere().center_m())};
      radius = shape.sphere().radius_m();
      break;
    case v1::Shape::kBox:
      // The corner that is furthest out along each axis is furthest from every axis.
      points = {vec3(shape.box().center_m()).cwiseAbs() + vec3(shape.box().half_m())};
      break;
    case v1::Shape::KIND_NOT_SET:
      break;
  }
  Vec3 reach = Vec3::Zero();
  for (const Vec3& point : points) {
    for (int i = 0; i < 3; ++i) {
      const double from_axis = std::hypot(point[(i + 1) % 3], point[(i + 2) % 3]) + radius;
      reach[i] = std::max(reach[i], from_axis * from_axis);
    }
  }
  return reach;
}

}  // namespace

void check_inertia(Checker* check, const std::string& key, const v1::Link& link) {
  const std::string moments = key + ".inertia_kgm2";
  const Vec3 given = vec3(link.inertia_kgm2());
  for (int i = 0; i < 3; ++i) {
    const double others = given.sum() - given[i];
    if (given[i] <= others * (1 + 1e-9)) continue;
    check->fail(indexed(moments, i), number(given[i]),
                "at most the sum of the other two, " + number(others));
    return;
  }
  Vec3 reach = Vec3::Zero();
  for (const v1::Shape& shape : link.shapes()) reach = reach.cwiseMax(squared_reach(shape));
  for (int i = 0; i < 3 && link.shapes_size() > 0; ++i) {
    const double whole = link.mass_kg() * reach[i];
    if (given[i] >= kLeastShare * whole && given[i] <= kMostShare * whole) continue;
    check->fail(indexed(moments, i), number(given[i]),
                "from " + number(kLeastShare * whole) + " to " + number(kMostShare * whole) +
                    " kg m^2 for " + number(link.mass_kg()) + " kg within shapes that reach " +
                    number(std::sqrt(reach[i])) + " m from this axis");
    return;
  }
}

}  // namespace promenade
