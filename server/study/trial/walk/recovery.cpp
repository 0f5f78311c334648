#include "study/trial/walk/recovery.h"

#include <cassert>
#include <cmath>

#include "math/rotation.h"

namespace promenade::trial {

bool Recovery::recovered() const {
  return up && speed_error <= kSpeedTolerance && heading_error <= kHeadingTolerance;
}

Recovery run_and_judge(Rollout& rollout, double seconds) {
  constexpr double kLookEvery = 0.05;  // s, between two looks at the heading
  assert(seconds >= kJudged);
  Recovery out;
  if (!rollout.run(seconds - kJudged)) return out;
  const Vec3 from = rollout.report().com;
  const double start = rollout.time();
  // Errors of the heading are averaged with their sign, so that a sway about it cancels.
  double error = 0;
  int looks = 0;
  while (rollout.time() < start + kJudged - 0.5 * kLookEvery) {
    if (!rollout.run(kLookEvery)) return out;
    error += wrap_angle(rollout.report().heading - rollout.goal.heading);
    ++looks;
  }
  out.up = true;
  const Vec2 moved = (rollout.report().com - from).head<2>();
  const Vec2 mean = rotated(moved, -rollout.goal.heading) / (rollout.time() - start);
  const Vec2 asked = rollout.goal.stand ? Vec2::Zero().eval() : rollout.goal.velocity;
  out.speed_error = (mean - asked).norm();
  out.heading_error = std::abs(error / looks);
  return out;
}

}  // namespace promenade::trial
