#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/neighbour_grid.h"
#include "control/goal.h"
#include "math/rotation.h"

namespace promenade::behaviour::testing {

/// A walker reduced to a point: its heading turns at 2 rad/s at most, its velocity answers with the
/// lag of a walker (first order, 0.45 s). Enough to try behaviours without physics.
struct PointWalker {
  Vec2 position = Vec2::Zero();
  Vec2 velocity = Vec2::Zero();
  double heading = 0;
  double scale = 1;
  double cruise_speed = 0.8;

  Self self() const {
    return {position, velocity, heading, scale, cruise_speed, kPersonalRadius * scale};
  }

  void step(const control::Goal& goal, double dt) {
    const double error = wrap_angle(goal.heading - heading);
    heading = wrap_angle(heading + std::clamp(error, -2 * dt, 2 * dt));
    const Vec2 wanted = rotated(goal.velocity, heading);
    velocity += (wanted - velocity) * std::min(1.0, dt / 0.45);
    position += velocity * dt;
  }
};

/// A crowd of them, stepped together as a room does.
struct PointCrowd {
  std::vector<PointWalker> walkers;
  std::vector<Obstacle> obstacles;
  NeighbourGrid grid;

  template <typename Behaviours>
  void step(Behaviours& behaviours, double dt) {
    std::vector<Neighbour> everyone;
    for (const PointWalker& w : walkers) {
      everyone.push_back({w.position, w.velocity, kPersonalRadius * w.scale});
    }
    grid.build(everyone);
    std::vector<control::Goal> goals(walkers.size());
    std::array<Neighbour, kMaxNeighbours> found;
    for (std::size_t i = 0; i < walkers.size(); ++i) {
      const int count = grid.nearest(i, found);
      goals[i] = behaviours[i]->update(
          walkers[i].self(), {std::span(found.data(), std::size_t(count)), obstacles}, dt);
    }
    for (std::size_t i = 0; i < walkers.size(); ++i) walkers[i].step(goals[i], dt);
  }

  double closest() const {
    double least = 1e9;
    for (std::size_t i = 0; i < walkers.size(); ++i) {
      for (std::size_t j = i + 1; j < walkers.size(); ++j) {
        least = std::min(least, (walkers[i].position - walkers[j].position).norm());
      }
    }
    return least;
  }
};

inline constexpr double kTick = 1.0 / 60;

}  // namespace promenade::behaviour::testing
