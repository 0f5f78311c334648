#pragma once

#include <algorithm>

#include "behaviour/tasks/abilities.h"
#include "behaviour/tasks/workplace.h"

namespace promenade::behaviour::tasks {

inline constexpr double kTakeWeight = 1.6;  // s, in which the hands take a weight

/// The drag of what is moved over the ground, in weights of who moves it.
inline double strain_of(const ThingSeen& thing, const BodySeen& body) {
  return thing.friction * thing.mass / body.mass;
}

/// 0 of what is not light to 1.
inline double lightness(double strain) {
  constexpr double kLightDrag = 0.2;  // weights of drag: less is light
  return std::max(0.0, 1 - strain / kLightDrag);
}

/// Factor on the time of what is done with a load: it must not be thrown into motion.
inline double heaviness(const BodySeen& body, double mass) {
  constexpr double kSlowedBy = 5;  // times its share of one's own mass
  return 1 + kSlowedBy * mass / body.mass;
}

}  // namespace promenade::behaviour::tasks
