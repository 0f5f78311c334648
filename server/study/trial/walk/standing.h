#pragma once

#include "study/trial/rig/rollout.h"
#include "study/trial/walk/recovery.h"

namespace promenade::trial {

struct StopAndStart {
  bool up = false;
  int rounds = 0;            // rounds without a fall in which it stopped in time and stood still
  int steps_standing = 0;    // steps taken while it should stand still, sum over the rounds
  double slowest_stop = 0;   // s from the command to standing, longest
  double slowest_start = 0;  // s from the command to half the speed asked for, longest
};

/// Walks, stops, stands for `stand` seconds, and starts again, `rounds` times.
/// @param speed  m/s
/// @param stop   s that it may take to come to rest
StopAndStart stop_and_start(const Walker& walker, double speed, int rounds, double stop,
                            double stand, std::uint64_t seed);

/// Walks for about 6 s and stops at a random phase of the step. @param watch  s after the command,
/// the end of which is judged
Recovery stop_once(const Walker& walker, double speed, double watch, std::uint64_t seed);

}  // namespace promenade::trial
