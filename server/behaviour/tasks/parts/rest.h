#pragma once

#include "behaviour/steering.h"
#include "behaviour/tasks/parts/now.h"

namespace promenade::behaviour::tasks {

/// Standing with nothing else to do, facing the way that it faced when that began.
class Rest {
 public:
  control::Goal update(const Now& now) {
    if (!rests_) heading_ = now.self.heading;
    rests_ = true;
    return goal_to_stand(now.self.heading, heading_, turning_);
  }
  /// Turns to another way.
  /// @param heading  rad
  control::Goal turn_to(const Now& now, double heading) {
    heading_ = heading;
    return goal_to_stand(now.self.heading, heading_, turning_);
  }
  /// Something else begins.
  void end() { rests_ = false; }
  /// It was put somewhere else.
  void relocated(double heading) {
    heading_ = heading;
    turning_ = false;
  }
  void visit(StateVisitor& state) { state(heading_, turning_, rests_); }

 private:
  double heading_ = 0;  // rad
  bool turning_ = false, rests_ = false;
};

}  // namespace promenade::behaviour::tasks
