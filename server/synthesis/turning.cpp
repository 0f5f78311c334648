#include "synthesis/turning.h"

#include <algorithm>
#include <cmath>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::synthesis {

Turn turn(const Walker& walker, double speed, double angle, double tolerance, double watch,
          std::uint64_t seed) {
  Turn result;
  Random random = Random::stream(seed, 0x7a2aULL);
  Rollout rollout(walker, seed);
  rollout.walk({speed, 0});
  // Two steps, so that either foot and any phase may carry the body when the command comes.
  const double period = stride_time(walker);
  if (!rollout.run(5 + random.uniform(0, period))) return result;
  rollout.intent.heading = wrap_angle(rollout.intent.heading + angle);
  const double start = rollout.time();
  const auto head = std::size_t(walker.body->link[kHead]);
  const double way = angle < 0 ? -1 : 1;
  double began = -1, ended = -1;  // s, a tenth and nine tenths of the turn done
  rollout.observer = [&](const Rollout& r) {
    const double pelvis = r.report().heading;
    const double off = std::abs(wrap_angle(r.intent.heading - pelvis));
    if (off > tolerance) {
      result.settled = -1;
    } else if (result.settled < 0) {
      result.settled = r.time() - start;
    }
    // Once: the sway of single steps brings it back.
    const double left = way * wrap_angle(r.intent.heading - pelvis);
    if (began < 0 && left < 0.9 * std::abs(angle)) began = r.time();
    if (ended < 0 && left < 0.1 * std::abs(angle)) ended = r.time();
    const double face = heading_of(Quat(r.physics().links()[head].rotation));
    result.head_lead = std::max(result.head_lead, way * wrap_angle(face - pelvis));
  };
  result.up = rollout.run(watch);
  if (!result.up) result.settled = -1;
  if (ended > began && began >= 0) result.rate = 0.8 * std::abs(angle) / (ended - began);
  return result;
}

SharpTurns turn_sharply(const Walker& walker, double speed, int turns, std::uint64_t seed) {
  constexpr double kEvery = 2.5;  // s
  SharpTurns result;
  Random random = Random::stream(seed, 0x54a2ULL);
  Rollout rollout(walker, seed);
  rollout.walk({speed, 0});
  if (!rollout.run(5)) return result;
  GaitObserver quality(rollout);
  rollout.observer = [&](const Rollout& r) { quality.observe(r); };
  result.up = true;
  for (int i = 0; i < turns && result.up; ++i) {
    const double angle = random.uniform(0.5 * kPi, kPi) * (random.chance(0.5) ? 1 : -1);
    rollout.intent.heading = wrap_angle(rollout.intent.heading + angle);
    result.up = rollout.run(kEvery);
  }
  result.quality = quality.result();
  return result;
}

}  // namespace promenade::synthesis
