// Arms: they swing, or their hands go where they are told and hold what they grip there; the body
// stoops for what is low. Source: Coros2010 §5.4.
#include <algorithm>
#include <cmath>

#include "control/arm_ik.h"
#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kArmAhead = 0.01;    // s, over which an arm's speed is taken
constexpr double kFullReach = 0.94;   // of the arm's length, from which on the body has to help
constexpr double kBentReach = 0.86;   // likewise, of hands that take a weight on the ground
constexpr double kStoopRate = 0.5;    // 1/s, at most
constexpr double kStoopEase = 0.15;   // s, in which that rate comes
constexpr double kStoopGain = 2;      // 1/s, for a stoop that is not yet as deep as it is to be
constexpr double kStraighten = 0.4;   // 1/s, at most
constexpr double kStoopedWalk = 0.6;  // of that, while it walks
constexpr double kStretchRate = 0.5;  // rad/s, at most
constexpr double kStretchGain = 3;    // 1/s, for the height that is missing
constexpr double kHighFrom = 0.8;     // of the arm over the shoulder, from where on it is high
constexpr double kStretchEnds = 0.6;  // 1/s, at which it ends
constexpr double kTrimRate = 2.5;   // 1/s, at which what a hand misses its place by is made up for
constexpr double kTrimFrom = 0.15;  // m, from the place
constexpr double kMostTrim = 0.08;  // m

}  // namespace

/// Angles of an arm by the style, `ahead` seconds from now plus the time by which the arm lags.
Gbwc::ArmPitch Gbwc::arm_pitch(const Frame& f, int side, double ahead) const {
  double phase = step_.phase;
  int stance = step_.stance;
  if (!step_.standing) {
    phase += (ahead + p_->arm_lead_s() * body_.time_scale) * f.phase_rate;
    if (phase > step_.usual_end) {  // in the next step
      phase -= step_.usual_end;
      stance = 1 - stance;
    }
  }
  const auto curve = [&](StyleJoint joint) {
    return style_->offset(joint, 1, phase, course_.velocity.x(), stance == kLeft);
  };
  if (side == stance) {
    return {curve(StyleJoint::kStanceShoulder), curve(StyleJoint::kStanceElbow)};
  }
  return {curve(StyleJoint::kSwingShoulder), curve(StyleJoint::kSwingElbow)};
}

void Gbwc::drive_arms(const Frame& f, const Goal& goal) {
  for (int side : {kLeft, kRight}) {
    if (goal.hand[side].frame != HandGoal::Frame::kFree) {
      drive_hand(f, side, goal.hand[side]);
    } else {
      arms_.trim[side].setZero();
      swing_arm(f, side);
    }
  }
}

void Gbwc::swing_arm(const Frame& f, int side) {
  const StyleJoint shoulder =
      side == step_.stance ? StyleJoint::kStanceShoulder : StyleJoint::kSwingShoulder;
  const double swing = step_.standing ? 0 : style_->arm_swing;
  const double middle = 0.5 * kPoseTime;  // the target is that of the middle of its validity
  const ArmPitch now = arm_pitch(f, side, middle), next = arm_pitch(f, side, middle + kArmAhead);
  const int upper = body_.biped.link[kLeftUpperArm + side],
            lower = body_.biped.link[kLeftLowerArm + side];
  physics::JointDrive& drive = f.drives[upper];
  set_gains(drive, upper, 1);
  // From a bent trunk arms hang down.
  const double bent = body_.stoops->pose(stoop_.depth).chest + duck_pitch(kTorso);
  drive.target = rotation_y(-bent) * rotation_z(style_offset(shoulder, 2)) *
                 rotation_x(0.08 * side_sign(side) + style_offset(shoulder, 0)) *
                 rotation_y(swing * now.shoulder);
  // The servo is soft and well damped: it follows the swing only with the swing's speed as
  // target.
  drive.target_velocity = Vec3(0, swing * (next.shoulder - now.shoulder) / kArmAhead, 0);
  physics::JointDrive& bend = f.drives[lower];
  set_gains(bend, lower, 1);
  bend.target_angle = Vec2(-0.2 + now.elbow, 0);
  bend.target_velocity = Vec3((next.elbow - now.elbow) / kArmAhead, 0, 0);
}

/// Middle of the shoulders and its velocity, world.
void Gbwc::chest(const Frame& f, Vec3* at, Vec3* velocity) const {
  const Vec3 left = joint_position(f.state, body_.biped.link[kLeftUpperArm]);
  const Vec3 right = joint_position(f.state, body_.biped.link[kRightUpperArm]);
  const physics::LinkMotion& torso = f.links[body_.biped.link[kTorso]];
  *at = 0.5 * (left + right);
  *velocity = torso.velocity + torso.omega.cross(*at - torso.position);
}

