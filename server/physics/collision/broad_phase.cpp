#include "physics/collision/broad_phase.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "physics/dynamics/work.h"

namespace promenade::physics {

std::span<const BodyPair> BroadPhase::pairs(std::span<ArticulatedBody* const> bodies) {
  constexpr std::size_t kPairsOfABody = 16;  // room for so many at first
  if (extents_.capacity() < bodies.size()) {
    extents_.reserve(std::bit_ceil(bodies.size()));
    pairs_.reserve(std::bit_ceil(bodies.size()) * kPairsOfABody);
  }
  extents_.clear();
  pairs_.clear();
  if (bodies.size() < 2) return {};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Eigen::AlignedBox3d& bounds = bounds_of(bodies[i]->work());
    double low = bounds.min().x(), high = bounds.max().x();
    double floor = bounds.min().z();
    // Bounds that are not finite cannot be sorted, and overlap with no others.
    if (!(std::isfinite(low) && std::isfinite(high))) {
      low = high = std::numeric_limits<double>::max();
      floor = std::numeric_limits<double>::infinity();
    }
    extents_.push_back({low, high, bounds.min().y(), bounds.max().y(), floor, bounds.max().z(),
                        static_cast<int>(i), bodies[i]->asleep()});
  }
  std::sort(extents_.begin(), extents_.end(), [](const Extent& a, const Extent& b) {
    return std::tie(a.low, a.body) < std::tie(b.low, b.body);
  });
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    const Extent& one = extents_[i];
    for (std::size_t k = i + 1; k < extents_.size() && extents_[k].low <= one.high; ++k) {
      const Extent& two = extents_[k];
      const bool meet = one.y_low <= two.y_high && two.y_low <= one.y_high &&
                        one.z_low <= two.z_high && two.z_low <= one.z_high;
      if (!meet || (one.asleep && two.asleep)) continue;
      const auto [a, b] = std::minmax(one.body, two.body);
      pairs_.push_back({a, b});
    }
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const BodyPair& a, const BodyPair& b) {
    return std::tie(a.a, a.b) < std::tie(b.a, b.b);
  });
  return pairs_;
}

}  // namespace promenade::physics
