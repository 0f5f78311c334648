#include "behaviour/steering.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::behaviour {

control::Intent intent_to_travel(const Vec2& velocity, double heading, double resting_heading) {
  control::Intent intent;
  intent.stand = false;
  intent.heading = resting_heading;
  const double speed = velocity.norm();
  if (speed < 0.05) return intent;
  intent.heading = std::atan2(velocity.y(), velocity.x());
  const double aligned = std::max(0.0, std::cos(wrap_angle(intent.heading - heading)));
  intent.velocity = Vec2(speed * aligned * aligned, 0);
  return intent;
}

control::Intent intent_to_stand(double present_heading, double heading, bool& turning) {
  const double error = std::abs(wrap_angle(heading - present_heading));
  turning = error > (turning ? 5 : 12) * kRadFromDeg;
  control::Intent intent;
  intent.heading = heading;
  intent.stand = !turning;
  return intent;
}

Vec2 Obstacle::nearest(const Vec2& p) const {
  const Vec2 local = rotated(p - center, -yaw);
  return center + rotated(local.cwiseMax(-half).cwiseMin(half), yaw);
}

}  // namespace promenade::behaviour
