#pragma once

#include <array>

#include "behaviour/tasks/parts/work.h"

namespace promenade::behaviour::tasks {

/// How something is moved over the ground. Its drag is what its friction takes, told in weights of
/// who moves it.
struct Hauling {
  double speed;     // m/s, of what has no drag
  double slower;    // for each weight of drag
  double goes;      // of the velocity wanted, that one goes with
  double keep_up;   // 1/s, of one's own place before the thing
  double longer;    // m for each weight of drag, that the arms are longer than at the grip
  double arms;      // of the arms' gains
  double gain;      // 1/s, of its velocity
  double more;      // than its drag: who leans a little more keeps going
  double lifts;     // of its weight, that the hands take
  double comes_in;  // s for each weight of drag, in which the force comes
  double least_in;  // s, likewise, at least
  double rest_in;   // s, in which it goes again
  double twist;     // m, of the force along the way: torque at most
  double hold;      // of what turns the thing, that the hands hold on to it with at most
  double bend;      // of the body
};
const Hauling& hauling_of(TaskKind kind);

/// What is wanted of a thing that is moved.
struct Motion {
  Vec2 velocity = Vec2::Zero();  // m/s, world
  double rate = 0;               // rad/s, of its turn
};

/// What who moves something is about.
struct Haul {
  const Hauling& how;
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
