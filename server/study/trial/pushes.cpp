#include "study/trial/pushes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kCalm = 2;  // s at the end without a step

}  // namespace

PushOutcome push_once(const Walker& walker, const PushCase& push, std::uint64_t seed) {
  PushOutcome outcome;
  Random random = Random::stream(seed, 0x9054ULL);
  Rollout rollout(walker, seed);
  if (push.standing) {
    rollout.stop();
  } else {
    rollout.walk({push.speed, 0});
  }
  // A random time within two steps, so that the push comes at any phase on either foot.
  const double period = stride_time(walker);
  const double before_push = (push.standing ? 2 : 5) + random.uniform(0, period);
  const double watch = push.standing ? push.watch : std::max(kJudged, push.watch);
  outcome.whole = before_push + push.duration + watch;
  const bool stood = rollout.run(before_push);
  outcome.seconds = rollout.time();
  if (!stood) return outcome;

  const double start = rollout.time();
  const std::uint64_t steps = rollout.report().steps;
  const Vec3 from = rollout.report().com;
  const Vec2 along = rotated({push.force, 0}, rollout.goal.heading + push.direction);
  rollout.push = Vec3(along.x(), along.y(), 0);
  std::optional<GaitObserver> quality;
  if (push.look) {
    quality.emplace(rollout);
    rollout.observer = [&quality](const Rollout& r) { quality->observe(r); };
  }
  bool up = rollout.run(push.duration);
  rollout.push.setZero();
  std::uint64_t before = 0;
  if (push.standing) {
    up = up && rollout.run(std::max(0.0, watch - kCalm));
    before = rollout.report().steps;
    up = up && rollout.run(std::min(watch, kCalm));
  } else if (up) {
    const Recovery end = run_and_judge(rollout, watch);
    up = end.up;
    outcome.recovered = end.recovered();
  }

  if (quality) outcome.quality = quality->result();
  outcome.up = up;
  outcome.seconds = rollout.time();
  outcome.survived = outcome.seconds - start;
  const Vec3 moved = rollout.report().com - from;
  outcome.drift = rotated(moved.head<2>(), -rollout.goal.heading).y();
  outcome.steps = rollout.report().steps - steps;
  if (push.standing) {
    outcome.quiet = up && rollout.report().standing && rollout.report().steps == before;
    outcome.recovered = outcome.quiet;
  }
  return outcome;
}

}  // namespace promenade::trial