/// Where a palm is to be, world, and with which velocity.
void Gbwc::hand_target(const Frame& f, int side, const HandGoal& hand, Vec3* at,
                       Vec3* velocity) const {
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
  chest(f, at, velocity);
  *at += f.heading * hand.at;
  *velocity += f.heading * hand.velocity;
}

Vec3 Gbwc::palm(const Frame& f, int side) const {
  const physics::LinkMotion& lower = f.links[body_.biped.link[kLeftLowerArm + side]];
  return lower.position + lower.rotation * body_.biped.palm[side];
}

/// Servos of an arm whose palm has a place to be: inverse kinematics, soft servos that make up for
/// the weight. What is still missing in the end is made up for slowly.
void Gbwc::drive_hand(const Frame& f, int side, const HandGoal& hand) {
  const int upper = body_.biped.link[kLeftUpperArm + side],
            lower = body_.biped.link[kLeftLowerArm + side];
  Vec3 target, velocity;
  hand_target(f, side, hand, &target, &velocity);
  const double l1 = body_.biped.upper_arm[side], l2 = body_.biped.forearm[side];
  const Vec3 shoulder = joint_position(f.state, upper);
  const Vec3 missing = target - palm(f, side);
  if (!hand.effort.isZero()) {
    // What is made up for by position would work against the force that the hand is to exert.
    arms_.trim[side] *= std::exp(-kTrimRate * kPoseTime);
  } else if (missing.norm() < kTrimFrom * body_.length_scale &&
             (target - shoulder).norm() < l1 + l2) {
    const Vec3 in_heading = f.heading.conjugate() * missing;
    Vec3& trim = arms_.trim[side];
    trim += kTrimRate * kPoseTime * in_heading;
    const double most = kMostTrim * body_.length_scale;
    if (trim.norm() > most) trim *= most / trim.norm();
  }
  target += f.heading * arms_.trim[side];
  const physics::LinkMotion& torso = f.links[body_.biped.link[kTorso]];
  const Vec3 moves = torso.velocity + torso.omega.cross(shoulder - torso.position);
  // Elbows hang, and stay a little out and back; of arms that are raised they point ahead, as the
  // shoulder does not turn them back.
  const double raised = ramp01((target - shoulder).normalized().z(), 0.7, 0.95);
  const Vec3 elbow_way =
      f.heading * Vec3(std::lerp(-0.35, 0.6, raised), 0.45 * side_sign(side), -0.85);
  const ArmAngles now = solve_arm(shoulder, target, l1, l2, elbow_way);
  const ArmAngles next =
      solve_arm(shoulder + kArmAhead * moves, target + kArmAhead * velocity, l1, l2, elbow_way);
  const Vec3 omega = rotation_vector(Quat(Mat3(next.upper * now.upper.transpose()))) / kArmAhead;
  const double own = physics::kGravity * f.branch[upper].mass;
  const double loaded = 1 + p_->load_strength() * hand.effort.norm() / own;
  const double strength = p_->reach_strength() * hand.strength * loaded;
  drive_to_world(f, upper, Quat(now.upper), omega, strength);
  // The usual servo is well damped; a stiffer one needs less of it.
  const double damped = 1 / std::sqrt(std::max(1.0, strength));
  f.drives[upper].kd *= damped;
  physics::JointDrive& bend = f.drives[lower];
  set_gains(bend, lower, strength);
  bend.kd *= damped;
  bend.target_angle = Vec2(now.elbow, 0);
  bend.target_velocity = Vec3((next.elbow - now.elbow) / kArmAhead, 0, 0);
}

