// What going up and going down stairs share: when a step onto a tread ends, and when the trailing
// foot lifts. Source: not in Coros2010.
#include "control/gbwc/steps/stairs.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/posture/load.h"
#include "control/gbwc/steps/climb.h"
#include "control/gbwc/steps/given_steps.h"

namespace promenade::control::gbwc {

bool on_stairs(const Frame& f) { return f.step.descended > 0 || climbs_by(f) > 0; }

double beyond_tread(const Frame& f) {
  const double up = f.p.up().ends_m() + f.p.up().ends_loaded_m() * (heavier(f) - 1);
  return (f.plan.is(StepKind::kUp) ? up : f.p.down().ends_m()) * f.body.length_scale;
}

double stairs_rate(const Frame& f, double capture, double to_go, double regular) {
  constexpr double kLongAfter = 10, kAtOnce = 1e-3;  // s
  const bool up = f.plan.is(StepKind::kUp);
  const double end = given_capture(f);
  const double left = capture > 0
                          ? std::min(kLongAfter, std::log(std::max(1.0, end / capture)) / f.omega)
                          : kLongAfter;
  return std::clamp(to_go / std::max(left, kAtOnce),
                    (up ? f.p.up().slowest() : f.p.down().slowest()) * regular,
                    f.p.stairs().fastest() * regular);
}

bool stairs_ready(const Frame& f) {
  const Vec2 capture = f.in_heading(f.s.com - f.s.ankle[f.step.stance]) + f.velocity / f.omega;
  const double ready =
      (f.step.descended > 0 ? f.p.down().ready_m() : f.p.up().ready_m()) * f.body.length_scale;
  const double lacks = std::max(0.0, ready - capture.x());
  const double aside = side_sign(f.step.stance) * capture.y();
  return lacks <= 0 || aside > f.p.stairs().aside_ready_m() * f.body.length_scale +
                                   f.p.stairs().aside_more() * lacks;
}

}  // namespace promenade::control::gbwc
