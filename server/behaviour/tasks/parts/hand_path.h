#pragma once

#include "behaviour/tasks/workplace.h"
#include "control/goal.h"

namespace promenade::behaviour::tasks {

/// Takes a palm from where it is to a goal that may move, smoothly.
/// Law: p = (1 - s) from + s goal, s = 10 u^3 - 15 u^4 + 6 u^5 (the path of least jerk, Flash and
///      Hogan 1985), u = t / T; of a hand that goes up in the world the height begins first and the
///      level way ends last
class HandPath {
 public:
  /// @param from  in the frame of the goals to come
  /// @param time  s, that it takes
  void begin(const Vec3& from, double time);
  /// @param goal, velocity  now
  /// @return the place where the palm is to be now, with its velocity
  control::HandGoal move(const v1::HandPathParameters& p, control::HandGoal::Frame frame,
                         const Vec3& goal, const Vec3& velocity, double dt);
  bool arrived() const { return clock_ >= time_; }
  void visit(StateVisitor& state);

 private:
  Vec3 from_ = Vec3::Zero();
  double time_ = 1, clock_ = 0;
};

/// s, that a hand takes for a way of so many metres.
double time_of_way(const v1::HandPathParameters& p, double way, double scale);

}  // namespace promenade::behaviour::tasks
