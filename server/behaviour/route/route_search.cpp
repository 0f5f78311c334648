#include "behaviour/route/route_search.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace promenade::behaviour::route {
namespace {

struct Search {
  const RouteMap& map;
  Vec2 start, goal;
  std::vector<double> gone;           // m from the start
  std::vector<std::uint32_t> before;  // the corner that was passed before
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open{};

  void reach(std::uint32_t corner, double length, std::uint32_t from) {
    if (length >= gone[corner]) return;
    gone[corner] = length;
    before[corner] = from;
    open.emplace(length + (map.corners()[corner].at - goal).norm(), corner);
  }
  bool ends_at(const RouteMap::Corner& corner) const {
    return RouteMap::tangent(corner, goal) && map.sees(corner.at, goal);
  }
  /// The last corner before the goal; kUnknown.
  std::uint32_t run() {
    for (std::uint32_t i = 0; i < gone.size(); ++i) {
      const RouteMap::Corner& corner = map.corners()[i];
      if (RouteMap::tangent(corner, start) && map.sees(start, corner.at)) {
        reach(i, (corner.at - start).norm(), Progress::kUnknown);
      }
    }
    std::uint32_t last = Progress::kUnknown;
    double shortest = kNoRoute;
    while (!open.empty() && open.top().first < shortest) {
      const auto [bound, corner] = open.top();
      open.pop();
      const double on = (map.corners()[corner].at - goal).norm();
      if (bound > gone[corner] + on) continue;
      if (ends_at(map.corners()[corner])) {
        shortest = bound;
        last = corner;
      }
      for (const RouteMap::Edge& edge : map.edges_of(corner)) {
        reach(edge.to, gone[corner] + edge.length, corner);
      }
    }
    return last;
  }
};

}  // namespace

Route find_route(const RouteMap& map, const Vec2& start, const Vec2& goal) {
  Route route;
  const auto from = map.nearest_free(start), to = map.nearest_free(goal);
  route.start_moved = !map.free(start);
  route.goal_moved = !map.free(goal);
  if (!from || !to) {
    route.reach = from ? Reach::kNoFreeGoal : Reach::kNoFreeStart;
    return route;
  }
  if (!map.sees(*from, *to)) {
    const std::size_t count = map.corners().size();
    Search search{map, *from, *to, std::vector<double>(count, kNoRoute),
                  std::vector<std::uint32_t>(count, Progress::kUnknown)};
    std::uint32_t corner = search.run();
    if (corner == Progress::kUnknown) {
      route.reach = Reach::kWalledOff;
      return route;
    }
    for (; corner != Progress::kUnknown; corner = search.before[corner]) {
      route.points.push_back(map.corners()[corner].at);
    }
  }
  if (route.start_moved) route.points.push_back(*from);
  std::reverse(route.points.begin(), route.points.end());
  route.points.push_back(*to);
  route.length = 0;
  Vec2 last = start;
  for (const Vec2& p : route.points) {
    route.length += (p - last).norm();
    last = p;
  }
  return route;
}

}  // namespace promenade::behaviour::route
