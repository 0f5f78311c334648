#pragma once

#include <array>

#include "behaviour/tasks/parts/work.h"

namespace promenade::behaviour::tasks {

/// How something is moved over the ground by a task of that kind.
const v1::HaulingParameters& hauling_of(const Now& now, TaskKind kind);

/// What is wanted of a thing that is moved.
struct Motion {
  Vec2 velocity = Vec2::Zero();  // m/s, world
  double rate = 0;               // rad/s, of its turn
};

/// What who moves something is about.
struct Haul {
  const v1::HaulingParameters& how;
  const ThingSeen& thing;
  double heading;  // rad, of the way
  double clock;    // s, since it began
  double pull_up;  // s, in which the force comes
  double stuck;    // s, since the thing came no nearer to its goal
};

/// The forces of two hands that move a thing over the ground.
class HaulForces {
 public:
  void begin() { lifted_ = 0; }
  /// N, world.
  std::array<Vec3, 2> update(const Now& now, const Haul& haul, const Motion& wanted,
                             HaulStance& stance);
  void visit(StateVisitor& state) { state(lifted_); }

 private:
  double drag_of(const Now& now, const ThingSeen& thing);

  double lifted_ = 0;  // N, of its weight, that the hands hold up
};

}  // namespace promenade::behaviour::tasks
