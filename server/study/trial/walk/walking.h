#pragma once

#include "study/trial/walk/gait_cycle.h"
#include "study/trial/walk/gait_quality.h"
#include "study/trial/walk/recovery.h"

namespace promenade::trial {

struct SteadyWalk {
  bool up = false;               // at the end
  bool recovered = false;        // and walks as asked over the end of it, by Recovery
  bool made_way = false;         // mean speed over the whole way at most kSpeedTolerance too low
  double seconds = 0;            // until the end or the fall
  Vec2 velocity = Vec2::Zero();  // m/s, mean after settling, in the frame of the heading asked for
  double step_time = 0;          // s, mean after settling
  double heading_error = 0;      // rad, greatest after settling
  GaitQuality quality;           // after settling
  GaitCycle gait;                // after settling; empty unless it was asked for
};

/// Walks from standing at one velocity, straight on.
/// @param velocity  m/s, forward and left
/// @param seconds   of the whole rollout
/// @param settle    s at the beginning that no figure counts
/// @param cycle     also observes the gait cycle, which takes time
SteadyWalk walk_steadily(const Walker& walker, const Vec2& velocity, double seconds, double settle,
                         std::uint64_t seed, bool cycle = false);

/// Walks from standing, straight on at one speed. @return whether it is still up after `seconds`
/// and has come past `x` m along the world's x by then
bool gets_past(const Walker& walker, double speed, double x, double seconds, std::uint64_t seed);

}  // namespace promenade::trial
