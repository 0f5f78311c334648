#include "control/pendulum/support.h"

#include <algorithm>

namespace promenade::control::pendulum {

Vec2 Support::nearest(const Vec2& p) const {
  const Vec2 axis = b - a;
  const double length2 = axis.squaredNorm();
  const double t = length2 > 0 ? std::clamp(axis.dot(p - a) / length2, 0.0, 1.0) : 0;
  const Vec2 spine = a + t * axis;
  const Vec2 out = p - spine;
  const double d = out.norm();
  return d <= radius ? p : Vec2(spine + out * (radius / d));
}

}  // namespace promenade::control::pendulum
