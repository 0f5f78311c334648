#include "study/trial/walk/obedience.h"

#include <cmath>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {

const char* order_name(Order order) {
  static constexpr const char* kNames[kOrders] = {"walk", "faster", "back", "turn", "stop"};
  return kNames[int(order)];
}

Obedience obey(const Walker& walker, Order order, std::uint64_t seed) {
  constexpr double kBefore = 6, kTakeUp = 4, kWatch = 6, kCalm = 2;  // s
  Obedience out;
  Random random = Random::stream(seed, 0x0be7ULL);
  Rollout rollout(walker, seed);
  const double speed = fitting_speed(walker);
  rollout.walk({speed, 0});
  const double period = stride_time(walker);
  bool up = rollout.run(kBefore + random.uniform(0, period));
  if (order == Order::kFaster) rollout.walk({1.4 * speed, 0});
  if (order == Order::kBack) rollout.walk({-0.4 * speed, 0});
  if (order == Order::kStop) rollout.stop();
  if (order == Order::kTurn) {
    const double angle = random.chance(0.5) ? kPi / 2 : -kPi / 2;
    rollout.goal.heading = wrap_angle(rollout.goal.heading + angle);
  }
  up = up && rollout.run(kTakeUp);
  const Vec3 from = rollout.report().com;
  up = up && rollout.run(kWatch - kCalm);
  const std::uint64_t steps = rollout.report().steps;
  up = up && rollout.run(kCalm);
  out.up = up;
  out.seconds = rollout.time();
  if (!up) return out;
  const control::ControlReport& r = rollout.report();
  const double got = rotated((r.com - from).head<2>(), -rollout.goal.heading).x() / kWatch;
  const double off = std::abs(wrap_angle(r.heading - rollout.goal.heading));
  switch (order) {
    case Order::kWalk:
      out.obeyed = got > 0.5 * speed;
      break;
    case Order::kFaster:
      out.obeyed = got > 1.2 * speed;
      break;
    case Order::kBack:
      out.obeyed = got < -0.2 * speed;
      break;
    case Order::kTurn:
      out.obeyed = off < 15 * kRadFromDeg;
      break;
    case Order::kStop:
      out.obeyed = r.standing && r.steps == steps;
      break;
  }
  return out;
}

}  // namespace promenade::trial
