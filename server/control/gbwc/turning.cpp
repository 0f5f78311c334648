// How headings are followed. Source: Coros2010 §3.5; braking before sharp turns is our addition.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kHipYields = 0.2;             // rad before the hip's limit: turning slows down
constexpr double kTurned = 0.2;                // rad left: a sharp turn counts as done
constexpr double kWidenIn = 0.3;               // s
constexpr double kNarrowIn = 1.2;              // s, about two steps
constexpr double kSlow = 0.2, kFast = 0.4;     // m/s forward: turns freely; does not turn sharply
constexpr double kApart = 0.5, kClose = 0.27;  // feet apart, of the step width: likewise
constexpr double kUntwistPhase = 0.5;          // of a step, for the swing leg to turn ahead
constexpr double kFootLeads = 0.5;             // rad, most that a foot lands turned ahead

}  // namespace

void Gbwc::follow_heading(const Frame& f, const Goal& goal, double dt) {
  course_.final_heading = goal.heading;
  const double left = wrap_angle(course_.final_heading - course_.heading);
  if (std::abs(left) > p_->turn_sharp_rad()) course_.sharp = true;
  if (std::abs(left) < kTurned) course_.sharp = false;
  const bool stepping = course_.sharp && !step_.standing;
  course_.sharpness = ramp(course_.sharpness, stepping ? 1 : 0,
                           dt / ((course_.sharp ? kWidenIn : kNarrowIn) * body_.time_scale));
  // The reference waits for a body that lags behind it, as after a push, and for the first step:
  // feet on the ground turn only by twisting the legs. A fast walker turns on a curve that its feet
  // can hold.
  const double lead = wrap_angle(course_.heading - f.s.heading);
  if (step_.standing || (std::abs(lead) >= 0.6 && lead * left >= 0)) return;
  const double speed = f.velocity_over_ground().norm();
  const double rate = std::min(p_->turn_rate() * turn_share() / body_.time_scale,
                               p_->turn_acceleration_mps2() / std::max(0.1, speed));
  // On smooth ground a foot that is turned against the body slips.
  const double grip = ground_.grip * ground_.grip;
  const double free = grip * hip_freedom(f, left) * (course_.sharp ? sharp_freedom(f) : 1);
  course_.heading = wrap_angle(ramp(0, left, rate * dt * free) + course_.heading);
}

/// Share, less than 1 for a style of long steps: the legs can turn only so far in one step.
double Gbwc::turn_share() const { return std::min(1.0, kUsualStepTime / style_->step_time); }

/// Share, 0 to 1, of the turn `left` (rad) that the stance hip still allows. The foot stays where
/// the ground holds it, and a hip that is twisted too far throws leg and pelvis round when the foot
/// is lifted. The rest of the turn waits for the next foot.
double Gbwc::hip_freedom(const Frame& f, double left) const {
  const double way = left < 0 ? -1 : 1;
  const bool inwards = way * side_sign(step_.stance) > 0;
  const double most = inwards ? p_->turn_hip_in_rad() : p_->turn_hip_out_rad();
  const Mat3& foot = f.links[body_.biped.link[kLeftFoot + step_.stance]].rotation;
  const double twist = way * wrap_angle(course_.heading - heading_of(Quat(foot)));
  return std::clamp((most - twist) / kHipYields, 0.0, 1.0);
}

/// Share, 0 to 1, of a sharp turn that is allowed now. If a foot lands turned and ahead of the
/// other, that other one is on the wrong side of its heel and can only swing through the leg that
/// stands. So the walk is braked first, and the heading turns only as far as the feet are still
/// beside each other, seen along it.
double Gbwc::sharp_freedom(const Frame& f) const {
  const double ahead = std::abs(rotated(f.velocity_over_ground(), -course_.heading).x());
  const Vec2 apart = rotated((f.s.ankle[kLeft] - f.s.ankle[kRight]).head<2>(), -course_.heading);
  const double width = p_->turn_sharp_width_m() * body_.length_scale;
  return (1 - ramp01(ahead, kSlow * body_.time_scale, kFast * body_.time_scale)) *
         ramp01(apart.y(), kClose * width, kApart * width);
}

/// Direction of the plane of the swing leg, rad: ahead of the heading by the rest of a turn (§3.5).
/// In sharp turns it starts from the direction in which the foot was lifted and changes over the
/// step: a leg that is untwisted at once throws pelvis and stance leg round the other way.
double Gbwc::swing_heading(const Frame& f, double phase) const {
  const double left =
      std::clamp(wrap_angle(course_.final_heading - course_.heading), -kFootLeads, kFootLeads);
  const double twisted = course_.sharpness > 0 ? std::max(0.0, 1 - phase / kUntwistPhase) : 0;
  return f.yaw + left * ramp01(phase, 0.2, 0.8) +
         wrap_angle(swing_.lift_heading - f.yaw) * twisted * twisted;
}

}  // namespace promenade::control
