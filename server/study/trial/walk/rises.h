#pragma once

#include <cstdint>

#include "study/trial/rig/rollout.h"

namespace promenade::trial {

/// How somebody comes to lie on the ground.
enum class FallKind {
  kPushed,  // while it walks or stands: 500 to 1500 N for 0.1 to 0.3 s, any direction and phase
  kThrown,  // from a metre up, turned and bent at random
};

struct RiseCase {
  FallKind kind = FallKind::kPushed;
  double patience = 20;  // s from the fall, within which it has to get up
  double watch = 10;     // s, for which it has to stay up afterwards
};

struct RiseOutcome {
  bool fell = false;    // a push that does not bring it down is no trial
  bool up = false;      // got up within the patience
  bool stayed = false;  // and was still up at the end of the watch
  double lying = 0;     // s, from the fall until it lay still first
  double rising = 0;    // s, from then until its own controller took over
  int tries = 0;        // that did not get on
  double torque = 0;    // greatest torque of a joint over its limit
};

/// Lets a walker fall, get up by the family `rise` and go on with what was asked before. Forces are
/// for 70.4 kg and are scaled by mass, heights and speeds by the leg.
/// @param rise  its parameters
RiseOutcome fall_and_rise(const Walker& walker, const control::Parameters& rise,
                          const RiseCase& one, std::uint64_t seed);

}  // namespace promenade::trial
