// What a walk learns from each step: how long steps last, and where feet have to land for the speed
// that is asked for. Source: Coros2010 §3.2.
#include "control/gbwc/learning.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/timing.h"

namespace promenade::control::gbwc {

void learn_from_step(const Frame& f, int next_stance, StepState& step, CourseState& course,
                     LearntState& learnt, ControlReport& report) {
  const v1::GbwcTiming& timing = f.p.timing();
  const v1::GbwcPlacement& placement = f.p.placement();
  const v1::GbwcTrouble& trouble = f.p.trouble();
  if (step.clock <= timing.learns_from() * f.step_time) return;
  const Vec3 moved = f.s.com - learnt.step_com;
  learnt.last_velocity = f.in_heading(moved) / step.clock;
  report.mean_velocity = 0.5 * (report.mean_velocity + learnt.last_velocity);
  report.step_time = step.clock;
  report.step_length = f.in_heading(f.s.ankle[next_stance] - f.s.ankle[1 - next_stance]).x();
  if (f.trouble < timing.learns_below()) {
    // Feet land a little before the curves have them land; the pace allows for it.
    step.usual_end = std::clamp(std::lerp(step.usual_end, step.phase, timing.end_learning()),
                                timing.earliest_end(), timing.latest_end());
    const double limit = placement.speed_feedback_limit_m() * f.body.length_scale;
    learnt.correction.x() =
        std::clamp(learnt.correction.x() + placement.speed_feedback() *
                                               (course.velocity.x() - report.mean_velocity.x()),
                   -limit, limit);
    // In steps of 0.7 s the sway hardly decays by itself, and a correction that follows it
    // quickly makes it grow. In walking sideways the trailing foot keeps clear of the other and
    // lands further out than the pendulum asks for, which has to be learnt quickly.
    const double learning =
        std::lerp(placement.straight_feedback(), placement.aside_feedback(), sideways_share(f));
    learnt.correction.y() = std::clamp(
        learnt.correction.y() + learning * (course.velocity.y() - report.mean_velocity.y()), -limit,
        limit);
  }
  // Who stumbles, with steps cut short, slows down to a brisk walk.
  const double cut = 1 - ramp01(step.clock / (step.usual_end * f.step_time), trouble.cut_short(),
                                trouble.not_cut());
  const double brisk = trouble.brisk_mps() * f.body.time_scale, speed = course.velocity.norm();
  if (speed > brisk) course.velocity *= std::lerp(1.0, brisk / speed, std::max(f.trouble, cut));
}

}  // namespace promenade::control::gbwc
