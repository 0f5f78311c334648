#pragma once

#include <string>

#include "study/trial/rig/rollout.h"

namespace promenade::trial {

enum class Effort : int { kWalk, kPush, kStop };
inline constexpr Effort kEfforts[] = {Effort::kWalk, Effort::kPush, Effort::kStop};
/// "walk", "push", "stop"
const char* effort_name(Effort effort);

/// The greatest torque that a joint was driven with, about one axis, over what the body allows
/// there.
struct Exertion {
  bool up = false;
  double share = 0;   // of the body's limit
  std::string joint;  // the name of that joint
};

/// Walks at 1.2 m/s from standing, and then:
///   walk  goes on
///   push  at a random phase of the step is pushed with 600 N for 0.1 s in a random direction
///   stop  at a random phase of the step stops
/// All of it is measured, for about 12 s or until the fall.
Exertion exert(const Walker& walker, Effort effort, std::uint64_t seed);

}  // namespace promenade::trial
