#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "behaviour/behaviour.h"
#include "physics/ground/ground.h"
#include "world/entity/occupants.h"
#include "world/scene/scene.h"

namespace promenade::world {

/// What the parts of a room may see of it, and not change, at one moment of a tick. It costs some
/// pointers to make, so it is made for each call, and what refers to it lives no longer than that:
/// after another scene, or other courses, the ground and obstacles that it names are gone.
struct TickView {
  const Scene& scene;
  const physics::Ground& ground;  // with the obstacles of the courses
  const Occupants& occupants;
  std::span<const behaviour::Obstacle> obstacles;
  std::uint64_t seed;
  std::uint64_t tick;
  std::uint64_t scene_tick;  // at which the scene was loaded
  double dt;                 // s, of a tick

  /// Ticks since the scene was loaded.
  std::uint64_t age() const { return tick - scene_tick; }
  /// s since then: the time of moving ground.
  double time() const { return double(age()) * dt; }
  physics::GroundNow ground_now() const { return {ground, time()}; }
  /// The number of ticks that comes nearest to so many seconds.
  std::uint64_t ticks(double seconds) const { return std::uint64_t(std::llround(seconds / dt)); }
};

}  // namespace promenade::world
