#pragma once

#include "synthesis/rollout.h"

namespace promenade::synthesis {

struct Turn {
  bool up = false;
  /// s after the command from which on the pelvis stays within the tolerance; negative: never.
  double settled = -1;
  double head_lead = 0;  // rad, by how much the head was ahead of the pelvis, at most
};

/// Walks for some seconds, then turns to another heading at a random phase of the step.
/// @param speed      m/s
/// @param angle      rad, positive to the left
/// @param tolerance  rad
/// @param watch      s after the command
Turn turn(const Walker& walker, double speed, double angle, double tolerance, double watch,
          std::uint64_t seed);

}  // namespace promenade::synthesis
