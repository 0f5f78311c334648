#pragma once

#include <algorithm>

#include "behaviour/tasks/parts/now.h"

namespace promenade::behaviour::tasks {

/// The drag of what is moved over the ground, in weights of who moves it.
inline double strain_of(const ThingSeen& thing, const BodySeen& body) {
  return thing.friction * thing.mass / body.mass;
}

/// 0 of what is not light to 1.
inline double lightness(const Now& now, double strain) {
  return std::max(0.0, 1 - strain / now.parameters.load().light_drag());
}

/// Factor on the time of what is done with a load: it must not be thrown into motion.
inline double heaviness(const Now& now, double mass) {
  return 1 + now.parameters.load().slowed_by() * mass / now.body.mass;
}

}  // namespace promenade::behaviour::tasks
