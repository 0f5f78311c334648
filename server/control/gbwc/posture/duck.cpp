// Ducking under what hangs above the way. Source: Coros2010 §5.4: the body bends as a linear
// function of the distance. Which joints share the bend is ours.
#include "control/gbwc/posture/duck.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/steps/obstacles.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kPoints = 0.06;      // m, between places that are looked at
constexpr double kHeadAhead = 0.66;   // m: how far the head of a bent body is ahead of the COM
constexpr double kTailBehind = 0.17;  // m: and the back behind it
constexpr double kUpIn = 0.32;        // m behind that, over which one comes up again
constexpr double kBackward = 0.3;     // m, more behind, of who walks backward
constexpr double kBendRate = 0.4;     // 1/s, of a bend that is asked for
// Pitch of pelvis, lower back, torso and head, and the knee's bend, at the most, rad.
constexpr double kPelvisPitch = 0.75, kLowerBackPitch = 1.1, kTorsoPitch = 1.04, kHeadPitch = 1.5,
                 kKnee = 1.3;
// rad: bodies whose shanks lean further forward in the deepest bend bend their knees less. A
// human's lean by 0.36.
constexpr double kShankLean = 0.38;
constexpr double kKneeBackward = 0.45;  // of the knees' bend, walking backward
constexpr double kWalksBack = 0.2;      // m/s, from where on that holds in full
constexpr double kSpare = 0.05;         // of the stature, that stays free over the deepest bend
constexpr double kLag = 0.3;            // s, by which the body follows the bend
constexpr double kQuickSteps = 0.6;     // of the usual step time, in the greatest bend
constexpr double kQuickOver = 0.4;      // likewise, while stepping over something
// Of the pitch of pelvis, lower back and torso, while stepping over something.
constexpr double kPelvisOver = 0.2, kLowerBackOver = 1.22, kTorsoOver = 1.11;
// Of its bend, that the stance knee keeps while the leading foot steps over something, and the
// trailing one; and of what is straightened by that, that the greatest bend takes back.
constexpr double kStraighterLead = 0.3, kStraighterTrail = 0.415;
constexpr double kBentLead = 0.72, kBentTrail = 0.33;
// Lengths over the leg's: pelvis and lower back up to the chest's joint, chest, head.
constexpr double kWaist = 0.12, kBack = 0.16, kChest = 0.34, kCrown = 0.3;

}  // namespace

double deepest_crouch(const WalkerBody& body) {
  const StoopPose pose{kKnee, kPelvisPitch, kLowerBackPitch, kTorsoPitch, kHeadPitch};
  const double middle = 0.25 * (body.foot_reach[kLeft].x() - body.foot_reach[kLeft].y() +
                                body.foot_reach[kRight].x() - body.foot_reach[kRight].y());
  const double lean = shank_lean(*body.creature, body.biped, pose, middle);
  const double share = kShankLean / std::max(kShankLean, lean);
  return kKnee * share * share;
}

double duck_drop(const WalkerBody& body) {
  const auto lower = [](double length, double angle) { return length * (1 - std::cos(angle)); };
  const double leg = 0.5 * (body.biped.leg_length[0] + body.biped.leg_length[1]);
  const double trunk = body.stature - leg;
  const double all = kWaist + kBack + kChest + kCrown;
  return lower(leg, 0.5 * body.deepest_knee) +
         trunk / all *
             (lower(kWaist, kPelvisPitch) + lower(kBack, kLowerBackPitch) +
              lower(kChest, kTorsoPitch) + lower(kCrown, kHeadPitch));
}

double lowest_underside(const Frame& f) {
  const double bent = (1 + kSpare) * f.body.stature - f.body.duck_drop;
  return std::min(f.body.stature, std::max(f.p.duck_least() * f.body.stature, bent));
}

void watch_ceiling(const Frame& f, DuckState& duck) {
  duck.amount = 0;
  if (!f.view.has_relief() || f.p.duck_ahead_m() <= 0) return;
  const double l = f.body.length_scale;
  const double lag = kLag * f.body.time_scale * f.course.velocity.x();
  const ahead::Way way{f.s.com.head<2>() + lag * f.ahead, f.ahead, f.body.sight.head};
  const double before = f.p.duck_ahead_m() * l;
  const bool backward = f.course.velocity.x() < 0;
  const double tail = kTailBehind + (backward ? kBackward : 0);
  const double from = -(tail + (backward ? f.p.duck_ahead_m() : kUpIn)) * l,
               to = kHeadAhead * l + before;
  const double most = f.body.duck_drop;
  double needed = 0;
  const ahead::PathGround ground = f.path();
  const int points = int(std::ceil((to - from) / (kPoints * l)));
  for (int k = 0; k < points; ++k) {
    const double at = from + k * kPoints * l;
    const physics::Clearance free = ahead::headroom_at(ground, way, at);
    if (free.ceiling == physics::kAnyHeight) continue;
    const double lower = f.body.stature + f.p.duck_margin_m() * l - (free.ceiling - free.floor);
    const double near = at > 0 ? 1 - ramp01(at, kHeadAhead * l, kHeadAhead * l + before)
                               : ramp01(at, from, -tail * l);
    // A bend lowers the head by about its square.
    if (lower > 0) needed = std::max(needed, near * std::sqrt(std::min(1.0, lower / most)));
  }
  duck.amount = needed;
}

void bend_as_asked(const Frame& f, double wanted, double dt, DuckState& duck) {
  const double most = kBendRate / f.body.time_scale * dt;
  duck.asked += std::clamp(wanted - duck.asked, -most, most);
  duck.amount = std::max(duck.amount, duck.asked);
}

double duck_pitch(const Frame& f, Part part) {
  const bool over = f.plan.over >= 0;
  switch (part) {
    case kPelvis:
      return (over ? kPelvisOver : 1) * kPelvisPitch * f.duck.amount;
    case kLowerBack:
      return (over ? kLowerBackOver : 1) * kLowerBackPitch * f.duck.amount;
    case kTorso:
      return (over ? kTorsoOver : 1) * kTorsoPitch * f.duck.amount;
    default:
      return kHeadPitch * f.duck.amount;
  }
}

double knee_bend(const Frame& f) {
  const double backward = ramp01(-f.course.velocity.x() / f.body.time_scale, 0, kWalksBack);
  const double further = std::lerp(1.0, kKneeBackward, backward) * (f.duck.amount - f.duck.asked);
  return f.style->crouch + f.body.deepest_knee * (f.duck.asked + further);
}

double duck_step_time(const Frame& f) {
  return std::lerp(1.0, f.plan.over >= 0 ? kQuickOver : kQuickSteps, f.duck.amount);
}

double knee_over(const Frame& f) {
  return trailing(f) ? std::lerp(kStraighterTrail, 1.0, kBentTrail * f.duck.amount)
                     : std::lerp(kStraighterLead, 1.0, kBentLead * f.duck.amount);
}

}  // namespace promenade::control::gbwc
