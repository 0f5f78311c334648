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

constexpr double kBriskFrom = 1.25;   // m/s, of a human
constexpr double kFastTrouble = 1.5;  // 1/(m/s)
constexpr double kLongTrouble = 0.3;
constexpr double kAside = 0.1;  // m/s, sideways: from there on it is a walk aside

/// Whether a foot that stands too far from the other ends the step.
bool lands_early(const Frame& f, int swing) {
  if (f.step.phase <= f.p.early_phase() || f.trouble <= 0 || f.plan.over >= 0) return false;
  const Vec2 apart = f.in_heading(f.s.ankle[swing] - f.s.ankle[f.step.stance]);
  const double outward = side_sign(swing) * apart.y();
  const double toward = side_sign(swing) * f.velocity.y();
  const double l = f.body.length_scale, fast = 0.2 * f.body.time_scale;
  return (f.velocity.x() > fast && apart.x() > f.p.early_forward_m() * l) ||
         (f.velocity.x() < -fast && apart.x() < -f.p.early_backward_m() * l) ||
         (toward > fast && outward > f.p.early_outward_m() * l) ||
         (toward < -fast && outward < -f.p.early_inward_m() * l);
}

}  // namespace

double trouble_of(const Frame& f) {
  if (f.step.standing) return 0;
  // The faster the walk, the more its speed changes over a regular step.
  const double fast = std::max(0.0, f.course.velocity.norm() / f.body.time_scale - kBriskFrom);
  // So it does over a longer step.
  const double low = f.p.trouble_speed_mps() * f.body.time_scale * (1 + kFastTrouble * fast) *
                     (1 + kLongTrouble * (f.longer - 1));
  // Slowing down in mid-step and swaying are what the pendulum of a regular step does: no trouble.
  const double forward = std::abs(f.velocity.x() - f.pendulum.pace() * f.course.velocity.x());
  const double sideways = std::abs(f.velocity.y() - f.course.velocity.y() - sway(f).y());
  return std::max(ramp01(forward, 1.2 * low, 2.4 * low), ramp01(sideways, 0.8 * low, 1.6 * low));
}

double sideways_share(const Frame& f) {
  return std::min(1.0, std::abs(f.course.velocity.y()) / (kAside * f.body.time_scale));
}

double unrest(const Frame& f) {
  return std::min(
      1.0, std::abs(wrap_angle(f.course.final_heading - f.course.heading)) / 0.3 +
               (f.course.velocity - f.report.mean_velocity).norm() / (0.4 * f.body.time_scale));
}

Vec2 sway(const Frame& f) {
  const double away = -side_sign(f.step.stance) * 0.5 * f.width / f.pendulum.end.cosh();
  return {away * f.pendulum.now.cosh(), away * f.omega * f.pendulum.now.sinh()};
}

double phase_rate_of(const Frame& f) {
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
  const double reach_x = std::abs(step_x) + f.longer * f.p.hurry_forward_m() * l;
  const double reach_y = std::max(0.05 * l, step_y + f.longer * f.p.hurry_sideways_m() * l);
  const double to_go = std::max(0.05, end - f.step.phase);
  double left = to_go / regular;
  // `support` is how far the stance foot can move the centre of pressure towards that side, m.
  auto limit = [&](double xi, double reach, double support) {
    if (xi <= support) return;
    left = std::min(left, std::log(std::max(1.0, (reach - support) / (xi - support))) / f.omega);
  };
  const Vec3 foot = f.p.hurry_support() * f.body.foot_reach[f.step.stance];
  limit(capture.x(), reach_x + foot.x(), foot.x());
  limit(-capture.x(), reach_x + foot.y(), foot.y());
  limit(out * capture.y(), reach_y + foot.z(), foot.z());
  limit(-out * capture.y(), f.p.hurry_inward_m() * l + foot.z(), foot.z());
  if (f.plan.climb > 0 || f.plan.descend > 0) return stairs_rate(f, capture.x(), to_go, regular);
  if (f.plan.over >= 0) return rate_over(f, capture.x(), to_go, regular);
  const double rate = to_go / std::max(left, 1e-3);
  if (f.trouble <= 0) return std::clamp(rate, regular, f.p.hurry() * regular);
  // A foot that is far from where it is needed gets the time to go there.
  const Vec2 way = f.in_heading(f.s.ankle[1 - f.step.stance] - f.s.com) - f.swing.goal;
  const double needed =
      std::max(0.0, way.norm() - 0.05 * l) / (f.p.swing_speed_mps() * f.body.time_scale);
  const double slow = std::max(0.02, 1 - f.step.phase) / std::max(needed, 1e-3);
  return std::clamp(std::min(rate, slow), f.p.patience() * regular, f.p.hurry() * regular);
}

bool step_ends(const Frame& f) {
  const int swing = 1 - f.step.stance;
  bool strike = f.step.phase >= 1 + f.p.overtime();
  // If the stance foot is in the air while the other one stands, the other becomes the stance foot.
  // Not while it pushes off: the leading foot may bounce once.
  if (!f.step.pushing && f.step.phase > 0.15 && f.load[f.step.stance] < 0.01 && f.load[swing] > 0.2)
    strike = true;
  // A stubbed toe is no foot-strike: the ankle has to be down.
  const Vec3 ankle = f.s.ankle[swing];
  const double low = f.way_height(ankle.head<2>()) + f.body.biped.ankle_height[swing] +
                     0.025 * f.body.length_scale;
  if (f.step.phase > f.p.strike_phase() && ankle.z() < low && f.load[swing] > f.p.strike_load() &&
      (f.step.airborne || f.p.double_support() <= 0)) {
    strike = true;
  }
  if (f.step.phase > f.p.strike_phase() && !f.step.pushing && f.plan.over < 0 &&
      f.plan.climb <= 0 && f.plan.descend <= 0 && stands_early(f))
    strike = true;
  return strike || lands_early(f, swing);
}

void advance_phase(const Frame& f, double dt, StepState& step) {
  // The step waits a little until the new stance foot takes the load from the other one.
  const bool waiting = step.phase < 0.1 && f.load[step.stance] < 0.5 * f.p.full_load() &&
                       f.load[1 - step.stance] > 0.5 * f.p.full_load();
  const bool held = straddles(f) && step.phase > 0.5 * f.p.double_support();
  step.phase += dt * f.phase_rate * (held ? 0 : waiting ? 0.3 : 1);
  step.clock += dt;
  if (!step.pushing && f.load[1 - step.stance] < 0.5 * f.p.strike_load()) step.airborne = true;
}

}  // namespace promenade::control::gbwc
