#include "world/scene/placement.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::world {
namespace {

constexpr double kRing = 0.35;    // m between rings
constexpr double kFarthest = 15;  // m, outermost ring
constexpr double kUneven = 0.02;  // m, by which the ground under the feet may differ
constexpr double kShare = 0.85;   // share of the wanted spaces that must be kept

bool even_ground(const Vec2& p, double radius, const physics::GroundNow& ground) {
  const double reach = 0.7 * radius;
  constexpr double kNothing = -1e9;  // m, where there is no ground
  double low = ground.height(p.x(), p.y(), kNothing), high = low;
  if (low == kNothing) return false;
  for (int i = 0; i < 8; ++i) {
    const double angle = i * kTwoPi / 8;
    const double h =
        ground.height(p.x() + reach * std::cos(angle), p.y() + reach * std::sin(angle), kNothing);
    low = std::min(low, h);
    high = std::max(high, h);
  }
  return high - low < kUneven;
}

bool clear_of(const IdList<Prop>& things, const Vec2& p, double radius) {
  for (const auto& thing : things) {
    for (const behaviour::Neighbour& disc : thing->discs()) {
      if ((disc.position - p).norm() < kShare * radius + disc.radius) return false;
    }
  }
  return true;
}

}  // namespace

Vec2 free_place(const Vec2& wanted, double radius, const physics::GroundNow& ground,
                std::span<const behaviour::Obstacle> obstacles, const IdList<Entity>& others,
                const Entity* self, const IdList<Prop>* things) {
  const auto is_free = [&](const Vec2& p) {
    for (const auto& other : others) {
      if (other == self || !other->present()) continue;
      const Vec2 at = other->position();
      if (!((at - p).norm() >= kShare * (radius + other->radius))) return false;
    }
    if (things && !clear_of(*things, p, radius)) return false;
    for (const behaviour::Obstacle& obstacle : obstacles) {
      if ((obstacle.nearest(p) - p).norm() < kShare * radius) return false;
    }
    return even_ground(p, radius, ground);
  };
  if (is_free(wanted)) return wanted;
  for (int ring = 1; ring * kRing <= kFarthest; ++ring) {
    const int count = 6 * ring;
    for (int i = 0; i < count; ++i) {
      const double angle = (i + 0.5 * (ring % 2)) * kTwoPi / count;
      Vec2 p = wanted + ring * kRing * Vec2(std::cos(angle), std::sin(angle));
      if (is_free(p)) return p;
    }
  }
  return wanted;
}

}  // namespace promenade::world
