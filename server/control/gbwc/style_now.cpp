#include "control/gbwc/style_now.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kRateOver = 0.02;  // of a step, over which rates of the style's curves are taken

}  // namespace

double style_offset(const Frame& f, StyleJoint joint, int axis) {
  return f.style->offset(joint, axis, f.step.phase, f.course.velocity.x(), f.step.stance == kLeft);
}

double tiptoe_share(const Frame& f) {
  const Vec2 pull = (f.hands.hand_force[kLeft] + f.hands.hand_force[kRight]).head<2>();
  if (pull.norm() > f.p.load().hard_pull() * physics::kGravity * f.body.creature->total_mass)
    return 0;
  return f.style->foot_height_at(1, f.step.stance == kLeft) > 0 ? 1 - f.course.sharpness : 1;
}

double soles_down(const Frame& f) {
  const bool on_left = f.step.stance == kLeft;
  const double asked = f.style->foot_height_at(1, on_left) * f.body.length_scale;
  if (asked <= 0) return 0;
  const double down = tiptoe_share(f) * f.style->offset(StyleJoint::kSwingAnkle, 1, 1,
                                                        f.course.velocity.x(), on_left);
  return std::max(0.0,
                  asked - f.body.foot_reach[1 - f.step.stance].x() * std::sin(std::max(0.0, down)));
}

StyleMotion style_motion(const Frame& f, StyleJoint joint, int axis) {
  const auto at = [&](double phase) {
    return f.style->offset(joint, axis, phase, f.course.velocity.x(), f.step.stance == kLeft);
  };
  const double now = at(f.step.phase), share = f.p.servos().curve_rates();
  if (share <= 0) return {now, 0};
  return {now, share * f.phase_rate * (at(f.step.phase + kRateOver) - now) / kRateOver};
}

}  // namespace promenade::control::gbwc
