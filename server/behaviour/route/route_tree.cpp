#include "behaviour/route/route_tree.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace promenade::behaviour::route {
namespace {
constexpr double kLookEvery = 0.25;  // m of way between two looks
constexpr double kLookLeast = 0.02;  // m, close to a corner
constexpr double kElsewhere = 1;     // m since the last look: pushed or placed, look anew
constexpr double kAtCorner = 0.5;    // share of the radius: this near a corner the way goes on
}  // namespace

std::string_view explain(Reach reach) {
  switch (reach) {
    case Reach::kReached:
      return "a route leads there";
    case Reach::kNoFreeStart:
      return "the start is in an obstacle, with no free point near";
    case Reach::kNoFreeGoal:
      return "the goal is in an obstacle, with no free point near";
    case Reach::kWalledOff:
      return "the goal is walled off: no route leads there";
  }
  return "";
}

RouteTree::RouteTree(std::shared_ptr<const RouteMap> map, const Vec2& goal)
    : map_(std::move(map)), goal_(goal) {
  if (!map_->free(goal)) {
    const auto moved = map_->nearest_free(goal);
    has_goal_ = moved.has_value();
    goal_moved_ = true;
    if (moved) goal_ = *moved;
  }
  grow();
}

void RouteTree::grow() {
  const auto corners = map_->corners();
  left_.assign(corners.size(), kNoRoute);
  next_.assign(corners.size(), Progress::kUnknown);
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto reach = [&](std::uint32_t corner, double left, std::uint32_t next) {
    if (left >= left_[corner]) return;
    left_[corner] = left;
    next_[corner] = next;
    open.emplace(left, corner);
  };
  for (std::uint32_t i = 0; has_goal_ && i < corners.size(); ++i) {
    if (RouteMap::tangent(corners[i], goal_) && map_->sees(goal_, corners[i].at)) {
      reach(i, (corners[i].at - goal_).norm(), Progress::kGoal);
    }
  }
  while (!open.empty()) {
    const auto [left, corner] = open.top();
    open.pop();
    if (left > left_[corner]) continue;
    for (const RouteMap::Edge& edge : map_->edges_of(corner)) {
      reach(edge.to, left + edge.length, corner);
    }
  }
}

Vec2 RouteTree::place(std::uint32_t corner) const {
  return corner == Progress::kGoal ? goal_ : map_->corners()[corner].at;
}

std::uint32_t RouteTree::best_corner(const Vec2& p) const {
  if (map_->sees(p, goal_)) return Progress::kGoal;
  // Corners by the length of the route if they were seen: the first that is seen is the best.
  using Entry = std::pair<double, std::uint32_t>;
  thread_local std::vector<Entry> open;
  open.clear();
  const auto corners = map_->corners();
  const bool outside = map_->free(p);  // from within an obstacle, no way is tangent to it
  for (std::uint32_t i = 0; i < corners.size(); ++i) {
    if (left_[i] == kNoRoute || (outside && !RouteMap::tangent(corners[i], p))) continue;
    open.emplace_back((corners[i].at - p).norm() + left_[i], i);
  }
  std::make_heap(open.begin(), open.end(), std::greater<>());
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), std::greater<>());
    const std::uint32_t corner = open.back().second;
    open.pop_back();
    if (map_->sees(p, corners[corner].at)) return corner;
  }
  return Progress::kUnknown;
}

Leg RouteTree::leg_by(const Vec2& p, std::uint32_t corner) const {
  Leg leg;
  if (corner == Progress::kUnknown) {
    leg.aim = p;
    leg.reach = Reach::kWalledOff;
    return leg;
  }
  leg.aim = place(corner);
  leg.to_goal = corner == Progress::kGoal;
  leg.left = (leg.aim - p).norm() + (leg.to_goal ? 0 : left_[corner]);
  return leg;
}

Leg RouteTree::leg_from(const Vec2& p) const {
  Progress first;
  return advance(p, first);
}

bool RouteTree::keeps(const Vec2& p, std::uint32_t corner) const {
  return corner != Progress::kUnknown && map_->sees(p, place(corner));
}

// Whether to head for what comes after `corner`: it is in sight, or the walker is so near the
// corner that it will be in a moment.
bool RouteTree::may_go_on(const Vec2& p, std::uint32_t corner) const {
  const Vec2 next = place(next_[corner]);
  if (map_->sees(p, next)) return true;
  const double near = kAtCorner * map_->radius();
  return (p - place(corner)).squaredNorm() < near * near && !map_->stuck(p) &&
         map_->no_wall_between(p, next);
}

Leg RouteTree::advance(const Vec2& p, Progress& progress) const {
  if (!has_goal_) return {p, kNoRoute, false, false, Reach::kNoFreeGoal};
  if ((progress.corner < Progress::kGoal && progress.corner >= next_.size()) ||
      (p - progress.looked_from).squaredNorm() > kElsewhere * kElsewhere) {
    progress = {};
  }
  if (progress.corner != Progress::kUnknown) {
    const Vec2 aim = place(progress.corner);
    const double wait = std::clamp(0.5 * (aim - p).norm(), kLookLeast, kLookEvery);
    if ((p - progress.looked_from).squaredNorm() < wait * wait) return leg_by(p, progress.corner);
  }
  if (map_->stuck(p)) {
    const auto exit = map_->nearest_free(p);
    progress = {};
    if (!exit) return {p, kNoRoute, false, true, Reach::kNoFreeStart};
    Leg leg = leg_by(*exit, best_corner(*exit));
    leg.left += (*exit - p).norm();
    leg.aim = *exit;
    leg.to_goal = false;
    leg.moved = true;
    return leg;
  }
  progress.looked_from = p;
  bool went_on = false;
  while (progress.corner != Progress::kUnknown && progress.corner != Progress::kGoal &&
         may_go_on(p, progress.corner)) {
    progress.corner = next_[progress.corner];
    went_on = true;
  }
  if (!went_on && !keeps(p, progress.corner)) progress.corner = best_corner(p);
  return leg_by(p, progress.corner);
}

bool RouteTree::passes(std::uint32_t from, std::uint32_t corner) const {
  while (from != corner && from < next_.size()) from = next_[from];
  return from == corner;
}

bool RouteTree::same_way(const Progress& a, const Progress& b) const {
  return passes(a.corner, b.corner) || passes(b.corner, a.corner);
}

std::vector<Vec2> RouteTree::route_from(const Vec2& p) const {
  std::vector<Vec2> out;
  Vec2 from = p;
  if (map_->stuck(p)) {
    const auto exit = map_->nearest_free(p);
    if (!exit) return out;
    from = *exit;
  }
  std::uint32_t corner = has_goal_ ? best_corner(from) : Progress::kUnknown;
  if (corner == Progress::kUnknown) return out;
  if (map_->stuck(p)) out.push_back(from);
  for (; corner != Progress::kGoal; corner = next_[corner]) out.push_back(place(corner));
  out.push_back(goal_);
  return out;
}

}  // namespace promenade::behaviour::route
