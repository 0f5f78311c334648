#include "study/trial/walk/exertion.h"

#include <cmath>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {

const char* effort_name(Effort effort) {
  static constexpr const char* kNames[] = {"walk", "push", "stop"};
  return kNames[int(effort)];
}

Exertion exert(const Walker& walker, Effort effort, std::uint64_t seed) {
  constexpr double kSpeed = 1.2, kForce = 600, kPushed = 0.1;  // m/s, N, s
  constexpr double kBefore = 5, kAfter = 6;                    // s
  Exertion out;
  Random random = Random::stream(seed, 0xe0e2ULL);
  Rollout rollout(walker, seed);
  std::size_t hardest = 1;
  rollout.observer = [&](const Rollout& r) {
    for (std::size_t i = 1; i < r.drives().size(); ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const double torque = std::abs(r.drives()[i].applied[axis]);
        // The body's limit counts, not the drive's: a controller's own limits do not matter.
        const double limit = r.body().gains[i].limit[axis];
        if (torque <= out.share * limit) continue;
        out.share = torque / limit;
        hardest = i;
      }
    }
  };
  rollout.walk({kSpeed, 0});
  bool up = rollout.run(kBefore + random.uniform(0, stride_time(walker)));
  if (effort == Effort::kStop) rollout.stop();
  if (effort == Effort::kPush) {
    const double direction = random.uniform(-kPi, kPi);
    rollout.push = kForce * Vec3(std::cos(direction), std::sin(direction), 0);
    up = up && rollout.run(kPushed);
    rollout.push.setZero();
  }
  out.up = up && rollout.run(kAfter);
  out.joint = rollout.body().joint_names[hardest];
  return out;
}

}  // namespace promenade::trial
