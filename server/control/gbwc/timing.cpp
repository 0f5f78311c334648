// How far a walk is off its course, and when its steps end. Source: Coros2010 §3.1, §3.5.
#include "control/gbwc/timing.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/ground/stumble.h"
#include "control/gbwc/steps/given_steps.h"
#include "control/gbwc/steps/stairs.h"
#include "control/gbwc/swing/push_off.h"

namespace promenade::control::gbwc {
namespace {

/// Whether a foot that stands too far from the other ends the step.
bool lands_early(const Frame& f, int swing) {
  const v1::GbwcStrike& p = f.p.strike();
  if (f.step.phase <= p.early_phase() || f.trouble <= 0 || f.plan.is(StepKind::kOver)) return false;
  const Vec2 apart = f.in_heading(f.s.ankle[swing] - f.s.ankle[f.step.stance]);
  const double outward = side_sign(swing) * apart.y();
  const double toward = side_sign(swing) * f.velocity.y();
  const double l = f.body.length_scale, fast = p.early_mps() * f.body.time_scale;
  return (f.velocity.x() > fast && apart.x() > p.early_forward_m() * l) ||
         (f.velocity.x() < -fast && apart.x() < -p.early_backward_m() * l) ||
         (toward > fast && outward > p.early_outward_m() * l) ||
         (toward < -fast && outward < -p.early_inward_m() * l);
}

}  // namespace

double trouble_of(const Frame& f) {
  const v1::GbwcTrouble& p = f.p.trouble();
  if (f.step.standing) return 0;
  // The faster the walk, the more its speed changes over a regular step.
  const double fast =
      std::max(0.0, f.course.velocity.norm() / f.body.time_scale - f.p.trouble().brisk_mps());
  // So it does over a longer step.
  const double low = p.speed_mps() * f.body.time_scale * (1 + p.fast() * fast) *
                     (1 + p.long_steps() * (f.longer - 1));
  // Slowing down in mid-step and swaying are what the pendulum of a regular step does: no trouble.
  const double forward = std::abs(f.velocity.x() - f.pendulum.pace() * f.course.velocity.x());
  const double sideways = std::abs(f.velocity.y() - f.course.velocity.y() - sway(f).y());
  const double least_forward = p.forward() * low, least_sideways = p.sideways() * low;
  return std::max(ramp01(forward, least_forward, 2 * least_forward),
                  ramp01(sideways, least_sideways, 2 * least_sideways));
}

double sideways_share(const Frame& f) {
  return std::min(1.0,
                  std::abs(f.course.velocity.y()) / (f.p.course().aside_mps() * f.body.time_scale));
}

double unrest(const Frame& f) {
  return std::min(1.0, std::abs(wrap_angle(f.course.final_heading - f.course.heading)) /
                               f.p.trouble().unrest_rad() +
                           (f.course.velocity - f.report.mean_velocity).norm() /
                               (f.p.trouble().unrest_mps() * f.body.time_scale));
}

Vec2 sway(const Frame& f) {
  const double away = -side_sign(f.step.stance) * 0.5 * f.width / f.pendulum.end.cosh();
  return {away * f.pendulum.now.cosh(), away * f.omega * f.pendulum.now.sinh()};
}

double phase_rate_of(const Frame& f) {
  const v1::GbwcHurry& p = f.p.hurry();
  // The learnt end counts on course only: in a turn or a change of speed quicker steps are safer.
  const double end = std::lerp(f.step.usual_end, 1.0, f.unrest);
  const double regular = end / f.step_time;
  if (f.step.standing) return regular;
  const double growth = f.pendulum.growth();
  const double l = f.body.length_scale;
  const Vec2 capture = f.in_heading(f.s.com - f.s.ankle[f.step.stance]) + f.velocity / f.omega;
  const double out = side_sign(1 - f.step.stance);
  const double step_x = f.course.velocity.x() * f.step_time * growth / (growth - 1);
  const double step_y = out * f.course.velocity.y() * f.step_time * growth / (growth - 1) +
                        f.width * growth / (1 + growth);
  const double reach_x = std::abs(step_x) + f.longer * p.forward_m() * l;
  const double reach_y = std::max(p.least_reach_m() * l, step_y + f.longer * p.sideways_m() * l);
  const double to_go = std::max(0.05, end - f.step.phase);
  double left = to_go / regular;
  // `support` is how far the stance foot can move the centre of pressure towards that side, m.
  auto limit = [&](double xi, double reach, double support) {
    if (xi <= support) return;
    left = std::min(left, std::log(std::max(1.0, (reach - support) / (xi - support))) / f.omega);
  };
  const Vec3 foot = p.support() * f.body.foot_reach[f.step.stance];
  limit(capture.x(), reach_x + foot.x(), foot.x());
  limit(-capture.x(), reach_x + foot.y(), foot.y());
  limit(out * capture.y(), reach_y + foot.z(), foot.z());
  limit(-out * capture.y(), p.inward_m() * l + foot.z(), foot.z());
  if (f.plan.on_flight()) return stairs_rate(f, capture.x(), to_go, regular);
  if (f.plan.is(StepKind::kOver)) return rate_over(f, capture.x(), to_go, regular);
  const double rate = to_go / std::max(left, 1e-3);
  if (f.trouble <= 0) return std::clamp(rate, regular, p.most() * regular);
  // A foot that is far from where it is needed gets the time to go there.
  const Vec2 way = f.in_heading(f.s.ankle[1 - f.step.stance] - f.s.com) - f.swing.goal;
  const double needed =
      std::max(0.0, way.norm() - p.near_goal_m() * l) / (p.swing_speed_mps() * f.body.time_scale);
  const double slow = std::max(0.02, 1 - f.step.phase) / std::max(needed, 1e-3);
  return std::clamp(std::min(rate, slow), p.patience() * regular, p.most() * regular);
}

bool step_ends(const Frame& f) {
  const v1::GbwcStrike& p = f.p.strike();
  const int swing = 1 - f.step.stance;
  bool strike = f.step.phase >= 1 + p.overtime();
  // If the stance foot is in the air while the other one stands, the other becomes the stance foot.
  // Not while it pushes off: the leading foot may bounce once.
  if (!f.step.pushing && f.step.phase > p.swap_phase() &&
      f.load[f.step.stance] < p.swap_unloaded() && f.load[swing] > p.swap_loaded())
    strike = true;
  // A stubbed toe is no foot-strike: the ankle has to be down.
  const Vec3 ankle = f.s.ankle[swing];
  const double low = f.way_height(ankle.head<2>()) + f.body.biped.ankle_height[swing] +
                     p.height_m() * f.body.length_scale;
  if (f.step.phase > p.phase() && ankle.z() < low && f.load[swing] > p.load() &&
      (f.step.airborne || f.p.push_off().double_support() <= 0)) {
    strike = true;
  }
  if (f.step.phase > p.phase() && !f.step.pushing && !f.plan.crosses() && stands_early(f))
    strike = true;
  return strike || lands_early(f, swing);
}

void advance_phase(const Frame& f, double dt, StepState& step) {
  const v1::GbwcStrike& p = f.p.strike();
  // The step waits a little until the new stance foot takes the load from the other one.
  const bool waiting = step.phase < p.wait_until() &&
                       f.load[step.stance] < p.wait_load() * f.p.pelvis().full_load() &&
                       f.load[1 - step.stance] > p.wait_load() * f.p.pelvis().full_load();
  const bool held =
      straddles(f) && step.phase > f.p.push_off().held_from() * f.p.push_off().double_support();
  step.phase += dt * f.phase_rate * (held ? 0 : waiting ? p.wait_rate() : 1);
  step.clock += dt;
  if (!step.pushing && f.load[1 - step.stance] < p.airborne_load() * p.load()) step.airborne = true;
}

}  // namespace promenade::control::gbwc
