// When somebody who stands sets out, and when a walk comes to rest. Source: Coros2010 §5.1.
#include "control/gbwc/standing.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/swing/push_off.h"

namespace promenade::control::gbwc {
namespace {

/// Whether it is to set out.
bool wants_to_go(const Frame& f, const Goal& goal) {
  return !goal.stand || goal.velocity.norm() > kNoSpeed ||
         std::abs(wrap_angle(goal.heading - f.s.heading)) > f.p.standing().turn_rad();
}

}  // namespace

bool is_balanced(const Frame& f, double margin) {
  const Vec2 reach(capture_distance(f.velocity.x(), f.height),
                   capture_distance(f.velocity.y(), f.height));
  const Vec2 capture = f.in_heading(f.s.com) + reach;
  const double on_toes = f.p.standing().on_toes();
  double front = -1e9, back = 1e9, left = -1e9, right = 1e9;
  for (int side : {kLeft, kRight}) {
    const Vec2 ankle = f.in_heading(f.s.ankle[side]);
    front = std::max(
        front, ankle.x() + std::lerp(ball_ahead(f, side), f.body.foot_reach[side].x(), on_toes));
    back = std::min(back, ankle.x() - f.body.foot_reach[side].y());
    left = std::max(left, ankle.y() + f.body.foot_reach[side].z());
    right = std::min(right, ankle.y() - f.body.foot_reach[side].z());
  }
  return capture.x() < front + margin && capture.x() > back - margin &&
         capture.y() < left + margin && capture.y() > right - margin;
}

std::optional<int> sets_out(const Frame& f, const Goal& goal, double dt, StepState& step,
                            StandState& stand, IdleState& idle) {
  const v1::GbwcStanding& p = f.p.standing();
  const bool upright = is_balanced(f, p.margin_m() * f.body.length_scale);
  const Vec2 offset = f.in_heading(f.s.com - 0.5 * (f.s.ankle[0] + f.s.ankle[1]));
  const Vec2 apart = f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]);
  if (!upright) {
    // The first step is taken by the leg on the side to which the body falls.
    const double falling = offset.y() + capture_distance(f.velocity.y(), f.height);
    return falling > 0 ? kRight : kLeft;
  }
  // A foot that hangs in the air, as at first on a hillside, is set down by a step.
  const int lighter = f.load[kLeft] < f.load[kRight] ? kLeft : kRight;
  const bool hangs = f.load[lighter] <= 0 && f.load[1 - lighter] > p.stands_alone() &&
                     std::abs(f.ground_at(f.s.ankle[kLeft]) - f.ground_at(f.s.ankle[kRight])) >
                         p.uneven_m() * f.body.length_scale;
  stand.hangs_clock = hangs ? stand.hangs_clock + dt : 0;
  if (stand.hangs_clock > p.hangs_for_s() * f.body.time_scale) {
    return 1 - lighter;
  }
  // Nobody sets out before coming up from a stoop.
  if (!wants_to_go(f, goal) || f.stoop.depth > p.sets_out_below()) {
    stand.shifting = false;
    // Whose hands work does not idle.
    bool works = f.stoop.depth > 0 || f.mass > f.body.creature->total_mass;
    for (const HandGoal& hand : goal.hand) works = works || hand.frame != HandGoal::Frame::kFree;
    idle.clock = works ? 0 : idle.clock + dt;
    return std::nullopt;
  }
  idle.clock = 0;
  if (!stand.shifting) {
    stand.shifting = true;
    stand.shift_clock = 0;
    step.stance = offset.y() >= 0 ? kLeft : kRight;
  }
  stand.shift_clock += dt;
  const double toward = side_sign(step.stance) * offset.y();
  if (toward > p.shift_done() * 0.5 * std::abs(apart.y()) ||
      stand.shift_clock > p.longest_shift_s() * f.body.time_scale)
    return step.stance;
  return std::nullopt;
}

bool comes_to_rest(const Frame& f, const Goal& goal) {
  const v1::GbwcRest& p = f.p.rest();
  // At foot-strike, slow and between the feet: stand.
  if (wants_to_go(f, goal) || f.step.clock > 0 || f.report.steps < 1) return false;
  if (f.course.velocity.norm() > kNoSpeed) return false;
  // Who stands for work has set the feet wide: they catch more, and the place should be kept.
  const bool works = goal.width > f.style->step_width;
  const double slow = p.speed_mps() * f.body.time_scale * (works ? p.work_speed() : 1);
  const Vec2 apart = f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]);
  const double l = f.body.length_scale;
  return std::abs(f.velocity.x()) < slow &&
         std::abs(f.velocity.y()) < (works ? p.work_sideways() : p.sideways()) * slow &&
         std::abs(apart.x()) < (works ? p.work_apart_m() : p.apart_m()) * l &&
         apart.y() > p.narrowest_m() * l && apart.y() < p.widest_m() * l &&
         is_balanced(f, (works ? p.work_margin_m() : p.margin_m()) * l);
}

}  // namespace promenade::control::gbwc
