#pragma once

#include "study/trial/rig/rollout.h"

namespace promenade::trial {

enum class Order : int { kWalk, kFaster, kBack, kTurn, kStop };
inline constexpr int kOrders = 5;
/// "walk", "faster", "back", "turn", "stop"
const char* order_name(Order order);

struct Obedience {
  bool up = false;      // has not fallen
  bool obeyed = false;  // and did what the order says
  double seconds = 0;   // until the end or the fall
};

/// Starts, walks for about 6 s at the speed that fits style and body, gets an order at a random
/// phase of the step, and is judged 10 s later:
///   walk    goes on; over the last 6 s at more than half of that speed
///   faster  to 1.4 of it; faster than 1.2 of it
///   back    to -0.4 of it; faster backward than 0.2 of it
///   turn    by 90 degrees to a side; within 15 degrees of it
///   stop    stands, without a step in the last 2 s
Obedience obey(const Walker& walker, Order order, std::uint64_t seed);

}  // namespace promenade::trial
