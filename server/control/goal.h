#pragma once

#include "math/state.h"
#include "math/types.h"

namespace promenade::control {

/// What a behaviour asks of a controller. A family reads the parts that it can follow and ignores
/// the rest.
struct Goal {
  Vec2 velocity = Vec2::Zero();  // m/s, in the frame of the desired heading: x forward, y left
  double heading = 0;            // rad, world
  bool stand = true;             // come to rest and stand once slow

  void visit(StateVisitor& state) { state(velocity, heading, stand); }
};

}  // namespace promenade::control
