// Ducking under what hangs above the way. Source: Coros2010 §5.4: the body bends as a linear
// function of the distance. Which joints share the bend is ours.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
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

/// How far the knees bend at the most, rad.
/// Law:    knee = kKnee min(1, (kShankLean / lean)^2), lean the angle (rad) of the shanks, forward,
///         in the deepest bend with knees bent by kKnee and the COM over the middle of the feet
/// The more of a body's mass is at its hips, the further the shanks lean, and the sooner the body
/// sits down behind its feet. The exponent is fitted.
double Gbwc::deepest_crouch() const {
  const StoopPose pose{kKnee, kPelvisPitch, kLowerBackPitch, kTorsoPitch, kHeadPitch};
  const double middle = 0.25 * (body_.foot_reach[kLeft].x() - body_.foot_reach[kLeft].y() +
                                body_.foot_reach[kRight].x() - body_.foot_reach[kRight].y());
  const double lean = shank_lean(*body_.creature, body_.biped, pose, middle);
  const double share = kShankLean / std::max(kShankLean, lean);
  return kKnee * share * share;
}

/// How much lower the head is in the greatest bend, m.
double Gbwc::duck_drop() const {
  const auto lower = [](double length, double angle) { return length * (1 - std::cos(angle)); };
  const double leg = 0.5 * (body_.biped.leg_length[0] + body_.biped.leg_length[1]);
  const double trunk = body_.stature - leg;
  const double all = kWaist + kBack + kChest + kCrown;
  return lower(leg, 0.5 * body_.deepest_knee) +
         trunk / all *
             (lower(kWaist, kPelvisPitch) + lower(kBack, kLowerBackPitch) +
              lower(kChest, kTorsoPitch) + lower(kCrown, kHeadPitch));
}

/// m over the soles: what hangs lower than that is a wall, either by the parameters or because the
/// body does not bend as far down.
double Gbwc::lowest_underside() const {
  const double bent = (1 + kSpare) * body_.stature - body_.duck_drop;
  return std::min(body_.stature, std::max(p_->duck_least() * body_.stature, bent));
}

/// Looks for what hangs lower than the body is high, and bends by its distance.
void Gbwc::watch_ceiling(const Frame& f) {
  duck_.amount = 0;
  if (!f.view.has_relief() || p_->duck_ahead_m() <= 0) return;
  const double l = body_.length_scale;
  const double lag = kLag * body_.time_scale * course_.velocity.x();
  const ahead::Way way{f.s.com.head<2>() + lag * f.ahead, f.ahead, body_.sight.head};
  const double before = p_->duck_ahead_m() * l;
  const bool backward = course_.velocity.x() < 0;
  const double tail = kTailBehind + (backward ? kBackward : 0);
  const double from = -(tail + (backward ? p_->duck_ahead_m() : kUpIn)) * l,
               to = kHeadAhead * l + before;
  const double most = body_.duck_drop;
  double needed = 0;
  const ahead::PathGround ground = path(f);
  const int points = int(std::ceil((to - from) / (kPoints * l)));
  for (int k = 0; k < points; ++k) {
    const double at = from + k * kPoints * l;
    const physics::Clearance free = ahead::headroom_at(ground, way, at);
    if (free.ceiling == physics::kAnyHeight) continue;
    const double lower = body_.stature + p_->duck_margin_m() * l - (free.ceiling - free.floor);
    const double near = at > 0 ? 1 - ramp01(at, kHeadAhead * l, kHeadAhead * l + before)
                               : ramp01(at, from, -tail * l);
    // A bend lowers the head by about its square.
    if (lower > 0) needed = std::max(needed, near * std::sqrt(std::min(1.0, lower / most)));
  }
  duck_.amount = needed;
}

/// Bends as far as is asked, where nothing above asks for more.
void Gbwc::bend(double wanted, double dt) {
  const double most = kBendRate / body_.time_scale * dt;
  duck_.asked += std::clamp(wanted - duck_.asked, -most, most);
  duck_.amount = std::max(duck_.amount, duck_.asked);
}

/// Pitch that ducking adds to a part of the trunk, rad, world. Over an obstacle it is the back
/// that bends: hips that are bent as well would not let the thigh come up. What is asked of the
/// back is beyond its range, so that its servo presses it to the stop; a target within the range
/// bends it less.
double Gbwc::duck_pitch(Part part) const {
  const bool over = over_ >= 0;
  switch (part) {
    case kPelvis:
      return (over ? kPelvisOver : 1) * kPelvisPitch * duck_.amount;
    case kLowerBack:
      return (over ? kLowerBackOver : 1) * kLowerBackPitch * duck_.amount;
    case kTorso:
      return (over ? kTorsoOver : 1) * kTorsoPitch * duck_.amount;
    default:
      return kHeadPitch * duck_.amount;
  }
}

/// Bend of the stance knee, rad. Who walks backward below something keeps the knees straighter:
/// deep in the knees one sits down. A bend that is asked for is taken as it is.
double Gbwc::crouch() const {
  const double backward = ramp01(-course_.velocity.x() / body_.time_scale, 0, kWalksBack);
  const double further = std::lerp(1.0, kKneeBackward, backward) * (duck_.amount - duck_.asked);
  return style_->crouch + body_.deepest_knee * (duck_.asked + further);
}

/// Who is bent sways less in quick steps. Share of the usual step time.
double Gbwc::duck_step_time() const {
  return std::lerp(1.0, over_ >= 0 ? kQuickOver : kQuickSteps, duck_.amount);
}

/// Share of its bend that the stance knee keeps while stepping over an obstacle. It straightens the
/// less the further the body is bent: with the trunk bent over straight legs the COM would be ahead
/// of the feet.
double Gbwc::knee_over() const {
  return trailing() ? std::lerp(kStraighterTrail, 1.0, kBentTrail * duck_.amount)
                    : std::lerp(kStraighterLead, 1.0, kBentLead * duck_.amount);
}

}  // namespace promenade::control
