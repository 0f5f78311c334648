#pragma once

#include "study/trial/rig/rollout.h"
#include "study/trial/walk/gait_quality.h"

namespace promenade::trial {

struct Turn {
  bool up = false;
  /// s after the command from which on the pelvis stays within the tolerance; negative: never.
  double settled = -1;
  /// rad/s, mean rate of the pelvis between a tenth and nine tenths of the turn; 0 if it did not
  /// turn that far.
  double rate = 0;
  /// rad, by how much the head is ahead of the pelvis: mean from the command to those nine tenths.
  double head_lead = 0;
};

/// Walks for some seconds, then turns to another heading at a random phase of the step.
/// @param speed      m/s
/// @param angle      rad, positive to the left
/// @param tolerance  rad
/// @param watch      s after the command
Turn turn(const Walker& walker, double speed, double angle, double tolerance, double watch,
          std::uint64_t seed);

struct SharpTurns {
  bool up = false;
  GaitQuality quality;  // from the first turn on
};

/// Walks and turns by 90 to 180 degrees to a random side every 2.5 s, `turns` times.
SharpTurns turn_sharply(const Walker& walker, double speed, int turns, std::uint64_t seed);

}  // namespace promenade::trial
