#pragma once

#include <vector>

#include "behaviour/route/route_map.h"
#include "behaviour/route/route_tree.h"

namespace promenade::behaviour::route {

struct Route {
  std::vector<Vec2> points;  // way-points after the start, the goal last; empty: none
  double length = kNoRoute;  // m
  bool start_moved = false, goal_moved = false;  // to the nearest free point
  Reach reach = Reach::kReached;
};

/// The shortest route of one walker, where nobody else goes to the same goal.
/// Law: A* with the straight distance (Hart, Nilsson and Raphael 1968).
Route find_route(const RouteMap& map, const Vec2& start, const Vec2& goal);

}  // namespace promenade::behaviour::route
