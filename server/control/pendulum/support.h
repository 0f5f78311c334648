#pragma once

#include "math/types.h"

namespace promenade::control::pendulum {

/// The area on which feet carry: a circle a foot, and a capsule about both.
/// Source: Kenwright2014 §5.4.1.1. Ground plane, m.
struct Support {
  Vec2 a = Vec2::Zero(), b = Vec2::Zero();  // centres; the same for one foot
  double radius = 0;

  /// The point of the area that is nearest to `p`.
  Vec2 nearest(const Vec2& p) const;
  /// Distance of `p` from the area; 0 within.
  double distance(const Vec2& p) const { return (p - nearest(p)).norm(); }
};

}  // namespace promenade::control::pendulum
