// How quick and how wide steps are. Source: Coros2010 §3.5, §5.1; the rest is ours.
#include "control/gbwc/tempo.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/posture/duck.h"
#include "control/gbwc/posture/load.h"
#include "control/gbwc/steps/obstacles.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kCrouchWidth = 0.1;    // m/rad, of steps in sharp turns: bent knees take room
constexpr double kSlowest = 0.5;        // m/s, of a human: slower walks take no longer steps
constexpr double kIceStepTime = 0.8;    // on the smoothest ground, of the usual one
constexpr double kToStandTime = 0.75;   // of the usual
constexpr double kSharpStepTime = 0.8;  // in sharp turns, of the usual one

}  // namespace

double step_time_of(const Frame& f, const Goal& goal) {
  // Fast walking takes quicker steps: otherwise they would become longer than the legs reach.
  const double fast = std::max(0.0, f.course.velocity.norm() / f.body.time_scale - 0.8);
  double time = f.style->step_time * f.body.time_scale / (1 + f.p.brisk() * fast);
  // Steps become longer and quicker together.
  const double over_usual = std::max(kSlowest, f.course.velocity.norm() / f.body.time_scale) / 0.8;
  time *= std::pow(over_usual, -f.p.cadence_exponent());
  time *= std::lerp(1.0, kSharpStepTime, f.course.sharpness);
  time *= std::lerp(kIceStepTime, 1.0, ramp01(f.underfoot.grip, 0.2, 0.8));
  time *= obstacle_step_time(f) * duck_step_time(f) * loaded_step_time(f);
  // Quicker steps sway less: who is to stand for work comes to rest from them.
  if (goal.stand && goal.width > f.style->step_width && !f.step.standing) time *= kToStandTime;
  return time;
}

double step_width_of(const Frame& f, const Goal& goal) {
  const double widest =
      std::max(f.style->step_width, f.p.turn_sharp_width_m() + kCrouchWidth * knee_bend(f));
  const double asked =
      std::max(std::lerp(f.style->step_width, widest, f.course.sharpness), goal.width);
  const double width = std::max(asked * f.body.length_scale, f.body.clear_width);
  // On ice feet stand on nearly one line: what is beside the middle pushes them apart.
  return std::lerp(std::min(width, f.body.narrowest), width, ramp01(f.underfoot.grip, 0.2, 0.6));
}

}  // namespace promenade::control::gbwc
