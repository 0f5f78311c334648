#pragma once

#include <functional>
#include <vector>

#include "behaviour/behaviour.h"

namespace promenade::behaviour::route {

/// Part of the ground, by the cells of a grid along the world's axes.
struct GroundArea {
  Vec2 low = Vec2::Zero(), high = Vec2::Zero();
  double cell = 0.5;  // m
};

/// Obstacles where the ground is not to be walked on: nothing there, water, ice. A cell counts as
/// walkable if its middle is. Cells are joined along rows, and equal rows across them.
std::vector<Obstacle> ground_obstacles(const GroundArea& area,
                                       const std::function<bool(const Vec2&)>& walkable);

}  // namespace promenade::behaviour::route
