// How quick and how wide steps are. Source: Coros2010 §3.5, §5.1; the rest is ours.
#include "control/gbwc/tempo.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/posture/duck.h"
#include "control/gbwc/posture/load.h"
#include "control/gbwc/steps/planning.h"

namespace promenade::control::gbwc {

double step_time_of(const Frame& f, const Goal& goal) {
  const v1::GbwcTiming& timing = f.p.timing();
  const v1::GbwcFriction& friction = f.p.friction();
  // Fast walking takes quicker steps: otherwise they would become longer than the legs reach.
  const double fast =
      std::max(0.0, f.course.velocity.norm() / f.body.time_scale - timing.usual_speed_mps());
  double time = f.style->step_time * f.body.time_scale / (1 + timing.brisk() * fast);
  // Steps become longer and quicker together.
  const double over_usual =
      std::max(timing.slowest_mps(), f.course.velocity.norm() / f.body.time_scale) /
      timing.usual_speed_mps();
  time *= std::pow(over_usual, -timing.cadence_exponent());
  time *= std::lerp(1.0, f.p.sharp().step_time(), f.course.sharpness);
  time *= std::lerp(friction.ice_step_time(), 1.0,
                    ramp01(f.underfoot.grip, friction.ice_grip(), friction.quick_grip()));
  time *= obstacle_step_time(f) * duck_step_time(f) * loaded_step_time(f);
  // Quicker steps sway less: who is to stand for work comes to rest from them.
  if (goal.stand && goal.width > f.style->step_width && !f.step.standing)
    time *= f.p.rest().work_step_time();
  return time;
}

double step_width_of(const Frame& f, const Goal& goal) {
  const v1::GbwcSharp& sharp = f.p.sharp();
  const v1::GbwcFriction& friction = f.p.friction();
  const double widest =
      std::max(f.style->step_width, sharp.width_m() + sharp.crouch_width_m() * knee_bend(f));
  const double asked =
      std::max(std::lerp(f.style->step_width, widest, f.course.sharpness), goal.width);
  const double width = std::max(asked * f.body.length_scale, f.body.clear_width);
  // On ice feet stand on nearly one line: what is beside the middle pushes them apart.
  return std::lerp(std::min(width, f.body.narrowest), width,
                   ramp01(f.underfoot.grip, friction.ice_grip(), friction.narrow_grip()));
}

}  // namespace promenade::control::gbwc
