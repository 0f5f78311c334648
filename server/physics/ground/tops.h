#pragma once

#include <cstddef>
#include <vector>

#include "math/types.h"
#include "physics/articulated_body.h"

namespace promenade::physics {

/// The upper side of a box of a body, where it is level enough to stand on. World frame, SI.
struct Top {
  Vec3 center;
  Vec3 along, across, normal;  // unit length
  double half_along, half_across;
  Vec3 velocity, omega;  // of the centre; of the body
  std::size_t body = 0;  // as the maker of the list counts them
  int link = 0;

  Vec3 velocity_at(const Vec3& point) const { return velocity + omega.cross(point - center); }
};

/// The upper sides on which light characters can stand, as they are now.
class Tops {
 public:
  void clear();
  /// Adds those of a body's boxes that are at least 0.2 m wide and lie within 25 degrees of level.
  void add(const ArticulatedBody& of, std::size_t body);
  /// Whether one is over (x, y) or within `kReach` of it, roughly.
  bool near(double x, double y) const;
  /// The highest one over (x, y) that is not above `below`, and its height there; null: none is.
  const Top* at(double x, double y, double below, double& height) const;

  static constexpr double kReach = 1;  // m: further than a step

 private:
  std::vector<Top> tops_;
  Vec2 low_ = Vec2::Zero(), high_ = Vec2::Zero();  // m, of all, and kReach around them
};

}  // namespace promenade::physics
