#include "behaviour/crowd/pace.h"

#include <cmath>

namespace promenade::behaviour::crowd {

float weidmann_share(float density) {
  constexpr float kSlope = 1.913f;  // people / m^2
  if (density <= 0) return 1;
  if (density >= kWeidmannJam) return 0;
  return 1 - std::exp(-kSlope * (1 / density - 1 / kWeidmannJam));
}

void DensityAhead::add(const Vec2f& offset, float distance, float weight) {
  const float along = ahead_.dot(offset);
  const float within = reach2_ - distance * distance;
  if (along > 0 && within > 0) sum_ += weight * within * along / distance;
}

float DensityAhead::people_per_m2() const {
  constexpr float kOwn = 0.31830989f;  // 1 / pi, the own weight: see the law
  return 2 * (sum_ / reach2_ + kOwn) / reach2_;
}

}  // namespace promenade::behaviour::crowd
