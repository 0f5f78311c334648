#pragma once

#include <memory>

#include "control/posegraph/gait.h"
#include "study/trial/gait/gait_trial.h"

namespace promenade::trial {

/// What came of sending a toy to a way-point.
struct FollowedWay {
  bool reached = false;
  bool fell = false;
  double seconds = 0;    // to the end
  double distance = 0;   // m, from the start to the way-point
  double direction = 0;  // rad, to the left of where it faces at the start
};

/// Sends a toy to a way-point at a random distance and direction, by the behaviour that follows
/// paths, with what a room tells behaviours. It has time for six times the way.
/// @param near, far  m, least and greatest distance
FollowedWay follow_way(const GaitTrial& trial, std::shared_ptr<const control::posegraph::Gait> gait,
                       double near, double far, std::uint64_t seed);

}  // namespace promenade::trial
