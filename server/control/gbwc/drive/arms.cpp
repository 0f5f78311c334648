// Arms: they swing, or their hands go where they are told and hold what they grip there. Source:
// Coros2010 §5.4.
#include "control/gbwc/drive/arms.h"

#include <algorithm>
#include <cmath>

#include "control/arm_ik.h"
#include "control/gbwc/drive/servos.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/posture/duck.h"
#include "control/gbwc/style_now.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kArmAhead = 0.01;  // s, over which an arm's speed is taken

struct ArmPitch {
  double shoulder, elbow;  // rad
};

/// Angles of an arm by the style, `ahead` seconds from now plus the time by which the arm lags.
ArmPitch arm_pitch(const Frame& f, int side, double ahead) {
  double phase = f.step.phase;
  int stance = f.step.stance;
  if (!f.step.standing) {
    phase += (ahead + f.p.arms().lead_s() * f.body.time_scale) * f.phase_rate;
    if (phase > f.step.usual_end) {  // in the next step
      phase -= f.step.usual_end;
      stance = 1 - stance;
    }
  }
  const auto curve = [&](StyleJoint joint) {
    return f.style->offset(joint, 1, phase, f.course.velocity.x(), stance == kLeft);
  };
  if (side == stance) {
    return {curve(StyleJoint::kStanceShoulder), curve(StyleJoint::kStanceElbow)};
  }
  return {curve(StyleJoint::kSwingShoulder), curve(StyleJoint::kSwingElbow)};
}

void swing_arm(const Frame& f, int side) {
  const StyleJoint shoulder =
      side == f.step.stance ? StyleJoint::kStanceShoulder : StyleJoint::kSwingShoulder;
  const double swing = f.step.standing ? 0 : f.style->arm_swing;
  const double middle = 0.5 * kPoseTime;  // the target is that of the middle of its validity
  const ArmPitch now = arm_pitch(f, side, middle), next = arm_pitch(f, side, middle + kArmAhead);
  const int upper = f.body.biped.link[kLeftUpperArm + side],
            lower = f.body.biped.link[kLeftLowerArm + side];
  physics::JointDrive& drive = f.drives[upper];
  set_gains(f, drive, upper, 1);
  // From a bent trunk arms hang down.
  const double bent = f.body.stoops->pose(f.stoop.depth).chest + duck_pitch(f, kTorso);
  drive.target =
      rotation_y(-bent) * rotation_z(style_offset(f, shoulder, 2)) *
      rotation_x(f.p.arms().hang_rad() * side_sign(side) + style_offset(f, shoulder, 0)) *
      rotation_y(swing * now.shoulder);
  // The servo is soft and well damped: it follows the swing only with the swing's speed as
  // target.
  drive.target_velocity = Vec3(0, swing * (next.shoulder - now.shoulder) / kArmAhead, 0);
  physics::JointDrive& bend = f.drives[lower];
  set_gains(f, bend, lower, 1);
  bend.target_angle = Vec2(-f.p.arms().elbow_rad() + now.elbow, 0);
  bend.target_velocity = Vec3((next.elbow - now.elbow) / kArmAhead, 0, 0);
}

/// Middle of the shoulders and its velocity, world.
void chest_motion(const Frame& f, Vec3* at, Vec3* velocity) {
  const Vec3 left = joint_position(f.state, f.body.biped.link[kLeftUpperArm]);
  const Vec3 right = joint_position(f.state, f.body.biped.link[kRightUpperArm]);
  const physics::LinkMotion& torso = f.links[f.body.biped.link[kTorso]];
  *at = 0.5 * (left + right);
  *velocity = torso.velocity + torso.omega.cross(*at - torso.position);
}

/// Where a palm is to be, world, and with which velocity.
void hand_target(const Frame& f, int side, const HandGoal& hand, Vec3* at, Vec3* velocity) {
  if (hand.frame == HandGoal::Frame::kWorld) {
    *at = hand.at;
    *velocity = hand.velocity;
    return;
  }
  if (hand.frame == HandGoal::Frame::kHolds) {
    *at = palm(f, side);
    *velocity = hand.velocity;
    return;
  }
  chest_motion(f, at, velocity);
  *at += f.heading * hand.at;
  *velocity += f.heading * hand.velocity;
}

