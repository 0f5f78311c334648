// When somebody who stands sets out, and when a walk comes to rest. Source: Coros2010 §5.1.
#include "control/gbwc/standing.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/swing/push_off.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kOnToes = 0.3;  // of their length, that standing may lean out over the toes

constexpr double kLongestShift = 1.25;  // s, of the weight before a first step
constexpr double kCaughtLess = -0.04;   // m, by which they catch less than the feet reach
constexpr double kLevelFeet = 0.09;     // m, by which one foot may be ahead of the other for work
constexpr double kSlowForWork = 1.5;    // of the usual speed from which on it stands
constexpr double kUpright = 0.15;       // of the deepest stoop
constexpr double kStandsAlone = 0.5;    // of the weight, on the other foot
constexpr double kUneven = 0.015;       // m, between the grounds under the feet, for that
constexpr double kHangsFor = 0.1;       // s

/// Whether it is to set out.
bool wants_to_go(const Frame& f, const Goal& goal) {
  return !goal.stand || goal.velocity.norm() > kNoSpeed ||
         std::abs(wrap_angle(goal.heading - f.s.heading)) > 0.25;
}

}  // namespace

bool is_balanced(const Frame& f, double margin) {
  const Vec2 reach(capture_distance(f.velocity.x(), f.height),
                   capture_distance(f.velocity.y(), f.height));
  const Vec2 capture = f.in_heading(f.s.com) + reach;
  double front = -1e9, back = 1e9, left = -1e9, right = 1e9;
  for (int side : {kLeft, kRight}) {
    const Vec2 ankle = f.in_heading(f.s.ankle[side]);
    front = std::max(
        front, ankle.x() + std::lerp(ball_ahead(f, side), f.body.foot_reach[side].x(), kOnToes));
    back = std::min(back, ankle.x() - f.body.foot_reach[side].y());
    left = std::max(left, ankle.y() + f.body.foot_reach[side].z());
    right = std::min(right, ankle.y() - f.body.foot_reach[side].z());
  }
  return capture.x() < front + margin && capture.x() > back - margin &&
         capture.y() < left + margin && capture.y() > right - margin;
}

std::optional<int> sets_out(const Frame& f, const Goal& goal, double dt, StepState& step,
                            StandState& stand, IdleState& idle) {
  const bool upright = is_balanced(f, f.p.stand_margin_m() * f.body.length_scale);
  const Vec2 offset = f.in_heading(f.s.com - 0.5 * (f.s.ankle[0] + f.s.ankle[1]));
  const Vec2 apart = f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]);
  if (!upright) {
    // The first step is taken by the leg on the side to which the body falls.
    const double falling = offset.y() + capture_distance(f.velocity.y(), f.height);
    return falling > 0 ? kRight : kLeft;
  }
  // A foot that hangs in the air, as at first on a hillside, is set down by a step.
  const int lighter = f.load[kLeft] < f.load[kRight] ? kLeft : kRight;
  const bool hangs = f.load[lighter] <= 0 && f.load[1 - lighter] > kStandsAlone &&
                     std::abs(f.ground_at(f.s.ankle[kLeft]) - f.ground_at(f.s.ankle[kRight])) >
                         kUneven * f.body.length_scale;
  stand.hangs_clock = hangs ? stand.hangs_clock + dt : 0;
  if (stand.hangs_clock > kHangsFor * f.body.time_scale) {
    return 1 - lighter;
  }
  // Nobody sets out before coming up from a stoop.
  if (!wants_to_go(f, goal) || f.stoop.depth > kUpright) {
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
  if (toward > 0.4 * 0.5 * std::abs(apart.y()) ||
      stand.shift_clock > kLongestShift * f.body.time_scale)
    return step.stance;
  return std::nullopt;
}

bool comes_to_rest(const Frame& f, const Goal& goal) {
  // At foot-strike, slow and between the feet: stand.
  if (wants_to_go(f, goal) || f.step.clock > 0 || f.report.steps < 1) return false;
  if (f.course.velocity.norm() > kNoSpeed) return false;
  // Who stands for work has set the feet wide: they catch more, and the place should be kept.
  const bool works = goal.width > f.style->step_width;
  const double slow = f.p.stand_speed_mps() * f.body.time_scale * (works ? kSlowForWork : 1);
  const Vec2 apart = f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]);
  const double l = f.body.length_scale;
  return std::abs(f.velocity.x()) < slow && std::abs(f.velocity.y()) < (works ? 2 : 1.5) * slow &&
         std::abs(apart.x()) < (works ? kLevelFeet : 0.2) * l && apart.y() > 0.06 * l &&
         apart.y() < 0.35 * l && is_balanced(f, (works ? kCaughtLess : -0.01) * l);
}

}  // namespace promenade::control::gbwc
