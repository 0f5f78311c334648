#pragma once

#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "behaviour/route/route_map.h"
#include "math/state.h"

namespace promenade::behaviour::route {

/// Whether there is a route, and if not, why.
enum class Reach : std::uint8_t { kReached, kNoFreeStart, kNoFreeGoal, kWalledOff };
/// In words: "the goal is walled off: no route leads there".
std::string_view explain(Reach reach);

inline constexpr double kNoRoute = std::numeric_limits<double>::infinity();

/// The next straight piece of a route.
struct Leg {
  Vec2 aim = Vec2::Zero();  // the farthest way-point of the route that can be gone to straight
  double left = kNoRoute;   // m to the goal, along the route
  bool to_goal = false;     // the aim is the goal
  bool moved = false;       // the start is in an obstacle: the aim leads out of it first
  Reach reach = Reach::kReached;
};

/// The memory of a walker between two looks: where it is heading and where it looked last.
struct Progress {
  static constexpr std::uint32_t kUnknown = 0xffffffff, kGoal = 0xfffffffe;
  std::uint32_t corner = kUnknown;
  Vec2 looked_from = Vec2::Zero();
  void visit(StateVisitor& state) { state(corner, looked_from); }
};

/// The shortest routes from everywhere to one goal: the length of the way left from each corner of
/// a map, and the corner that comes next. One tree serves all who go there.
/// Law: Dijkstra 1959 over the map's graph from the corners that the goal sees.
class RouteTree {
 public:
  /// A goal in an obstacle is moved to the nearest free point.
  RouteTree(std::shared_ptr<const RouteMap> map, const Vec2& goal);

  const RouteMap& map() const { return *map_; }
  /// Where the routes end.
  const Vec2& goal() const { return goal_; }
  bool goal_moved() const { return goal_moved_; }
  bool has_goal() const { return has_goal_; }
  /// m from the corner to the goal; kNoRoute.
  double left_at(std::size_t corner) const { return left_[corner]; }

  /// Looks anew, at all corners: for a first look, or when the way was lost.
  Leg leg_from(const Vec2& p) const;
  /// The leg of somebody who walks: looks on from the corner that it is heading for, and only after
  /// some way. Costs one or two sight lines; allocates nothing while the way is not lost.
  Leg advance(const Vec2& p, Progress& progress) const;
  /// Whether one of two walkers is heading for a corner that the other will pass, too: they go
  /// round the same side of the obstacles before them.
  bool same_way(const Progress& a, const Progress& b) const;
  /// All way-points from p, the goal last; empty if there is no route.
  std::vector<Vec2> route_from(const Vec2& p) const;

 private:
  void grow();
  /// The corner that begins the shortest route from p, which sees it; kGoal, or kUnknown: none.
  std::uint32_t best_corner(const Vec2& p) const;
  Leg leg_by(const Vec2& p, std::uint32_t corner) const;
  Vec2 place(std::uint32_t corner) const;
  bool passes(std::uint32_t from, std::uint32_t corner) const;
  bool keeps(const Vec2& p, std::uint32_t corner) const;
  bool may_go_on(const Vec2& p, std::uint32_t corner) const;

  std::shared_ptr<const RouteMap> map_;
  Vec2 goal_;
  bool goal_moved_ = false, has_goal_ = true;
  std::vector<double> left_;         // [corners] m
  std::vector<std::uint32_t> next_;  // [corners]
};

}  // namespace promenade::behaviour::route
