#include "behaviour/route/obstacle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace promenade::behaviour::route {
namespace {
constexpr std::uint32_t kInLeaf = 3;
constexpr std::size_t kDeepest = 64;  // each level halves: more than any number of obstacles
}  // namespace

ObstacleTree::ObstacleTree(std::vector<GrownObstacle> obstacles)
    : obstacles_(std::move(obstacles)), order_(obstacles_.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  if (obstacles_.empty()) return;
  nodes_.reserve(2 * obstacles_.size());
  nodes_.emplace_back();
  split(0, 0, std::uint32_t(order_.size()));
}

void ObstacleTree::split(std::size_t node, std::uint32_t first, std::uint32_t last) {
  Vec2 low = Vec2::Constant(1e300), high = -low;
  for (std::uint32_t i = first; i < last; ++i) {
    const GrownObstacle& o = obstacles_[order_[i]];
    low = low.cwiseMin(o.center() - o.box_half());
    high = high.cwiseMax(o.center() + o.box_half());
  }
  nodes_[node] = {0.5 * (low + high), 0.5 * (high - low), first, last - first};
  if (last - first <= kInLeaf) return;
  const int axis = high.x() - low.x() > high.y() - low.y() ? 0 : 1;
  std::sort(order_.begin() + first, order_.begin() + last, [&](std::uint32_t a, std::uint32_t b) {
    const double at_a = obstacles_[a].center()[axis], at_b = obstacles_[b].center()[axis];
    return at_a != at_b ? at_a < at_b : a < b;
  });
  const std::size_t child = nodes_.size();
  nodes_.resize(child + 2);
  nodes_[node].first = std::uint32_t(child);
  nodes_[node].count = 0;
  const std::uint32_t middle = first + (last - first) / 2;
  split(child, first, middle);
  split(child + 1, middle, last);
}

template <typename Meets, typename Look>
bool ObstacleTree::visit(const Meets& meets, const Look& look) const {
  if (nodes_.empty()) return false;
  std::array<std::uint32_t, kDeepest> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[stack[--depth]];
    if (!meets(node.center, node.half)) continue;
    if (node.count == 0) {
      stack[depth++] = node.first + 1;
      stack[depth++] = node.first;
      continue;
    }
    for (std::uint32_t i = 0; i < node.count; ++i) {
      if (look(order_[node.first + i])) return true;
    }
  }
  return false;
}

bool ObstacleTree::contains(const Vec2& p) const {
  return visit(
      [&](const Vec2& center, const Vec2& half) {
        return ((p - center).cwiseAbs().array() <= half.array()).all();
      },
      [&](std::uint32_t i) { return obstacles_[i].contains(p); });
}

bool ObstacleTree::crossed_by(const Vec2& a, const Vec2& b, double core) const {
  const Vec2 middle = 0.5 * (a + b), along = 0.5 * (b - a), d = along.cwiseAbs();
  return visit(
      [&](const Vec2& center, const Vec2& half) {
        const Vec2 m = middle - center;
        return std::abs(m.x()) <= half.x() + d.x() && std::abs(m.y()) <= half.y() + d.y() &&
               std::abs(along.x() * m.y() - along.y() * m.x()) <=
                   half.x() * d.y() + half.y() * d.x();
      },
      [&](std::uint32_t i) {
        const GrownObstacle& o = obstacles_[i];
        if (!o.crossed_by(a, b)) return false;
        return !o.contains(a) || o.shrunk(core).crossed_by(a, b);
      });
}

void ObstacleTree::near(const Vec2& p, double reach, std::vector<std::size_t>& out) const {
  const std::size_t before = out.size();
  const auto meets = [&](const Vec2& center, const Vec2& half) {
    return ((p - center).cwiseAbs().array() <= half.array() + reach).all();
  };
  visit(meets, [&](std::uint32_t i) {
    if (meets(obstacles_[i].center(), obstacles_[i].box_half())) out.push_back(i);
    return false;
  });
  std::sort(out.begin() + std::ptrdiff_t(before), out.end());
}

}  // namespace promenade::behaviour::route
