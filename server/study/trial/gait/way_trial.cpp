#include "study/trial/gait/way_trial.h"

#include <algorithm>
#include <cmath>

#include "behaviour/path_follower.h"
#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kTick = kRoomTick;                         // s
constexpr double kVelocityTime = 0.35, kHeadingTime = 0.2;  // s, as a room smooths for behaviours
constexpr double kPatience = 6;                             // times the way at its own speed

}  // namespace

FollowedWay follow_way(const GaitTrial& trial, std::shared_ptr<const control::posegraph::Gait> gait,
                       double near, double far, std::uint64_t seed) {
  Walker walker = trial.walker();
  const double speed = gait->speed();
  walker.gait = std::move(gait);
  Rollout rollout(walker, seed);
  Random random = Random::stream(seed, 0x3a7ULL);
  FollowedWay out;
  out.distance = random.uniform(near, far);
  out.direction = random.uniform(-kPi, kPi);
  const Vec2 start = rollout.physics().links()[0].position.head<2>();
  behaviour::Self self;
  self.heading = heading_of(rollout.physics().state().root.rotation);
  self.scale = walker.body->leg_scale();
  self.cruise_speed = rollout.manner().cruise_speed;
  const double direction = self.heading + out.direction;
  behaviour::PathFollower follower(
      {{start + out.distance * Vec2(std::cos(direction), std::sin(direction))}, false, 0});
  const double slow = std::sqrt(self.scale);
  const double patience = kPatience * out.distance / std::max(speed, 0.05);
  const int steps = int(std::lround(kTick / rollout.dt()));
  while (rollout.time() < patience && !follower.arrived()) {
    const auto& root = rollout.physics().links()[0];
    self.position = root.position.head<2>();
    self.velocity += (Vec2(root.velocity.head<2>()) - self.velocity) *
                     std::min(1.0, kTick / (kVelocityTime * slow));
    const double turned =
        wrap_angle(heading_of(rollout.physics().state().root.rotation) - self.heading);
    self.heading = wrap_angle(self.heading + turned * std::min(1.0, kTick / (kHeadingTime * slow)));
    rollout.goal = follower.update(self, {}, kTick);
    for (int i = 0; i < steps && !out.fell; ++i) out.fell = !rollout.step();
    if (out.fell) break;
  }
  out.reached = follower.arrived();
  out.seconds = rollout.time();
  return out;
}

}  // namespace promenade::trial
