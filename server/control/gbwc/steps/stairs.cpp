// What going up and going down stairs share: the last steps before a flight, when a step onto a
// tread ends, when the trailing foot lifts. Source: not in Coros2010.
#include "control/gbwc/steps/stairs.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/posture/load.h"
#include "control/gbwc/steps/climb.h"
#include "control/gbwc/steps/given_steps.h"

namespace promenade::control::gbwc {

bool on_stairs(const Frame& f) { return f.step.descended > 0 || climbs_by(f) > 0; }

bool board_between(const Frame& f, double from, double to) {
  const auto boards = f.features.of(FeatureKind::kBoard);
  for (int i = 0; i < boards.size(); ++i)
    if (boards[i].near > from && boards[i].near < to) return true;
  return false;
}

void approach_stairs(const Frame& f, double stop, double first, double longest, StepPlan& plan) {
  const double from = f.features.along(f.s.ankle[f.step.stance]), all = first - from;
  plan.limit = stop;
  const double steps = std::max(2.0, std::ceil(all / longest));
  if (steps > f.p.stairs().counted_steps()) return;
  plan.place = from + std::max(0.0, std::min(all / steps, (stop - from) / (steps - 1)));
  plan.given = plan.near_stairs = true;
  plan.speed = std::max(0.0, plan.place - from) / f.step_time;
}

double beyond_tread(const Frame& f) {
  const double up = f.p.up().ends_m() + f.p.up().ends_loaded_m() * (heavier(f) - 1);
  return (f.plan.climb > 0 ? up : f.p.down().ends_m()) * f.body.length_scale;
}

double stairs_rate(const Frame& f, double capture, double to_go, double regular) {
  constexpr double kLongAfter = 10, kAtOnce = 1e-3;  // s
  const bool up = f.plan.climb > 0;
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
