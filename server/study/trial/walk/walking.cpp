#include "study/trial/walk/walking.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::trial {

SteadyWalk walk_steadily(const Walker& walker, const Vec2& velocity, double seconds, double settle,
                         std::uint64_t seed, bool cycle) {
  SteadyWalk result;
  Rollout rollout(walker, seed);
  rollout.walk(velocity);
  if (rollout.run(settle)) {
    const Vec3 from = rollout.report().com;
    const double start = rollout.time();
    const std::uint64_t steps = rollout.report().steps;
    GaitObserver quality(rollout);
    GaitCycleObserver gait(rollout);
    rollout.observer = [&](const Rollout& r) {
      quality.observe(r);
      if (cycle) gait.observe(r);
      result.heading_error =
          std::max(result.heading_error, std::abs(wrap_angle(r.report().heading - r.goal.heading)));
    };
    const Recovery end = run_and_judge(rollout, std::max(kJudged, seconds - settle));
    result.up = end.up;
    result.recovered = end.recovered();
    const double elapsed = rollout.time() - start;
    if (elapsed > 0) {
      const Vec3 moved = rollout.report().com - from;
      result.velocity = rotated(moved.head<2>(), -rollout.goal.heading) / elapsed;
      const double asked = velocity.norm();
      result.made_way =
          asked == 0 || result.velocity.dot(velocity) / asked >= asked - kSpeedTolerance;
      const auto taken = double(rollout.report().steps - steps);
      result.step_time = taken > 0 ? elapsed / taken : 0;
    }
    result.quality = quality.result();
    result.gait = gait.result();
  }
  result.seconds = rollout.time();
  return result;
}

bool gets_past(const Walker& walker, double speed, double x, double seconds, std::uint64_t seed) {
  Rollout rollout(walker, seed);
  rollout.walk({speed, 0});
  return rollout.run(seconds) && rollout.report().com.x() > x;
}

}  // namespace promenade::trial
