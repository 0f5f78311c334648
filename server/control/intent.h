#pragma once

#include "math/types.h"

namespace promenade::control {

/// What the character should be doing, as behaviours tell the controller.
struct Intent {
  Vec2 velocity = Vec2::Zero();  // m/s, in the frame of the desired heading: x forward, y left
  double heading = 0;            // rad, world
  bool stand = true;             // come to rest and stand once slow
};

}  // namespace promenade::control
