#include "study/trial/walk/turning.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {

Turn turn(const Walker& walker, double speed, double angle, double tolerance, double watch,
          std::uint64_t seed) {
  Turn result;
  Random random = Random::stream(seed, 0x7a2aULL);
  Rollout rollout(walker, seed);
  rollout.walk({speed, 0});
  // A random time within two steps, so that the command comes at any phase on either foot.
  const double period = stride_time(walker);
  if (!rollout.run(5 + random.uniform(0, period))) return result;
  rollout.goal.heading = wrap_angle(rollout.goal.heading + angle);
  const double start = rollout.time();
  const auto head = std::size_t(rollout.biped().link[kHead]);
  struct Sample {
    double time, turned, lead;  // s, rad, rad to the left
  };
  std::vector<Sample> samples;
  double before = rollout.report().heading;
  rollout.observer = [&](const Rollout& r) {
    const double pelvis = r.report().heading;
    const double off = std::abs(wrap_angle(r.goal.heading - pelvis));
    if (off > tolerance) {
      result.settled = -1;
    } else if (result.settled < 0) {
      result.settled = r.time() - start;
    }
    const double turned = samples.empty() ? 0 : samples.back().turned;
    const double face = heading_of(Quat(r.physics().links()[head].rotation));
    samples.push_back({r.time(), turned + wrap_angle(pelvis - before), wrap_angle(face - pelvis)});
    before = pelvis;
  };
  result.up = rollout.run(watch);
  if (!result.up) result.settled = -1;
  if (samples.empty()) return result;

  // A turn about may go to either side. The first time at each share counts, as the sway of steps
  // takes the pelvis back and forth over it.
  const double whole = std::abs(angle), way = samples.back().turned < 0 ? -1 : 1;
  const auto reached = [&](double share) {
    return std::find_if(samples.begin(), samples.end(),
                        [&](const Sample& one) { return way * one.turned > share * whole; });
  };
  const auto began = reached(0.1), ended = reached(0.9);
  if (ended == samples.end() || ended <= began) return result;
  result.rate = 0.8 * whole / (ended->time - began->time);
  for (auto one = samples.begin(); one != ended; ++one) result.head_lead += way * one->lead;
  result.head_lead /= double(ended - samples.begin());
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
    rollout.goal.heading = wrap_angle(rollout.goal.heading + angle);
    result.up = rollout.run(kEvery);
  }
  result.quality = quality.result();
  return result;
}

}  // namespace promenade::trial
