#include "behaviour/route/routes.h"

#include <algorithm>
#include <cmath>

namespace promenade::behaviour::route {

Routes::Routes(std::span<const Obstacle> obstacles, std::span<const Wall> walls)
    : obstacles_(obstacles.begin(), obstacles.end()) {
  for (const Wall& wall : walls) append_pieces(wall, obstacles_);
}

std::uint32_t Routes::class_of(double radius) {
  const double classes = std::ceil(std::max(radius, RouteMap::kLeastRadius) / kClass - 1e-9);
  return std::uint32_t(std::min(classes, 1000.0));
}

std::shared_ptr<const RouteMap> Routes::map(double radius) {
  const std::uint32_t wanted = class_of(radius);
  for (const auto& [radius_class, map] : maps_) {
    if (radius_class == wanted) return map;
  }
  maps_.emplace_back(wanted, std::make_shared<const RouteMap>(obstacles_, kClass * wanted));
  return maps_.back().second;
}

std::shared_ptr<const RouteTree> Routes::to(const Vec2& goal, double radius) {
  const std::uint32_t wanted = class_of(radius);
  ++questions_;
  for (Kept& kept : trees_) {
    if (kept.radius_class != wanted || kept.goal != goal) continue;
    kept.asked = questions_;
    return kept.tree;
  }
  if (trees_.size() == kMostTrees) {
    trees_.erase(std::min_element(trees_.begin(), trees_.end(),
                                  [](const Kept& a, const Kept& b) { return a.asked < b.asked; }));
  }
  auto tree = std::make_shared<const RouteTree>(map(radius), goal);
  trees_.push_back({goal, wanted, questions_, tree});
  return tree;
}

}  // namespace promenade::behaviour::route
