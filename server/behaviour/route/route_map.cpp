#include "behaviour/route/route_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "math/rotation.h"

namespace promenade::behaviour::route {
namespace {

// Corners stand off their obstacle by this much, so that ways along its sides do not touch it
// whatever the rounding. A gap is passed if it is wider than the walker by twice as much.
constexpr double kStandOff = 0.001;  // m

double cross_of(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

std::vector<GrownObstacle> grown_by(std::span<const Obstacle> obstacles, double radius) {
  std::vector<GrownObstacle> out;
  out.reserve(obstacles.size());
  for (const Obstacle& o : obstacles) out.emplace_back(o, radius);
  return out;
}

Vec2 nearest_on(const Vec2& a, const Vec2& b, const Vec2& p) {
  const Vec2 d = b - a;
  return a + d * std::clamp(d.dot(p - a) / d.squaredNorm(), 0.0, 1.0);
}

Vec2 nearest_on_outline(const GrownObstacle& o, const Vec2& p) {
  const auto corners = o.corners(kStandOff);
  Vec2 best = corners[0];
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 q = nearest_on(corners[i], corners[(i + 1) % corners.size()], p);
    if ((q - p).squaredNorm() < (best - p).squaredNorm()) best = q;
  }
  return best;
}

/// Where the free point nearest to p may lie, given the obstacles about it: nearest on a side, at a
/// corner, or where two sides cross.
std::vector<Vec2> exits_among(std::span<const GrownObstacle> obstacles,
                              std::span<const std::size_t> near, const Vec2& p) {
  struct Side {
    Vec2 from, along;
    std::size_t owner;
  };
  std::vector<Side> sides;
  std::vector<Vec2> out;
  for (const std::size_t i : near) {
    const auto corners = obstacles[i].corners(kStandOff);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec2& next = corners[(k + 1) % corners.size()];
      sides.push_back({corners[k], next - corners[k], i});
      out.push_back(corners[k]);
      out.push_back(nearest_on(corners[k], next, p));
    }
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t j = i + 1; j < sides.size(); ++j) {
      const Side &a = sides[i], &b = sides[j];
      const double area = cross_of(a.along, b.along);
      if (a.owner == b.owner || area == 0) continue;
      const double at_a = cross_of(b.from - a.from, b.along) / area;
      const double at_b = cross_of(b.from - a.from, a.along) / area;
      if (at_a >= 0 && at_a <= 1 && at_b >= 0 && at_b <= 1) out.push_back(a.from + at_a * a.along);
    }
  }
  return out;
}

}  // namespace

void append_pieces(const Wall& wall, std::vector<Obstacle>& out) {
  for (std::size_t i = 0; i + 1 < wall.points.size(); ++i) {
    const Vec2 along = wall.points[i + 1] - wall.points[i];
    out.push_back({0.5 * (wall.points[i] + wall.points[i + 1]),
                   0.5 * Vec2(along.norm(), wall.thickness), std::atan2(along.y(), along.x())});
  }
}

RouteMap::RouteMap(std::span<const Obstacle> obstacles, double radius)
    : radius_(radius),
      grown_(grown_by(obstacles, radius)),
      core_(grown_by(obstacles, kCore * radius)),
      bare_(grown_by(obstacles, 0)) {
  assert(radius >= kLeastRadius);
  for (const GrownObstacle& o : grown_.obstacles()) {
    const auto at = o.corners(kStandOff);
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (!free(at[i])) continue;
      corners_.push_back({at[i], at[(i + 7) % 8] - at[i], at[(i + 1) % 8] - at[i]});
    }
  }
  join_corners();
}

bool RouteMap::tangent(const Corner& corner, const Vec2& p) {
  const Vec2 d = p - corner.at;
  return cross_of(d, corner.before) * cross_of(d, corner.after) >= -1e-12;
}

void RouteMap::join_corners() {
  const std::size_t count = corners_.size();
  std::vector<std::vector<Edge>> joined(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const Corner &a = corners_[i], &b = corners_[j];
      if (!tangent(a, b.at) || !tangent(b, a.at) || !sees(a.at, b.at)) continue;
      const double length = (b.at - a.at).norm();
      joined[i].push_back({std::uint32_t(j), length});
      joined[j].push_back({std::uint32_t(i), length});
    }
  }
  first_edge_.push_back(0);
  for (const std::vector<Edge>& edges : joined) {
    edges_.insert(edges_.end(), edges.begin(), edges.end());
    first_edge_.push_back(std::uint32_t(edges_.size()));
  }
}

// A way out of the obstacle that reaches farthest about p; if its end is free, the shortest one.
std::optional<Vec2> RouteMap::quick_exit(const Vec2& p) const {
  std::vector<std::size_t> near;
  grown_.near(p, 0, near);
  double farthest = -1;
  Vec2 exit = p;
  for (const std::size_t i : near) {
    const GrownObstacle& o = grown_.obstacles()[i];
    if (!o.contains(p)) continue;
    const Vec2 q = nearest_on_outline(o, p);
    if ((q - p).squaredNorm() <= farthest) continue;
    farthest = (q - p).squaredNorm();
    exit = q;
  }
  if (!free(exit) || (exit - p).norm() > kFarthestEscape) return std::nullopt;
  return exit;
}

std::optional<Vec2> RouteMap::nearest_free(const Vec2& p) const {
  if (free(p)) return p;
  const bool inside = bare_.contains(p);  // then every way out passes through a wall
  const auto this_side = [&](const Vec2& q) { return inside || no_wall_between(p, q); };
  if (const auto quick = quick_exit(p); quick && this_side(*quick)) return *quick;
  std::vector<std::size_t> near;
  std::optional<Vec2> behind;
  double reach = 2 * radius_;
  while ((reach *= 2) <= kFarthestEscape) {
    near.clear();
    grown_.near(p, reach, near);
    std::vector<Vec2> exits = exits_among(grown_.obstacles(), near, p);
    std::stable_sort(exits.begin(), exits.end(), [&](const Vec2& a, const Vec2& b) {
      return (a - p).squaredNorm() < (b - p).squaredNorm();
    });
    for (const Vec2& q : exits) {
      if ((q - p).norm() > reach) break;
      if (!free(q)) continue;
      if (this_side(q)) return q;
      if (!behind) behind = q;
    }
    if (behind && reach > 20 * radius_) break;
  }
  return behind;
}

}  // namespace promenade::behaviour::route
