#pragma once

#include <cmath>

#include "behaviour/behaviour.h"
#include "behaviour/tasks/workplace.h"
#include "promenade/v1/task_parameters.pb.h"

namespace promenade::behaviour::tasks {

/// What is known in one update of somebody who does tasks.
struct Now {
  const Self& self;
  const Surroundings& around;
  const Workplace& place;
  const v1::TaskParameters& parameters;
  BodySeen body;
  double dt;  // s, since the last update

  double scale() const { return self.scale; }  // of lengths, 1 for the human
  /// Factor on times and speeds: those of bodies that move alike go with the square root of their
  /// lengths (equal Froude numbers).
  double slow() const { return std::sqrt(self.scale); }
};

/// Stands as it is.
inline control::Goal stand_here(const Now& now) {
  control::Goal goal;
  goal.heading = now.self.heading;
  goal.stand = true;
  return goal;
}

/// Stands and faces a way.
/// @param heading  rad
inline control::Goal stand_facing(const Now& now, double heading) {
  control::Goal goal = stand_here(now);
  goal.heading = heading;
  return goal;
}

}  // namespace promenade::behaviour::tasks