/// Servos of an arm whose palm has a place to be: inverse kinematics, soft servos that make up for
/// the weight. What is still missing in the end is made up for slowly.
void drive_hand(const Frame& f, int side, const HandGoal& hand, ArmsState& arms) {
  const v1::GbwcArms& p = f.p.arms();
  const int upper = f.body.biped.link[kLeftUpperArm + side],
            lower = f.body.biped.link[kLeftLowerArm + side];
  Vec3 target, velocity;
  hand_target(f, side, hand, &target, &velocity);
  const double l1 = f.body.biped.upper_arm[side], l2 = f.body.biped.forearm[side];
  const Vec3 shoulder = joint_position(f.state, upper);
  const Vec3 missing = target - palm(f, side);
  if (!hand.effort.isZero()) {
    // What is made up for by position would work against the force that the hand is to exert.
    arms.trim[side] *= std::exp(-p.trim_rate_ps() * kPoseTime);
  } else if (missing.norm() < p.trim_from_m() * f.body.length_scale &&
             (target - shoulder).norm() < l1 + l2) {
    const Vec3 in_heading = f.heading.conjugate() * missing;
    Vec3& trim = arms.trim[side];
    trim += p.trim_rate_ps() * kPoseTime * in_heading;
    const double most = p.most_trim_m() * f.body.length_scale;
    if (trim.norm() > most) trim *= most / trim.norm();
  }
  target += f.heading * arms.trim[side];
  const physics::LinkMotion& torso = f.links[f.body.biped.link[kTorso]];
  const Vec3 moves = torso.velocity + torso.omega.cross(shoulder - torso.position);
  // Elbows hang, and stay a little out and back; of arms that are raised they point ahead, as the
  // shoulder does not turn them back.
  const double raised =
      ramp01((target - shoulder).normalized().z(), p.raised_from(), p.raised_full());
  const Vec3 elbow_way = f.heading * Vec3(std::lerp(-p.elbow_back(), p.elbow_ahead(), raised),
                                          p.elbow_out() * side_sign(side), -p.elbow_down());
  const ArmAngles now = solve_arm(shoulder, target, l1, l2, elbow_way);
  const ArmAngles next =
      solve_arm(shoulder + kArmAhead * moves, target + kArmAhead * velocity, l1, l2, elbow_way);
  const Vec3 omega = rotation_vector(Quat(Mat3(next.upper * now.upper.transpose()))) / kArmAhead;
  const double own = physics::kGravity * f.branch[upper].mass;
  const double loaded = 1 + p.load_strength() * hand.effort.norm() / own;
  const double strength = p.strength() * hand.strength * loaded;
  drive_to_world(f, upper, Quat(now.upper), omega, strength);
  // The usual servo is well damped; a stiffer one needs less of it.
  const double damped = 1 / std::sqrt(std::max(1.0, strength));
  f.drives[upper].kd *= damped;
  physics::JointDrive& bend = f.drives[lower];
  set_gains(f, bend, lower, strength);
  bend.kd *= damped;
  bend.target_angle = Vec2(now.elbow, 0);
  bend.target_velocity = Vec3((next.elbow - now.elbow) / kArmAhead, 0, 0);
}

}  // namespace

void drive_arms(const Frame& f, const Goal& goal, ArmsState& arms) {
  for (int side : {kLeft, kRight}) {
    if (goal.hand[side].frame != HandGoal::Frame::kFree) {
      drive_hand(f, side, goal.hand[side], arms);
    } else {
      arms.trim[side].setZero();
      swing_arm(f, side);
    }
  }
}

Vec3 palm(const Frame& f, int side) {
  const physics::LinkMotion& lower = f.links[f.body.biped.link[kLeftLowerArm + side]];
  return lower.position + lower.rotation * f.body.biped.palm[side];
}

}  // namespace promenade::control::gbwc
