#include "study/trial/walk/standing.h"

#include <algorithm>
#include <cmath>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {

StopAndStart stop_and_start(const Walker& walker, double speed, int rounds, double stop,
                            double stand, std::uint64_t seed) {
  constexpr double kWalk = 6;  // s
  StopAndStart result;
  Random random = Random::stream(seed, 0x5709ULL);
  Rollout rollout(walker, seed);
  // Walks `seconds` and notes how long it took to get to half the speed.
  const auto walk = [&](double seconds) {
    rollout.walk({speed, 0});
    const double start = rollout.time();
    bool going = false;
    rollout.observer = [&](const Rollout& r) {
      if (going) return;
      const Vec2 v = rotated(r.report().com_velocity.head<2>(), -r.goal.heading);
      going = v.x() > 0.5 * speed;
      if (going) result.slowest_start = std::max(result.slowest_start, r.time() - start);
    };
    const bool up = rollout.run(seconds);
    rollout.observer = {};
    return up && going;
  };
  const double period = stride_time(walker);
  for (int round = 0; round < rounds; ++round) {
    if (!walk(kWalk + random.uniform(0, period))) return result;
    rollout.stop();
    const double start = rollout.time();
    double standing_since = -1;
    rollout.observer = [&](const Rollout& r) {
      if (!r.report().standing) {
        standing_since = -1;
      } else if (standing_since < 0) {
        standing_since = r.time() - start;
      }
    };
    if (!rollout.run(stop)) return result;
    const bool stopped = standing_since >= 0;
    if (stopped) result.slowest_stop = std::max(result.slowest_stop, standing_since);
    const std::uint64_t steps = rollout.report().steps;
    rollout.observer = {};
    if (!rollout.run(stand)) return result;
    const auto taken = static_cast<int>(rollout.report().steps - steps);
    result.steps_standing += taken;
    if (stopped && taken == 0 && rollout.report().standing) ++result.rounds;
  }
  // The last time of standing must end in a walk, too.
  result.up = walk(kWalk);
  return result;
}

Recovery stop_once(const Walker& walker, double speed, double watch, std::uint64_t seed) {
  constexpr double kWalk = 6;  // s
  Random random = Random::stream(seed, 0x570eULL);
  Rollout rollout(walker, seed);
  rollout.walk({speed, 0});
  if (!rollout.run(kWalk + random.uniform(0, stride_time(walker)))) return {};
  rollout.stop();
  return run_and_judge(rollout, watch);
}

}  // namespace promenade::trial
