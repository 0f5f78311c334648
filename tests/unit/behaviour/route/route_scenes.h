#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/route/route_map.h"
#include "math/random.h"
#include "math/rotation.h"

namespace promenade::behaviour::route::testing {

/// Rectangles of many sizes and directions at random in a square of half side `half`, overlapping
/// now and then.
inline std::vector<Obstacle> random_obstacles(std::size_t count, double half, std::uint64_t seed) {
  Random random(seed);
  std::vector<Obstacle> out(count);
  for (Obstacle& o : out) {
    o.center = Vec2(random.uniform(-half, half), random.uniform(-half, half));
    o.half = Vec2(random.uniform(0.2, 2), random.uniform(0.2, 2));
    if (random.chance(0.2)) o.half = Vec2(random.uniform(2, 6), 0.1);
    o.yaw = random.chance(0.5) ? 0 : random.uniform(-kPi, kPi);
  }
  return out;
}

/// A closed room of four walls about the middle.
inline std::vector<Obstacle> closed_room(const Vec2& middle, double half) {
  return {{middle + Vec2(half, 0), Vec2(0.1, half + 0.1), 0},
          {middle - Vec2(half, 0), Vec2(0.1, half + 0.1), 0},
          {middle + Vec2(0, half), Vec2(half + 0.1, 0.1), 0},
          {middle - Vec2(0, half), Vec2(half + 0.1, 0.1), 0}};
}

/// m from p to the nearest obstacle, by the rectangles themselves.
inline double room_about(std::span<const Obstacle> obstacles, const Vec2& p) {
  double least = 1e9;
  for (const Obstacle& o : obstacles) least = std::min(least, (o.nearest(p) - p).norm());
  return least;
}

/// The least of it on the way from a to b, every 5 mm.
inline double room_along(std::span<const Obstacle> obstacles, const Vec2& a, const Vec2& b) {
  const int steps = 1 + int((b - a).norm() / 0.005);
  double least = 1e9;
  for (int i = 0; i <= steps; ++i) {
    least = std::min(least, room_about(obstacles, a + (b - a) * i / steps));
  }
  return least;
}

inline double length_of(const Vec2& from, std::span<const Vec2> points) {
  double length = 0;
  Vec2 last = from;
  for (const Vec2& p : points) {
    length += (p - last).norm();
    last = p;
  }
  return length;
}

}  // namespace promenade::behaviour::route::testing
