#pragma once

#include "behaviour/behaviour.h"
#include "math/state.h"

namespace promenade::behaviour {

/// Turns a wanted velocity, which may jump, into a goal that a walker can follow. The course turns
/// into the direction of travel at a limited rate, more slowly where that is far round. The speed
/// changes at a limited rate and is lower while the walker faces elsewhere, so that it walks curves
/// instead of braking, turning and starting again.
/// Law: speed = |velocity| max(kTurningShare, cos(0.7 e)), e the angle from the heading to the
///      direction of travel
class Course {
 public:
  /// Starts afresh: from where the walker faces and how fast it goes.
  void reset() { started_ = false; }
  /// @param velocity  m/s, world; where it is too slow to have a direction the course stays
  /// @param distance  m, to what is aimed at
  control::Goal follow(const Vec2& velocity, const Self& self, double dt, double distance);
  void visit(StateVisitor& state) { state(started_, heading_, speed_); }

 private:
  bool started_ = false;
  double heading_ = 0;  // rad
  double speed_ = 0;    // m/s
};

/// Goal to stand facing `heading`. Far off it the character first turns on the spot, stepping.
/// @param turning  in and out: whether a turn is under way (starts at 12 degrees, ends at 5)
control::Goal goal_to_stand(double present_heading, double heading, bool& turning);

}  // namespace promenade::behaviour
