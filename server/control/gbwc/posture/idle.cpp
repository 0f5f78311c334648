// What somebody does who stands for long: breathes, looks about, shifts the weight. Source:
// Coros2010 §5.1.
#include "control/gbwc/posture/idle.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control::gbwc {

double idle_shift(const Frame& f) {
  const v1::GbwcIdle& p = f.p.idle();
  const double t = (f.idle.clock - p.shift_after_s()) / f.body.time_scale;
  if (t <= 0) return 0;
  const double grown = std::min(1.0, t / p.shift_grows_s());
  return p.shift() * grown *
         (p.slow_share() * std::sin(p.slow_rps() * t) +
          (1 - p.slow_share()) * std::sin(p.quick_rps() * t));
}

double idle_look(const Frame& f) {
  const v1::GbwcIdle& p = f.p.idle();
  const double t = (f.idle.clock - p.look_after_s()) / (p.look_for_s() * f.body.time_scale);
  if (t <= 0 || p.look_deg() <= 0) return 0;
  const double person = 37 * f.learnt.step_com.x() + 91 * f.learnt.step_com.y();
  const auto thing = [&](double k) { return k < 1 ? 0 : std::sin(person + 12.9 * k * k); };
  const double k = std::floor(t), turned = std::min(1.0, (t - k) / p.look_turn());
  const double way = turned * turned * (3 - 2 * turned);
  return p.look_deg() * kRadFromDeg * std::lerp(thing(k), thing(k + 1), way);
}

void breathe(const Frame& f, double dt, IdleState& idle) {
  idle.breath = wrap_angle(idle.breath + f.p.idle().breath_rps() * dt / f.body.time_scale);
}

}  // namespace promenade::control::gbwc