/// How deep a stoop brings a hand to its place, see StoopTable.
double Gbwc::stoop_for(const Frame& f, int side, const HandGoal& hand) const {
  const Vec3 shoulder = joint_position(f.state, body_.biped.link[kLeftUpperArm + side]);
  const double arm = body_.biped.upper_arm[side] + body_.biped.forearm[side];
  const double height = hand.at.z() - f.ground;
  const double below = ramp01((body_.stoops->shoulder(0).y() - height) / arm, 0.1, 0.5);
  const bool in_reach = (hand.at - shoulder).norm() < kFullReach * arm;
  if (stoop_.depth == 0 && (below == 0 || in_reach)) return 0;
  const Vec3 feet = 0.5 * (f.s.ankle[kLeft] + f.s.ankle[kRight]);
  const Vec2 place = f.in_heading(hand.at - feet);
  const double aside = place.y() - f.in_heading(shoulder - feet).y();
  // Arms that are nearly straight would lean on what they lift from the ground.
  const double low = 1 - ramp01(height / body_.creature->standing_com_height, 0.35, 0.6);
  const double share = std::lerp(kFullReach, kBentReach, hand.expected > 0 ? low : 0);
  const double reach =
      std::sqrt(std::max(0.01 * arm * arm, share * share * arm * arm - aside * aside));
  const double load = 2 * hand.expected / physics::kGravity;
  const double further = loaded_rest();
  const double back =
      load / body_.creature->total_mass * (place.x() - body_.stoops->rest() - further) - further;
  const double stoop = body_.stoops->stoop_for(Vec2(place.x(), height), reach, back);
  return std::min(1.0, below * stoop);
}

/// The body stoops while a hand's place in the world is low and out of the arm's reach, and comes
/// up again when it is not, by ds/dt = r, where s is the stoop, 0 upright and 1 deepest.
/// Law:    dr/dt = (clamp(kStoopGain (s' - s)) - r) / kStoopEase, s' the stoop that brings the arm
///         to its place
void Gbwc::stoop(const Frame& f, const Goal& goal, double dt) {
  // A load makes it slower.
  const double lighter = body_.creature->total_mass / f.mass;
  const double slower = lighter * lighter * lighter;
  double wanted = 0;
  for (int side : {kLeft, kRight}) {
    const HandGoal& hand = goal.hand[side];
    if (hand.frame == HandGoal::Frame::kWorld) wanted = std::max(wanted, stoop_for(f, side, hand));
  }
  const double slow = 1 / body_.time_scale;
  const double rate =
      std::clamp(kStoopGain * (wanted - stoop_.depth), -kStraighten * slower, kStoopRate * slower);
  // Trunk and load must not be thrown into motion.
  stoop_.rate += (slow * rate - stoop_.rate) * dt / (kStoopEase * body_.time_scale + dt);
  const double before = stoop_.depth;
  stoop_.depth = std::clamp(before + stoop_.rate * dt, 0.0, 1.0);
  if (stoop_.depth == before) stoop_.rate = 0;
}

/// The chest tilts sideways for a hand whose place is higher than the arm reaches, and raises its
/// shoulder by that.
/// Law:    d sigma/dt = kStretchGain h / w, sigma the tilt (rad, positive raises the left
///         shoulder), h the height that is missing with a nearly straight arm, w half the width of
///         the shoulders; sigma fades where nothing is high
void Gbwc::stretch(const Frame& f, const Goal& goal, double dt) {
  const Vec3 shoulder[2] = {joint_position(f.state, body_.biped.link[kLeftUpperArm]),
                            joint_position(f.state, body_.biped.link[kRightUpperArm])};
  const double half_width =
      std::max(0.05 * body_.length_scale, 0.5 * (shoulder[0] - shoulder[1]).norm());
  const double most = kStretchRate * dt / body_.time_scale;
  double change = -std::clamp(kStretchEnds * dt / body_.time_scale * stretch_.tilt, -most, most);
  double highest = -1e9;
  for (int side : {kLeft, kRight}) {
    const HandGoal& hand = goal.hand[side];
    if (!step_.standing || hand.frame != HandGoal::Frame::kWorld || stoop_.depth > 0) continue;
    const double arm = kFullReach * (body_.biped.upper_arm[side] + body_.biped.forearm[side]);
    const double upright = f.ground + body_.stoops->shoulder(0).y();
    // Of two hands the higher place counts.
    if (hand.at.z() < std::max(highest, upright + kHighFrom * arm)) continue;
    highest = hand.at.z();
    const double level = (hand.at - shoulder[side]).head<2>().norm();
    const double missing =
        hand.at.z() - shoulder[side].z() - std::sqrt(std::max(0.0, arm * arm - level * level));
    const double wanted = kStretchGain * dt / body_.time_scale * missing / half_width;
    change = side_sign(side) * std::clamp(wanted, -most, most);
  }
  stretch_.tilt = std::clamp(stretch_.tilt + change, -p_->stretch_rad(), p_->stretch_rad());
}

/// rad, by which a knee is bent for a stoop.
double Gbwc::stooped_knee(int side) const {
  const double bend = body_.stoops->pose(stoop_.depth).knee * (step_.standing ? 1 : kStoopedWalk);
  return even_knee(*body_.creature, body_.biped, side, bend);
}

}  // namespace promenade::control
