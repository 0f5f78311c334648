// Ducking under what hangs above the way. Source: Coros2010 §5.4: the body bends as a linear
// function of the distance. Which joints share the bend is ours.
#include "control/gbwc/posture/duck.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/steps/planning.h"

namespace promenade::control::gbwc {
namespace {

// Lengths over the leg's: pelvis and lower back up to the chest's joint, chest, head.
constexpr double kWaist = 0.12, kBack = 0.16, kChest = 0.34, kCrown = 0.3;

}  // namespace

double deepest_crouch(const WalkerBody& body, const GbwcParameters& parameters) {
  const v1::GbwcBend& p = parameters.bend();
  const StoopPose pose{p.knee_rad(), p.pelvis_rad(), p.lower_back_rad(), p.chest_rad(),
                       p.head_rad()};
  const double middle = 0.25 * (body.foot_reach[kLeft].x() - body.foot_reach[kLeft].y() +
                                body.foot_reach[kRight].x() - body.foot_reach[kRight].y());
  const double lean = shank_lean(*body.creature, body.biped, parameters, pose, middle);
  const double share = p.shank_lean_rad() / std::max(p.shank_lean_rad(), lean);
  return p.knee_rad() * share * share;
}

double duck_drop(const WalkerBody& body, const v1::GbwcBend& p) {
  const auto lower = [](double length, double angle) { return length * (1 - std::cos(angle)); };
  const double leg = 0.5 * (body.biped.leg_length[0] + body.biped.leg_length[1]);
  const double trunk = body.stature - leg;
  const double all = kWaist + kBack + kChest + kCrown;
  return lower(leg, 0.5 * body.deepest_knee) +
         trunk / all *
             (lower(kWaist, p.pelvis_rad()) + lower(kBack, p.lower_back_rad()) +
              lower(kChest, p.chest_rad()) + lower(kCrown, p.head_rad()));
}

double lowest_underside(const Frame& f) {
  const double bent = (1 + f.p.duck().spare()) * f.body.stature - f.body.duck_drop;
  return std::min(f.body.stature, std::max(f.p.duck().least() * f.body.stature, bent));
}

void watch_ceiling(const Frame& f, DuckState& duck) {
  const v1::GbwcDuck& p = f.p.duck();
  duck.amount = 0;
  if (!f.view.has_relief() || p.ahead_m() <= 0) return;
  const double l = f.body.length_scale;
  const double lag = p.lag_s() * f.body.time_scale * f.course.velocity.x();
  const ahead::Way way{f.s.com.head<2>() + lag * f.ahead, f.ahead, f.body.sight.head};
  const double before = p.ahead_m() * l;
  const bool backward = f.course.velocity.x() < 0;
  const double tail = p.tail_behind_m() + (backward ? p.backward_m() : 0);
  const double from = -(tail + (backward ? p.ahead_m() : p.up_in_m())) * l,
               to = p.head_ahead_m() * l + before;
  const double most = f.body.duck_drop;
  double needed = 0;
  const ahead::PathGround ground = f.path();
  const int points = int(std::ceil((to - from) / (f.p.sight().bar_spacing_m() * l)));
  for (int k = 0; k < points; ++k) {
    const double at = from + k * f.p.sight().bar_spacing_m() * l;
    const physics::Clearance free = ahead::headroom_at(ground, way, at);
    if (free.ceiling == physics::kAnyHeight) continue;
    const double lower = f.body.stature + p.margin_m() * l - (free.ceiling - free.floor);
    const double near = at > 0 ? 1 - ramp01(at, p.head_ahead_m() * l, p.head_ahead_m() * l + before)
                               : ramp01(at, from, -tail * l);
    // A bend lowers the head by about its square.
    if (lower > 0) needed = std::max(needed, near * std::sqrt(std::min(1.0, lower / most)));
  }
  duck.amount = needed;
}

void bend_as_asked(const Frame& f, double wanted, double dt, DuckState& duck) {
  const double most = f.p.duck().rate_ps() / f.body.time_scale * dt;
  duck.asked += std::clamp(wanted - duck.asked, -most, most);
  duck.amount = std::max(duck.amount, duck.asked);
}

double duck_pitch(const Frame& f, Part part) {
  const v1::GbwcBend& p = f.p.bend();
  const bool over = f.plan.is(StepKind::kOver);
  switch (part) {
    case kPelvis:
      return (over ? p.pelvis_over() : 1) * p.pelvis_rad() * f.duck.amount;
    case kLowerBack:
      return (over ? p.lower_back_over() : 1) * p.lower_back_rad() * f.duck.amount;
    case kTorso:
      return (over ? p.chest_over() : 1) * p.chest_rad() * f.duck.amount;
    default:
      return p.head_rad() * f.duck.amount;
  }
}

double knee_bend(const Frame& f) {
  const v1::GbwcBend& p = f.p.bend();
  const double backward = ramp01(-f.course.velocity.x() / f.body.time_scale, 0, p.backward_mps());
  const double further =
      std::lerp(1.0, p.knee_backward(), backward) * (f.duck.amount - f.duck.asked);
  return f.style->crouch + f.body.deepest_knee * (f.duck.asked + further);
}

double duck_step_time(const Frame& f) {
  return std::lerp(
      1.0, f.plan.is(StepKind::kOver) ? f.p.bend().step_time_over() : f.p.bend().step_time(),
      f.duck.amount);
}

double knee_over(const Frame& f) {
  const v1::GbwcBend& p = f.p.bend();
  return trailing(f) ? std::lerp(p.trail_knee(), 1.0, p.trail_bent() * f.duck.amount)
                     : std::lerp(p.lead_knee(), 1.0, p.lead_bent() * f.duck.amount);
}

}  // namespace promenade::control::gbwc
