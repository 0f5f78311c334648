// The path of the swing foot from where it lifted to its foothold. Source: Coros2010 §3.2, §3.5;
// how it clears the ground is ours.
#include "control/gbwc/swing/swing.h"

#include <algorithm>
#include <cmath>

#include "control/ahead/surface.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/ground/stumble.h"
#include "control/gbwc/style_now.h"
#include "control/gbwc/swing/clearance.h"
#include "control/gbwc/swing/foot_placement.h"
#include "control/stopping.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kAhead = 0.01;  // s, over which a velocity is taken

/// Share of where the swing began, in where the ankle is to be.
double lift_off_share(const Frame& f, double phase) {
  const double left = std::max(0.0, 1 - phase) / (1 - f.step.lift_phase);
  const double done = std::clamp(1 - left, 0.0, 1.0);
  const double smooth = 1 - done * done * (3 - 2 * done);
  return std::lerp(left * left, smooth, f.p.swing().smooth() * (1 - f.trouble));
}

}  // namespace

void go_on_swinging(const Frame& f, StepState& step, SwingState& swing) {
  step.lift_phase = std::min(step.phase, f.p.push_off().double_support());
  const double share = lift_off_share(f, step.phase);
  if (share < f.p.swing().keeps_path()) {
    step.lift_phase = std::min(step.phase, f.p.strike().latest_lift());
    return;
  }
  const Vec3 ankle = f.s.ankle[1 - step.stance];
  swing.lift_off = (f.in_heading(ankle - f.s.com) - (1 - share) * swing.goal) / share;
  swing.lift_height += (ankle.z() - swing_ankle_at(f, step.phase, 0).z()) / (share * share);
  // It moves on as it does.
  const Vec3 next = swing_ankle_at(f, step.phase + kAhead * f.phase_rate, kAhead);
  swing.taken_over.phase = step.phase;
  swing.taken_over.ankle =
      (f.s.ankle_velocity[1 - step.stance] - (next - ankle) / kAhead) / f.phase_rate;
}

Vec3 swing_ankle_at(const Frame& f, double phase, double ahead) {
  const double weight = lift_off_share(f, phase);
  const Vec2 from_com = weight * f.swing.lift_off + (1 - weight) * f.swing.goal;
  const Vec3 com = f.s.com + ahead * f.s.com_velocity;
  const Vec2 at = com.head<2>() + f.in_world(from_com);
  const Vec2 end = landing(f);
  const int swing = 1 - f.step.stance;
  const Vec3 now = f.s.ankle[swing];
  double ground = ground_on_way(f, now.head<2>(), at, end);
  // Across a hillside the upper edge of a level sole has to clear the ground, too.
  if (f.view.has_relief()) {
    const Vec2 edge = f.in_world(Vec2(0, f.body.foot_reach[swing].z()));
    const double beside = std::max(f.ground_at(Vec2(at + edge)), f.ground_at(Vec2(at - edge)));
    ground += std::max(0.0, beside - f.way_height(at));
  }
  const bool on_left = f.step.stance == kLeft;
  const double lower = soles_down(f);
  const auto height = [&](double at_phase) {
    return f.style->foot_height_at(at_phase, on_left) * f.body.length_scale - lower;
  };
  const double asked = height(phase);
  const double curve = std::lerp(
      asked, std::min(asked, f.p.sharp().height_m() * f.body.length_scale), f.course.sharpness);
  const double flat = f.body.biped.ankle_height[swing];
  const double start = f.swing.lift_height - flat - height(0);
  Vec3 out(at.x(), at.y(),
           ground + flat + curve + wary_height(f, phase) - wary_search(f, phase) +
               weight * weight * start);
  if (phase < 1) {
    const double whole = 1 - f.swing.taken_over.phase,
                 over = (phase - f.swing.taken_over.phase) / whole;
    out += whole * over * (1 - over) * (1 - over) * f.swing.taken_over.ankle;
  }
  return stubbed_ankle(f, phase, clearing_ankle(f, phase, ahead, out));
}

double ground_on_way(const Frame& f, const Vec2& now, const Vec2& at, const Vec2& end) {
  const ahead::PathGround ground = f.path();
  if (!f.view.has_relief()) return ground.height(at);
  // No foot is lifted over a wall: places count up to one. It is told from stairs by the place that
  // was looked at before it.
  double highest = ground.height(now), before = std::max(f.ground, highest);
  bool walled = false;
  const auto pass = [&](const Vec2& place) {
    const double height = ground.height(place);
    walled = walled || height - before > f.body.sight.wall.rise;
    if (walled) return;
    before = height;
    highest = std::max(highest, height);
  };
  const Vec2 toes = f.in_world(Vec2(
      f.body.foot_reach[1 - f.step.stance].x() + f.p.swing().toes_ahead_m() * f.body.length_scale,
      0));
  const double beyond = toes.dot(end - now);  // toes are not sent beyond where they land
  if (beyond > 0) {
    for (double share : {0.2, 0.4, 0.6, 0.8}) pass(now + share * (end - now));
  }
  pass(end);
  if (beyond > 0) {
    const double way = (end - now).norm();
    pass(now + std::min(1.0, toes.norm() / std::max(way, 1e-3)) * (end - now));
  }
  pass(at);
  return highest;
}

double swing_heading(const Frame& f, double phase) {
  const v1::GbwcTurning& p = f.p.turning();
  const double left = std::clamp(wrap_angle(f.course.final_heading - f.course.heading),
                                 -p.foot_leads_rad(), p.foot_leads_rad());
  const double twisted = f.course.sharpness > 0 ? std::max(0.0, 1 - phase / p.untwist_phase()) : 0;
  return f.yaw + left * ramp01(phase, p.leads_from(), p.leads_until()) +
         wrap_angle(f.swing.lift_heading - f.yaw) * twisted * twisted;
}

}  // namespace promenade::control::gbwc
