#include "physics/ground/seams.h"

#include <algorithm>
#include <cmath>

namespace promenade::physics {
namespace {

constexpr double kAligned =
    0.99996;                     // cosine of half a degree: upper sides within it are one plane
constexpr double kUpward = 0.5;  // z of an upper side's normal, least: shapes can stand on it

/// Whether two rectangles in about one plane are no further apart than a seam's gap: no axis of
/// either separates them.
bool are_near(const BlockTop& a, const BlockTop& b) {
  const Vec3 apart = b.center - a.center;
  const auto separates = [&](const Vec3& axis) {
    const auto reach = [&](const BlockTop& top) {
      return std::abs(axis.dot(top.along)) * top.half_along +
             std::abs(axis.dot(top.across)) * top.half_across;
    };
    return std::abs(axis.dot(apart)) > reach(a) + reach(b) + kSeamGap;
  };
  return !separates(a.along) && !separates(a.across) && !separates(b.along) && !separates(b.across);
}

/// The point of a rectangle that is nearest to p's projection.
Vec3 nearest_of(const BlockTop& top, const Vec3& p) {
  const Vec3 off = p - top.center;
  return top.center + std::clamp(top.along.dot(off), -top.half_along, top.half_along) * top.along +
         std::clamp(top.across.dot(off), -top.half_across, top.half_across) * top.across;
}

bool are_flush(const BlockTop& a, const BlockTop& b) {
  if (a.normal.dot(b.normal) < kAligned || !are_near(a, b)) return false;
  // Where they are nearest: planes that are turned a little differ further off.
  Vec3 on_a = nearest_of(a, b.center), on_b = nearest_of(b, on_a);
  on_a = nearest_of(a, on_b);
  return std::abs(a.above(on_b)) <= kSeamStep && std::abs(b.above(on_a)) <= kSeamStep;
}

/// Gives two blocks, and all that have the number of one of them, one number: the least index.
void join(std::vector<int>& groups, std::size_t i, std::size_t j) {
  const int one = groups[i] < 0 ? int(i) : groups[i], other = groups[j] < 0 ? int(j) : groups[j];
  groups[i] = groups[j] = std::min(one, other);
  std::replace(groups.begin(), groups.end(), std::max(one, other), std::min(one, other));
}

}  // namespace

BlockTop::BlockTop(const Pose& pose, const Vec3& half) {
  const Mat3 r = pose.rotation.toRotationMatrix();
  r.row(2).cwiseAbs().maxCoeff(&axis);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  normal = r(2, axis) < 0 ? Vec3(-r.col(axis)) : Vec3(r.col(axis));
  center = pose.position + half[axis] * normal;
  along = r.col(u);
  across = r.col(v);
  half_along = half[u];
  half_across = half[v];
}

bool BlockTop::covers(const Vec3& p) const {
  const Vec3 off = p - center;
  return std::abs(along.dot(off)) <= half_along + 0.5 * kSeamGap &&
         std::abs(across.dot(off)) <= half_across + 0.5 * kSeamGap;
}

Seams::Seams(const GroundPlan& plan, const std::vector<Eigen::AlignedBox3d>& bounds)
    : group_(plan.blocks.size(), -1),
      adjoined_(plan.blocks.size(), 0),
      buried_(plan.blocks.size(), 0) {
  const std::size_t count = plan.blocks.size();
  for (const GroundBlock& block : plan.blocks) tops_.emplace_back(block.pose, block.half);
  for (std::size_t i = 0; i < count && plan.plane; ++i) {
    const BlockTop& top = tops_[i];
    const double lowest = top.center.z() - std::abs(top.along.z()) * top.half_along -
                          std::abs(top.across.z()) * top.half_across;
    adjoined_[i] = lowest <= kSeamStep ? 1 : 0;
    const bool below = plan.pits.empty() && bounds[i].max().z() <= 1e-9;
    buried_[i] = below && is_at_rest(plan.blocks[i]) ? 1 : 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    Eigen::AlignedBox3d near = bounds[i];
    near.min().array() -= 2 * kSeamGap;
    near.max().array() += 2 * kSeamGap;
    for (std::size_t j = i + 1; j < count; ++j) {
      if (!near.intersects(bounds[j])) continue;
      adjoined_[i] = adjoined_[j] = 1;
      if (!is_at_rest(plan.blocks[i]) || !is_at_rest(plan.blocks[j])) continue;
      if (tops_[i].normal.z() < kUpward || !are_flush(tops_[i], tops_[j])) continue;
      join(group_, i, j);
      any_flush_ = true;
    }
  }
}

}  // namespace promenade::physics
