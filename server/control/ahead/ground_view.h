#pragma once

#include "physics/ground/ground.h"

namespace promenade::control::ahead {

/// The ground as one walker knows it: what the query tells, corrected by what its feet feel.
/// World frame.
struct GroundView {
  const physics::GroundNow* now;  // never null
  /// m: blocks whose undersides are higher hang above the way, all others bear.
  double hanging_from = physics::kAnyHeight;
  double missing = 0;  // m, the height where nothing bears, over a pit without a floor
  double felt = 0;     // m, the felt height of the ground above the known one

  bool has_relief() const { return now->ground->has_relief(); }
  /// Height of the ground, m.
  double height(const Vec2& at) const {
    return now->clearance(at.x(), at.y(), hanging_from, missing).floor + felt;
  }
};

}  // namespace promenade::control::ahead
