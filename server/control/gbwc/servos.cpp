// Targets and gains of every joint. Source: Coros2010 §3.1, §3.2, §3.5.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/leg_ik.h"

namespace promenade::control {
namespace {

Vec3 in_link(const physics::LinkMotion& link, const Vec3& world) {
  return link.rotation.transpose() * world;
}

}  // namespace

void Gbwc::set_gains(physics::JointDrive& drive, int link, double strength) {
  const JointGains& gains = body_->gains[link];
  drive.kp = strength * gains.kp * gains.scale;
  drive.kd = strength * gains.kd * gains.scale;
  drive.limit = gains.limit * Vec3::Ones();
}

/// Servo of a ball joint towards an orientation of the link in the world that turns with `omega`.
void Gbwc::drive_to_world(const Frame& f, int link, const Quat& target, const Vec3& omega,
                          double strength) {
  const physics::LinkMotion& parent = f.links[body_->model->links[link].parent];
  physics::JointDrive& drive = f.drives[link];
  set_gains(drive, link, strength);
  drive.target = (Quat(parent.rotation).conjugate() * target).normalized();
  drive.target_velocity = in_link(f.links[link], omega - parent.omega);
}

void Gbwc::drive_trunk(const Frame& f) {
  // The head leads a turn, then the chest (§3.5).
  const double lead = std::clamp(wrap_angle(final_heading_ - heading_), -0.6, 0.6);
  struct Part3 {
    Part part;
    StyleJoint joint;
    double lean, lead;
  };
  static constexpr Part3 kParts[] = {{kLowerBack, StyleJoint::kLowerBack, 1.0, 0.3},
                                     {kTorso, StyleJoint::kUpperBack, 1.0, 0.5},
                                     {kHead, StyleJoint::kNeck, 0.4, 1.0}};
  for (const Part3& part : kParts) {
    const Quat target = f.heading * rotation_z(part.lead * lead + style_offset(part.joint, 2)) *
                        rotation_y(part.lean * style_->lean + style_offset(part.joint, 1)) *
                        rotation_x(style_offset(part.joint, 0));
    drive_to_world(f, body_->link[part.part], target, Vec3::Zero(), 1);
  }
}

void Gbwc::drive_arms(const Frame& f) {
  for (int side : {kLeft, kRight}) {
    const bool stance_side = side == stance_;
    const StyleJoint shoulder =
        stance_side ? StyleJoint::kStanceShoulder : StyleJoint::kSwingShoulder;
    const StyleJoint elbow = stance_side ? StyleJoint::kStanceElbow : StyleJoint::kSwingElbow;
    const double swing = standing_ ? 0 : style_->arm_swing;
    const int upper = body_->link[kLeftUpperArm + side], lower = body_->link[kLeftLowerArm + side];
    physics::JointDrive& drive = f.drives[upper];
    set_gains(drive, upper, 1);
    drive.target = rotation_z(style_offset(shoulder, 2)) *
                   rotation_x(0.08 * side_sign(side) + style_offset(shoulder, 0)) *
                   rotation_y(swing * style_offset(shoulder, 1));
    drive.target_velocity.setZero();
    physics::JointDrive& bend = f.drives[lower];
    set_gains(bend, lower, 1);
    bend.target_angle = Vec2(-0.2 + style_offset(elbow, 1), 0);
    bend.target_velocity.setZero();
  }
}

/// Servo of an ankle towards a pitch of the foot against the ground, level sideways.
void Gbwc::drive_foot(const Frame& f, int side, double pitch, double strength) {
  const int foot = body_->link[kLeftFoot + side], toes = body_->link[kLeftToes + side];
  const physics::LinkMotion& shank = f.links[body_->model->links[foot].parent];
  const double yaw = heading_of(Quat(f.links[foot].rotation));
  const Mat3 level = (rotation_z(yaw) * rotation_y(pitch)).toRotationMatrix();
  const Mat3 r = shank.rotation.transpose() * level;  // Ry(pitch) Rx(roll) as near as it goes
  physics::JointDrive& drive = f.drives[foot];
  set_gains(drive, foot, strength);
  drive.target_angle = Vec2(std::atan2(-r(1, 2), r(1, 1)), std::atan2(-r(2, 0), r(0, 0)));
  drive.target_velocity = Vec3(-shank.omega.dot(f.links[foot].rotation.col(0)),
                               -shank.omega.dot(shank.rotation.col(1)), 0);
  const bool stance_side = standing_ || side == stance_;
  physics::JointDrive& bend = f.drives[toes];
  set_gains(bend, toes, 1);
  bend.target_angle =
      Vec2(style_offset(stance_side ? StyleJoint::kStanceToe : StyleJoint::kSwingToe, 1), 0);
  bend.target_velocity.setZero();
}

void Gbwc::drive_swing_leg(const Frame& f) {
  const int side = 1 - stance_;
  const int thigh = body_->link[kLeftThigh + side], shank = body_->link[kLeftShank + side];
  const auto& links = body_->model->links;
  const double upper = (links[shank].at_parent - links[thigh].at_child).norm();
  const double lower =
      (links[body_->link[kLeftFoot + side]].at_parent - links[shank].at_child).norm();
  const double twist = -side_sign(side) * style_->twist;
  // The plane of the leg leads a turn by what is left of it in this step (§3.5).
  const double left = wrap_angle(final_heading_ - heading_);
  const double coming = std::clamp(left, -0.7, 0.7) * std::clamp((phase_ - 0.2) / 0.6, 0.0, 1.0);
  const Vec3 axis = rotation_z(f.yaw + coming) * Vec3::UnitY();

  goal_ = foot_goal(f);
  const double ahead = 0.01;
  const Vec3 now = swing_ankle_at(f, phase_, 0);
  const Vec3 next = swing_ankle_at(f, phase_ + ahead * f.phase_rate, ahead);
  const Vec3 hip = f.s.hip[side];
  const physics::LinkMotion& pelvis = f.links[0];
  const Vec3 hip_velocity = pelvis.velocity + pelvis.omega.cross(hip - pelvis.position);
  const LegAngles a = solve_leg(hip, now, upper, lower, axis, twist);
  const LegAngles b = solve_leg(hip + ahead * hip_velocity, next, upper, lower, axis, twist);
  const Vec3 omega = rotation_vector(Quat(Mat3(b.thigh * a.thigh.transpose()))) / ahead;

  const double start = p_->swing_strength_start();
  const double strength = start + (1 - start) * std::clamp((phase_ - 0.1) / 0.2, 0.0, 1.0);
  drive_to_world(f, thigh, Quat(a.thigh), omega, strength * p_->swing_hip_scale());
  physics::JointDrive& knee = f.drives[shank];
  set_gains(knee, shank, strength * p_->swing_hip_scale());
  knee.target_angle = Vec2(a.knee, 0);
  knee.target_velocity = Vec3((b.knee - a.knee) / ahead, 0, 0);
  // The toes keep clear of the ground whatever the style's ankle does.
  const Vec3 ankle = f.s.ankle[side];
  const double clearance = ankle.z() - f.terrain.height(ankle.x(), ankle.y()) -
                           body_->ankle_height[side] - 0.012 * length_scale_;
  const double steepest = std::clamp(clearance / foot_reach_[side].x(), -0.1, 0.6);
  drive_foot(f, side, std::min(style_offset(StyleJoint::kSwingAnkle, 1), steepest), strength);
  const Vec2 at = f.s.com.head<2>() + rotated(goal_, f.yaw);
  report_.foot_target << at, f.terrain.height(at.x(), at.y()) + body_->ankle_height[side];
}

void Gbwc::drive_stance_leg(const Frame& f, int side) {
  // Until the ground holds the foot, the thigh stays as it was about to land; hold_pelvis replaces
  // this.
  drive_to_world(f, body_->link[kLeftThigh + side], landing_thigh_, Vec3::Zero(),
                 p_->swing_hip_scale());
  const int shank = body_->link[kLeftShank + side];
  physics::JointDrive& knee = f.drives[shank];
  set_gains(knee, shank, p_->stance_knee_scale());
  const double curve = standing_ ? 0.08 : style_offset(StyleJoint::kStanceKnee, 1);
  double angle = std::max(0.0, style_->crouch + curve);
  if (!standing_) {
    // The knee that lands bent straightens over the step: at once it would throw the body up.
    const double left = std::max(0.0, 1 - phase_ / p_->straighten_phase());
    angle += std::max(0.0, knee_at_strike_ - angle) * left * left;
  }
  knee.target_angle = Vec2(angle, 0);
  knee.target_velocity.setZero();
  drive_foot(f, side, standing_ ? 0 : style_offset(StyleJoint::kStanceAnkle, 1),
             p_->stance_ankle_scale());
}

}  // namespace promenade::control
