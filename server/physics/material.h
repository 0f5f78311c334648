#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace promenade::physics {

inline constexpr double kRigid = std::numeric_limits<double>::infinity();

/// How a surface rubs, bounces and gives way.
struct Material {
  double friction = 0.8;      // Coulomb's, >= 0
  double restitution = 0;     // 0 to 1: share of an impact's speed that comes back
  double stiffness = kRigid;  // N/m, of each point of a contact with a body of human size
};

/// The material of shapes that have none, against each other.
inline constexpr Material kBodyMaterial{0.4, 0};

/// The material of a contact between two: the geometric mean of the frictions, the greater
/// restitution, the lesser stiffness.
inline Material between(const Material& a, const Material& b) {
  return {std::sqrt(a.friction * b.friction), std::max(a.restitution, b.restitution),
          std::min(a.stiffness, b.stiffness)};
}

/// The material of a contact of a shape with the ground. A shape without a material takes the
/// ground's, so that the ground's friction alone decides.
inline Material on_ground(const std::optional<Material>& shape, const Material& ground) {
  return shape ? between(*shape, ground) : ground;
}

/// The material between two bodies' shapes. A shape without a material counts as kBodyMaterial.
inline Material between_bodies(const std::optional<Material>& a, const std::optional<Material>& b) {
  if (!a && !b) return kBodyMaterial;
  return between(a.value_or(kBodyMaterial), b.value_or(kBodyMaterial));
}

}  // namespace promenade::physics
