#pragma once

#include "math/types.h"

namespace promenade::control::ahead {

/// A straight way over the ground, and the lane beside it that a body takes. World frame.
struct Way {
  Vec2 origin = Vec2::Zero();      // m, from where distances along the way count
  Vec2 direction = Vec2::UnitX();  // unit length
  double half_width = 0;           // m, of the lane, to either side

  /// The way through a point on which the distance of any point is direction.dot(point): what lies
  /// on it stays where it is while a walker moves on.
  static Way through(const Vec2& point, const Vec2& direction, double half_width) {
    return {point - direction.dot(point) * direction, direction, half_width};
  }
  Vec2 left() const { return {-direction.y(), direction.x()}; }
  /// @param along  m from the origin
  Vec2 at(double along) const { return origin + along * direction; }
  /// @param aside  m, positive to the left
  Vec2 at(double along, double aside) const { return at(along) + aside * left(); }
  /// The parallel one.
  /// @param aside  m, positive to the left
  Way beside(double aside) const { return {origin + aside * left(), direction, half_width}; }
};

}  // namespace promenade::control::ahead
