#pragma once

#include <array>

#include "behaviour/tasks/parts/work.h"

namespace promenade::behaviour::tasks {

/// Both hands and the places where they are to take hold of a thing.
class Grasp {
 public:
  /// Where the palms take hold, frame of the thing's first link, m.
  std::array<Vec3, 2> at{Vec3::Zero(), Vec3::Zero()};
  std::array<HandPath, 2> path;

  /// m, world.
  Vec3 middle(const ThingSeen& thing) const { return thing.at(0.5 * (at[0] + at[1])); }
  /// m, of the palms.
  double apart() const { return (at[0] - at[1]).norm(); }
  /// Begins the ways of the palms to the thing.
  void set_out(const Now& now, const ThingSeen& thing);
  /// Begins ways of the palms, in the world, that take so long.
  /// @param time  s
  void begin(const Now& now, double time);
  /// Brings the palms beside the places where they are to hold a thing.
  /// @param since  s, since that began
  /// @return they are there, and the body is at rest
  bool wait_beside(const Now& now, const ThingSeen& thing, double since, control::Goal* goal);
  /// Brings the palms to those places, where they grip.
  /// @return they hold it
  bool take_hold(const Now& now, const ThingSeen& thing, ThingId id, Work& work,
                 control::Goal* goal);
  void visit(StateVisitor& state);

 private:
  Vec3 move(const Now& now, const ThingSeen& thing, std::size_t side, double beside,
            control::Goal* goal);
};

/// s, that gripping is given.
double time_to_grip(const Now& now);

/// Grips where the palm is: a grip that has to draw the hand near would jerk at the body.
HandOrder grip_here(const Now& now, std::size_t side, ThingId id, const ThingSeen& thing);

/// Why a thing cannot be taken hold of with both hands; null: it can.
/// @param force  N, that each hand would have to exert
const char* why_not_taken(const Now& now, const Work& work, const ThingSeen& thing, ThingId id,
                          double force);

}  // namespace promenade::behaviour::tasks
