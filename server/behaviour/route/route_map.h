#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/route/obstacle_tree.h"
#include "math/types.h"

namespace promenade::behaviour::route {

/// A wall along straight pieces. World frame.
struct Wall {
  std::vector<Vec2> points;  // 2 or more
  double thickness = 0.1;    // m
};
/// The pieces of a wall.
void append_pieces(const Wall& wall, std::vector<Obstacle>& out);

/// Where walkers of one radius can go among static obstacles: the reduced visibility graph. Its
/// nodes are corners of the grown obstacles; its edges join corners that see each other along a
/// line that is tangent to both obstacles, as shortest routes bend nowhere else. Never changed once
/// built; all questions may be asked from several threads.
/// Source: Lozano-Perez and Wesley 1979 (visibility graph); LaValle 2006, Planning Algorithms,
/// section 6.2.4 (reduced: bitangent edges alone).
class RouteMap {
 public:
  struct Corner {
    Vec2 at;
    Vec2 before, after;  // from here to the obstacle's neighbouring corners
  };
  struct Edge {
    std::uint32_t to;
    double length;  // m
  };

  /// @param radius  m, kLeastRadius or more
  RouteMap(std::span<const Obstacle> obstacles, double radius);

  double radius() const { return radius_; }
  /// A walker's centre may be at p.
  bool free(const Vec2& p) const { return !grown_.contains(p); }
  /// A walker can go straight from a to b. It may stand in the growth of an obstacle, as where it
  /// was pushed there, but not deeper than 1 - kCore of the radius.
  bool sees(const Vec2& a, const Vec2& b) const { return !grown_.crossed_by(a, b, kCore); }
  /// Too deep in an obstacle to see from there.
  bool stuck(const Vec2& p) const { return core_.contains(p); }
  /// No bare obstacle stands between a and b.
  bool no_wall_between(const Vec2& a, const Vec2& b) const { return !bare_.crossed_by(a, b, 1); }
  /// The free point nearest to p, if one is within kFarthestEscape; one on this side of a wall
  /// before one behind it. p itself where it is free.
  std::optional<Vec2> nearest_free(const Vec2& p) const;

  std::span<const Corner> corners() const { return corners_; }
  std::span<const Edge> edges_of(std::size_t corner) const {
    return std::span(edges_).subspan(first_edge_[corner],
                                     first_edge_[corner + 1] - first_edge_[corner]);
  }
  std::size_t edge_count() const { return edges_.size(); }
  /// A way from p bends round the corner without entering its obstacle.
  static bool tangent(const Corner& corner, const Vec2& p);

  static constexpr double kLeastRadius = 0.05;    // m, least radius of a walker
  static constexpr double kFarthestEscape = 100;  // m, of a way out of an obstacle
  static constexpr double kCore = 0.6;            // share of the radius

 private:
  void join_corners();
  std::optional<Vec2> quick_exit(const Vec2& p) const;

  double radius_;
  ObstacleTree grown_, core_, bare_;
  std::vector<Corner> corners_;
  std::vector<std::uint32_t> first_edge_;  // [corners + 1]
  std::vector<Edge> edges_;
};

}  // namespace promenade::behaviour::route
