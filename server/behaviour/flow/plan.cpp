#include "behaviour/flow/plan.h"

#include <algorithm>

#include "math/rotation.h"

namespace promenade::behaviour::flow {

bool Area::contains(const Vec2& p) const {
  const Vec2 q = rotated(p - center, -yaw).cwiseAbs();
  return q.x() <= half.x() && q.y() <= half.y();
}

Vec2 Area::nearest(const Vec2& p) const {
  const Vec2 q = rotated(p - center, -yaw);
  return center + rotated(q.cwiseMax(-half).cwiseMin(half), yaw);
}

double GroupShares::mean_size() const {
  double sum = 0, weighted = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sum += sizes[i];
    weighted += sizes[i] * double(i + 2);
  }
  return sum > 0 ? weighted / sum : 2;
}

double GroupShares::party_share() const { return share / (mean_size() * (1 - share) + share); }

}  // namespace promenade::behaviour::flow
