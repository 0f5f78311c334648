#include "study/trial/walk/pushes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kCalm = 2;    // s at the end without a step
constexpr double kTurnOn = 1;  // s for which a turn goes on after the push

/// Runs on while the heading asked for turns. @return whether it is still up
bool run_turning(Rollout& rollout, double rate, double seconds) {
  if (rate == 0) return rollout.run(seconds);
  const double end = rollout.time() + seconds - 0.5 * rollout.dt();
  while (rollout.time() < end) {
    rollout.goal.heading = wrap_angle(rollout.goal.heading + rate * rollout.dt());
    if (!rollout.step()) return false;
  }
  return true;
}

/// s until the push: straight on or standing, then turning.
struct Before {
  double straight = 0, turning = 0;
};

Before draw_before(const Walker& walker, const PushCase& push, std::uint64_t seed) {
  Random random = Random::stream(seed, 0x9054ULL);
  Before before;
  // A random time within two steps, so that the push comes at any phase on either foot.
  before.straight = (push.standing ? 2 : 5) + random.uniform(0, stride_time(walker));
  if (push.turn_rate != 0) before.turning = random.uniform(0.5, 2.5);
  return before;
}

/// @return whether it is still up
bool run_before(Rollout& rollout, const PushCase& push, const Before& before) {
  if (push.standing) {
    rollout.stop();
  } else {
    rollout.walk({push.speed, 0});
  }
  return rollout.run(before.straight) && run_turning(rollout, push.turn_rate, before.turning);
}

/// Pushes, and turns on if it turned. @return whether it is still up
bool run_push(Rollout& rollout, const PushCase& push) {
  const double from = push.turn_rate == 0 ? rollout.goal.heading
                                          : heading_of(rollout.physics().state().root.rotation);
  const Vec2 along = rotated({push.force, 0}, from + push.direction);
  rollout.push = Vec3(along.x(), along.y(), 0);
  if (push.part) rollout.push_link = rollout.biped().link[std::size_t(*push.part)];
  const bool up = run_turning(rollout, push.turn_rate, push.duration);
  rollout.push.setZero();
  return up && (push.turn_rate == 0 || run_turning(rollout, push.turn_rate, kTurnOn));
}

}  // namespace

PushOutcome push_once(const Walker& walker, const PushCase& push, std::uint64_t seed) {
  PushOutcome outcome;
  Rollout rollout(walker, seed);
  const Before until = draw_before(walker, push, seed);
  const double watch = push.standing ? push.watch : std::max(kJudged, push.watch);
  outcome.whole =
      until.straight + until.turning + push.duration + (push.turn_rate == 0 ? 0 : kTurnOn) + watch;
  const bool stood = run_before(rollout, push, until);
  outcome.seconds = rollout.time();
  if (!stood) return outcome;

  const double start = rollout.time();
  const std::uint64_t steps = rollout.report().steps;
  const Vec3 from = rollout.report().com;
  std::optional<GaitObserver> quality;
  if (push.look) {
    quality.emplace(rollout);
    rollout.observer = [&quality](const Rollout& r) { quality->observe(r); };
  }
  bool up = run_push(rollout, push);
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

Straying stray_after(const Walker& walker, const PushCase& push, std::uint64_t seed) {
  constexpr double kAfter = 3;    // s after the push
  constexpr double kLongest = 3;  // s, of a stride
  Straying out;
  Rollout rollout(walker, seed);
  if (!run_before(rollout, push, draw_before(walker, push, seed)) || !run_push(rollout, push) ||
      !rollout.run(kAfter)) {
    return out;
  }
  const Vec3 from = rollout.report().com;
  const double start = rollout.time(), phase = rollout.report().phase;
  const std::uint64_t steps = rollout.report().steps;
  // Two steps later at the same phase, or as soon as a third step has begun without it.
  const auto stride_is_over = [&] {
    const control::ControlReport& now = rollout.report();
    return (now.steps == steps + 2 && now.phase >= phase) || now.steps > steps + 2;
  };
  while (!stride_is_over() && rollout.time() < start + kLongest) {
    if (!rollout.step()) return out;
  }
  out.up = true;
  const Vec3 moved = rollout.report().com - from;
  out.speed = rotated(moved.head<2>(), -rollout.goal.heading).y() / (rollout.time() - start);
  return out;
}

}  // namespace promenade::trial
