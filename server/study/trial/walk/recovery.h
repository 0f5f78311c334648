#pragma once

#include "study/trial/rig/rollout.h"

namespace promenade::trial {

/// How far a walk has recovered from a disturbance, judged over its end.
struct Recovery {
  bool up = false;           // has not fallen, by the one rule of Rollout
  double speed_error = 0;    // m/s, mean velocity less the one asked for, as a vector
  double heading_error = 0;  // rad, mean heading less the one asked for, without sign

  /// Whether it also does again what was asked: a character that stays up may have ended up walking
  /// in another direction.
  bool recovered() const;
};

inline constexpr double kJudged = 3;                      // s at the end that count
inline constexpr double kSpeedTolerance = 0.15;           // m/s
inline constexpr double kHeadingTolerance = 0.349065850;  // rad, 20 degrees

/// Runs on for `seconds` and judges the last kJudged of them by the goal, which must not change
/// in that time. @pre seconds >= kJudged
Recovery run_and_judge(Rollout& rollout, double seconds);

}  // namespace promenade::trial
