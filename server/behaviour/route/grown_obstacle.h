#pragma once

#include <array>

#include "behaviour/behaviour.h"
#include "math/types.h"

namespace promenade::behaviour::route {

/// An obstacle grown by a walker's radius: the walker's centre must not enter it. The rectangle
/// with round corners is replaced by the octagon about it, which has two corners for each of the
/// rectangle's and stands out by at most 8 % of the radius. World frame.
class GrownObstacle {
 public:
  /// @param radius  m, >= 0
  GrownObstacle(const Obstacle& obstacle, double radius);

  /// Strictly inside.
  bool contains(const Vec2& p) const;
  /// A straight way from a to b passes through its inside. Touching it is no crossing.
  /// Law: two convex shapes are apart if their projections on a normal of either's edges are: four
  ///      normals of the octagon, one of the way (separating axes).
  bool crossed_by(const Vec2& a, const Vec2& b) const;
  /// The same obstacle grown by `share` of the radius.
  GrownObstacle shrunk(double share) const;
  /// Counter-clockwise, moved out by `clearance` m.
  std::array<Vec2, 8> corners(double clearance) const;
  /// Half the size of the box along the world's axes that holds it.
  Vec2 box_half() const;
  const Vec2& center() const { return center_; }

 private:
  GrownObstacle(const Vec2& center, const Vec2& axis, const Vec2& half, double radius);
  Vec2 local(const Vec2& v) const;

  Vec2 center_;
  Vec2 axis_;  // unit vector along its x
  Vec2 half_;  // of the rectangle
  double radius_;
  Vec2 reach_;       // of the octagon along its x and y
  double diagonal_;  // its limit for |x| + |y|
};

}  // namespace promenade::behaviour::route
