#pragma once

#include "behaviour/tasks/workplace.h"

namespace promenade::behaviour::tasks {

inline constexpr double kMostOfMass = 0.6;  // of one's own, that one lifts or takes over
inline constexpr double kTooWide = 0.8;     // of the arm's length: half width between the hands
inline constexpr double kTakeWeight = 1.6;  // s, in which the hands take a weight

/// Factor on the time of what is done with a load: it must not be thrown into motion.
inline double heaviness(const BodySeen& body, double mass) {
  constexpr double kSlowedBy = 5;  // times its share of one's own mass
  return 1 + kSlowedBy * mass / body.mass;
}

}  // namespace promenade::behaviour::tasks
