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
  const double period = 2 * walker.style->step_time * std::sqrt(walker.body->leg_scale());
  if (!rollout.run(5 + random.uniform(0, period))) return result;
  rollout.intent.heading = wrap_angle(rollout.intent.heading + angle);
  const double start = rollout.time();
  const auto head = std::size_t(walker.body->link[kHead]);
  const double way = angle < 0 ? -1 : 1;
  rollout.observer = [&](const Rollout& r) {
    const double pelvis = r.report().heading;
    const double off = std::abs(wrap_angle(r.intent.heading - pelvis));
    if (off > tolerance) {
      result.settled = -1;
    } else if (result.settled < 0) {
      result.settled = r.time() - start;
    }
    const double face = heading_of(Quat(r.physics().links()[head].rotation));
    result.head_lead = std::max(result.head_lead, way * wrap_angle(face - pelvis));
  };
  result.up = rollout.run(watch);
  if (!result.up) result.settled = -1;
  return result;
}

}  // namespace promenade::synthesis
