#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "behaviour/route/grown_obstacle.h"

namespace promenade::behaviour::route {

/// Grown obstacles in a tree of boxes (a bounding volume hierarchy, halved at the median), so that
/// a question about a point or a straight way looks at few of them, however different their sizes.
class ObstacleTree {
 public:
  explicit ObstacleTree(std::vector<GrownObstacle> obstacles);

  /// Whether a point is inside of any obstacle.
  bool contains(const Vec2& p) const;
  /// Whether a straight way from a to b passes through any. Obstacles that hold `a` count with
  /// `core` of their radius, so that a walker who was pushed a little into one still finds its way.
  bool crossed_by(const Vec2& a, const Vec2& b, double core) const;
  /// Appends the indices of those whose boxes meet the square of half side `reach` about p, in
  /// ascending order.
  void near(const Vec2& p, double reach, std::vector<std::size_t>& out) const;

  std::span<const GrownObstacle> obstacles() const { return obstacles_; }

 private:
  struct Node {
    Vec2 center, half;
    std::uint32_t first;  // leaf: in order_; else its first child, the second one follows
    std::uint32_t count;  // leaf: how many; else 0
  };
  void split(std::size_t node, std::uint32_t first, std::uint32_t last);
  /// Calls `look(index)` for what lies in nodes for which `meets(node)`; stops when it is true.
  template <typename Meets, typename Look>
  bool visit(const Meets& meets, const Look& look) const;

  std::vector<GrownObstacle> obstacles_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace promenade::behaviour::route
