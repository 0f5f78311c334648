// The motion of a stepper's mass and trunk: chapter 4 of Kenwright2014.
#include <algorithm>
#include <cmath>

#include "control/pendulum/step_law.h"
#include "control/pendulum/stepper.h"

namespace promenade::control::pendulum {
// @return  what the pivot's offset adds to the ground's force; world frame
Vec3 Stepper::turn_trunk(const Vec3& arm, const Vec3& leg_force, double dt) {
  const Vec2 arm_h = to_heading(flat(arm)), force_h = to_heading(flat(leg_force));
  const Vec3 cop(-arm_h.x(), -arm_h.y(), -arm.z()), leg(force_h.x(), force_h.y(), leg_force.z());
  const Vec3 pivot = trunk_.pivot(body_->trunk);
  const Vec2 offset = pivot_offset();
  const Vec3 before = force_to_pivot(cop, pivot, leg);
  const Vec3 force = force_to_pivot(cop, pivot + Vec3(offset.x(), offset.y(), 0), leg);
  trunk_.step(body_->trunk, cop, force, dt);
  const Vec2 more = to_world(flat(force - before));
  return {more.x(), more.y(), 0};
}

// eq. 4.6 and 4.7, in the heading frame.
Vec2 Stepper::pivot_offset() const {
  Vec2 offset = tuning_->pivot_speed * (aimed_velocity_ - mean_velocity_);
  const double next =
      phase_ == Phase::kSwing ? to_.z() : feet_[std::size_t(1 - stance_)].position.z();
  if (phase_ == Phase::kSwing || phase_ == Phase::kTransfer)
    offset.x() -= tuning_->pivot_slope * (next - feet_[std::size_t(stance_)].position.z());
  for (double& part : offset) part = std::clamp(part, -tuning_->pivot_limit, tuning_->pivot_limit);
  return offset;
}

void Stepper::move_mass(const Vec3& force, double dt) {
  const Vec3 arm = com_ - cop_;  // from the centre of pressure
  level_ += (cop_.z() - level_) * std::min(1.0, dt / tuning_->level_time);
  // The leg's length when the mass is above the foot, less the share of a stiff leg's arc.
  const double out = flat(arm).norm();
  const double stiff = std::sqrt(std::max(0.04, upright_ * upright_ - out * out));
  double aim = level_ + (1 - tuning_->arc) * upright_ + tuning_->arc * stiff;
  // No leg that stands, or is about to, is longer than it can be.
  for (int side = 0; side < 2; ++side) {
    const bool swings = phase_ == Phase::kSwing && side != stance_;
    if (swings && timed() < 0.5) continue;
    const Vec3& foot = swings ? to_ : feet_[std::size_t(side)].position;
    const double soon = swings ? duration_ - time_ : 0;
    const double far = flat(com_ + velocity_ * soon - foot).norm();
    const double longest = tuning_->leg_longest * body_->leg[std::size_t(side)];
    const double top = std::sqrt(std::max(0.1 * longest * longest, longest * longest - far * far));
    aim = std::min(aim, foot.z() + top);
  }
  constexpr double kDipTime = 0.08;  // s, in which a leg that gets too short is seen
  dip_ += (level_ + upright_ - aim - dip_) * std::min(1.0, dt / kDipTime);
  aim -= cop_.z();
  const double up = tuning_->leg_stiffness * (aim - arm.z()) - tuning_->leg_damping * velocity_.z();
  const double push = std::clamp(kGravity + up, 0.0, 3 * kGravity) * body_->mass;  // N, upwards
  Vec3 ground = arm * (push / std::max(0.2, arm.z()));
  if (parts_.elongated_body) ground += turn_trunk(arm, ground, dt);
  ground_force_ = ground;
  velocity_ += dt * ((ground + force) / body_->mass - Vec3(0, 0, kGravity));
  com_ += dt * velocity_;
}

}  // namespace promenade::control::pendulum
