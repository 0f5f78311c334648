// What somebody does who stands for long: breathes, looks about, shifts the weight. Source:
// Coros2010 §5.1.
#include "control/gbwc/posture/idle.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kIdleAfter = 2;  // s of standing before the weight is shifted

constexpr double kLookAfter = 2.5;  // s of standing before somebody looks about
constexpr double kLookFor = 3.2;    // s, at one thing
constexpr double kLookTurn = 0.2;   // of that time, for the head to turn

constexpr double kBreath = 1.6;  // rad/s: a breath in four seconds

}  // namespace

double idle_shift(const Frame& f) {
  const double t = (f.idle.clock - kIdleAfter) / f.body.time_scale;
  if (t <= 0) return 0;
  const double grown = std::min(1.0, t / 4);
  return f.p.idle_shift() * grown * (0.65 * std::sin(0.55 * t) + 0.35 * std::sin(1.27 * t));
}

double idle_look(const Frame& f) {
  const double t = (f.idle.clock - kLookAfter) / (kLookFor * f.body.time_scale);
  if (t <= 0 || f.p.idle_look_deg() <= 0) return 0;
  const double person = 37 * f.learnt.step_com.x() + 91 * f.learnt.step_com.y();
  const auto thing = [&](double k) { return k < 1 ? 0 : std::sin(person + 12.9 * k * k); };
  const double k = std::floor(t), turned = std::min(1.0, (t - k) / kLookTurn);
  const double way = turned * turned * (3 - 2 * turned);
  return f.p.idle_look_deg() * kRadFromDeg * std::lerp(thing(k), thing(k + 1), way);
}

void breathe(const Frame& f, double dt, IdleState& idle) {
  idle.breath = wrap_angle(idle.breath + kBreath * dt / f.body.time_scale);
}

}  // namespace promenade::control::gbwc
