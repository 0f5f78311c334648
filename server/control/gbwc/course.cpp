// How velocities and headings that are asked for are followed. Source: Coros2010 §3.5; braking
// before sharp turns is our addition.
#include "control/gbwc/course.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/steps/planning.h"

namespace promenade::control::gbwc {
namespace {

/// Share, less than 1 for a style of long steps: the legs can turn only so far in one step.
double turn_share(const Frame& f) {
  return std::min(1.0, f.p.timing().usual_step_s() / f.style->step_time);
}

/// Share, 0 to 1, of the turn `left` (rad) that the stance hip still allows. The foot stays where
/// the ground holds it, and a hip that is twisted too far throws leg and pelvis round when the foot
/// is lifted. The rest of the turn waits for the next foot.
double hip_freedom(const Frame& f, double left) {
  const v1::GbwcTurning& p = f.p.turning();
  const double way = left < 0 ? -1 : 1;
  const bool inwards = way * side_sign(f.step.stance) > 0;
  const double most = inwards ? p.hip_in_rad() : p.hip_out_rad();
  const Mat3& foot = f.links[f.body.biped.link[kLeftFoot + f.step.stance]].rotation;
  const double twist = way * wrap_angle(f.course.heading - heading_of(Quat(foot)));
  return std::clamp((most - twist) / p.hip_yields_rad(), 0.0, 1.0);
}

/// Share, 0 to 1, of a sharp turn that is allowed now. If a foot lands turned and ahead of the
/// other, that other one is on the wrong side of its heel and can only swing through the leg that
/// stands. So the walk is braked first, and the heading turns only as far as the feet are still
/// beside each other, seen along it.
double sharp_freedom(const Frame& f) {
  const v1::GbwcSharp& p = f.p.sharp();
  const double ahead = std::abs(rotated(f.velocity_over_ground(), -f.course.heading).x());
  const Vec2 apart = rotated((f.s.ankle[kLeft] - f.s.ankle[kRight]).head<2>(), -f.course.heading);
  const double width = p.width_m() * f.body.length_scale;
  return (1 - ramp01(ahead, p.free_mps() * f.body.time_scale, p.held_mps() * f.body.time_scale)) *
         ramp01(apart.y(), p.close() * width, p.apart() * width);
}

}  // namespace

void follow_velocity(const Frame& f, const Goal& goal, double dt, CourseState& course) {
  const v1::GbwcTurning& turning = f.p.turning();
  const v1::GbwcCourse& limits = f.p.course();
  const double left = std::abs(wrap_angle(course.final_heading - course.heading));
  const double most = f.underfoot.stood_grip * limits.acceleration_mps2() * dt;
  // While the body lags behind the speed asked for no more is asked, and turns begin more slowly.
  Vec2 asked = goal.velocity * std::clamp(1 + turning.slow_free() - left / turning.slow_rad(),
                                          turning.slow_least(), 1.0);
  const double in_turn = f.p.sharp().speed_mps() * turn_share(f) * f.body.time_scale;
  if (course.sharp && asked.norm() > in_turn) asked *= in_turn / asked.norm();
  const double slack = limits.slack_mps() * f.body.time_scale;
  // Asked for more than it can, a walker gives its most.
  asked.x() = std::clamp(asked.x(), -limits.most_backward_mps() * f.body.time_scale,
                         limits.most_forward_mps() * f.body.time_scale);
  const double aside = limits.most_aside_mps() * f.body.time_scale;
  asked.y() = std::clamp(asked.y(), -aside, aside);
  // A safe speed below 0 is backward, the other way than was asked.
  if (asked.norm() > std::max(kNoSpeed, f.underfoot.safe_speed))
    asked *= f.underfoot.safe_speed / asked.norm();
  // A walker that turns on the spot too near to a wall steps back from it as well.
  if (!f.step.standing && f.underfoot.safe_speed < 0 && asked.norm() <= kNoSpeed)
    asked = Vec2(f.underfoot.safe_speed, 0);
  if (!f.step.standing) {
    const Vec2 mean = f.learnt.last_velocity;
    // A walker that is to stop or nears a wall brakes hard. Others need not: braked hard in a turn,
    // legs cross, on stairs and bad ground and after a push walkers stumble.
    const bool stopping =
        !f.view.has_relief() && asked.norm() < limits.nearly_stopped_mps() * f.body.time_scale;
    const bool walled = f.underfoot.wall_ahead < limits.wall_brake_m() * f.body.length_scale;
    const bool hard =
        (stopping || walled) && !course.sharp && left < limits.in_turn_rad() && f.fine_clock <= 0;
    const double brake = hard ? limits.brake_slack_mps() * f.body.time_scale : slack;
    for (int k : {0, 1}) {
      const double lowest = std::min(mean[k] - slack, std::max(mean[k] - brake, 0.0));
      const double highest = std::max(mean[k] + slack, std::min(mean[k] + brake, 0.0));
      asked[k] = std::clamp(asked[k], lowest, highest);
    }
  }
  if (!f.step.standing) asked.x() = speed_over(f, asked.x());
  const Vec2 change = asked - course.velocity;
  course.velocity += change.norm() > most ? Vec2(change * (most / change.norm())) : change;
}

void follow_heading(const Frame& f, const Goal& goal, double dt, CourseState& course) {
  const v1::GbwcSharp& sharp = f.p.sharp();
  const v1::GbwcTurning& turning = f.p.turning();
  course.final_heading = goal.heading;
  const double left = wrap_angle(course.final_heading - course.heading);
  if (std::abs(left) > sharp.from_rad()) course.sharp = true;
  if (std::abs(left) < sharp.done_rad()) course.sharp = false;
  const bool stepping = course.sharp && !f.step.standing;
  course.sharpness =
      ramp(course.sharpness, stepping ? 1 : 0,
           dt / ((course.sharp ? sharp.widen_in_s() : sharp.narrow_in_s()) * f.body.time_scale));
  // The reference waits for a body that lags behind it, as after a push, and for the first step:
  // feet on the ground turn only by twisting the legs. A fast walker turns on a curve that its feet
  // can hold.
  const double lead = wrap_angle(course.heading - f.s.heading);
  if (f.step.standing || (std::abs(lead) >= turning.most_lag_rad() && lead * left >= 0)) return;
  if (left == 0) {
    course.heading = wrap_angle(course.heading);
    return;
  }
  const double speed = f.velocity_over_ground().norm();
  const double rate = std::min(turning.rate_rps() * turn_share(f) / f.body.time_scale,
                               turning.acceleration_mps2() / std::max(0.1, speed));
  // On smooth ground a foot that is turned against the body slips.
  const double grip = f.underfoot.grip * f.underfoot.grip;
  const double free = grip * hip_freedom(f, left) * (course.sharp ? sharp_freedom(f) : 1);
  course.heading = wrap_angle(ramp(0, left, rate * dt * free) + course.heading);
}

}  // namespace promenade::control::gbwc
