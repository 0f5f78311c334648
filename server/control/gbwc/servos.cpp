// Targets and gains of every joint. Source: Coros2010 §3.1, §3.2, §3.5.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/leg_ik.h"

namespace promenade::control {
namespace {

constexpr double kLookAfter = 2.5;    // s of standing before somebody looks about
constexpr double kLookFor = 3.2;      // s, at one thing
constexpr double kLookTurn = 0.2;     // of that time, for the head to turn
constexpr double kStillSteep = 0.15;  // of a step
// Of a trailing leg that pushes, rad, up and down stairs and over an obstacle: there the knee is to
// keep away from its edge.
constexpr double kStairsKnee = 0.05, kStairsPitch = 0.13, kDownKnee = 0.3, kDownPitch = 0.3,
                 kAstrideKnee = 0, kAstridePitch = 0.18;
constexpr double kAstrideFoot = 0.1;  // of the gains of its ankle: the torque is to move the body
constexpr double kTakesUp = 0.235;    // s, from foot-strike until a knee follows the climb
constexpr double kClimbRate = 0.6;    // share of the rate of that knee that its servo is given
constexpr double kRateAhead = 0.01;   // s, over which that rate is taken
constexpr double kToesUp = 0.025;     // s, in which toes that hang too low come up

struct TrunkPart {
  Part part;
  StyleJoint joint;
  double lean, lead;
  double look;  // share of where a standing person looks
  double StoopPose::*stoop;
  double stretch;  // share of the chest's tilt for what is high
  double back;     // likewise of how far it leans back with a load
};
constexpr std::array<TrunkPart, 3> kTrunk = {
    {{kLowerBack, StyleJoint::kLowerBack, 1.0, 0.3, 0, &StoopPose::lower_back, 0.5, 0.7},
     {kTorso, StyleJoint::kUpperBack, 1.0, 0.5, 0.15, &StoopPose::chest, 1, 1},
     {kHead, StyleJoint::kNeck, 0.4, 1.0, 1, &StoopPose::head, 0.3, 0}}};

Vec3 in_link(const physics::LinkMotion& link, const Vec3& world) {
  return link.rotation.transpose() * world;
}

}  // namespace

void Gbwc::set_gains(physics::JointDrive& drive, int link, double strength) {
  const JointGains& gains = body_.creature->gains[link];
  drive.kp = strength * gains.kp * gains.scale;
  drive.kd = strength * gains.kd * gains.scale;
  drive.limit = gains.limit;
}

/// A second servo beside that of a ball joint: of two springs the sum is one between their targets.
void Gbwc::add_servo(physics::JointDrive* drive, const Vec3& kp, const Vec3& kd, const Quat& target,
                     const Vec3& target_velocity) {
  const double weight = kp.y() / std::max(1e-9, drive->kp.y() + kp.y());
  drive->target = drive->target.slerp(weight, target).normalized();
  const Vec3 pull =
      drive->kd.cwiseProduct(drive->target_velocity) + kd.cwiseProduct(target_velocity);
  drive->kp += kp;
  drive->kd += kd;
  drive->target_velocity = pull.cwiseQuotient(drive->kd.cwiseMax(1e-9));
}

/// Servo of a ball joint towards an orientation of the link in the world that turns with `omega`.
void Gbwc::drive_to_world(const Frame& f, int link, const Quat& target, const Vec3& omega,
                          double strength) {
  const physics::LinkMotion& parent = f.links[body_.creature->model->links[link].parent];
  physics::JointDrive& drive = f.drives[link];
  set_gains(drive, link, strength);
  drive.target = (Quat(parent.rotation).conjugate() * target).normalized();
  drive.target_velocity = in_link(f.links[link], omega - parent.omega);
}

/// Where a standing person looks, rad to the left of the chest: at one thing after another, each
/// person at others.
double Gbwc::idle_look() const {
  const double t = (idle_.clock - kLookAfter) / (kLookFor * body_.time_scale);
  if (t <= 0 || p_->idle_look_deg() <= 0) return 0;
  const double person = 37 * learnt_.step_com.x() + 91 * learnt_.step_com.y();
  const auto thing = [&](double k) { return k < 1 ? 0 : std::sin(person + 12.9 * k * k); };
  const double k = std::floor(t), turned = std::min(1.0, (t - k) / kLookTurn);
  const double way = turned * turned * (3 - 2 * turned);
  return p_->idle_look_deg() * kRadFromDeg * std::lerp(thing(k), thing(k + 1), way);
}

/// Targets of trunk and head by the style. They change slowly, so this runs every kPoseTime only.
void Gbwc::pose_trunk() {
  // The head leads a turn, then the chest (§3.5).
  const double lead = std::clamp(wrap_angle(course_.final_heading - course_.heading), -0.6, 0.6);
  const StoopPose stooped = body_.stoops->pose(stoop_.depth);
  for (std::size_t i = 0; i < kTrunk.size(); ++i) {
    const TrunkPart& part = kTrunk[i];
    const double look = step_.standing ? part.look * idle_look() : 0;
    // The chest rises and falls with the breath; the head stays as it is.
    const double breath =
        part.part == kTorso ? p_->breath_deg() * kRadFromDeg * std::sin(idle_.breath) : 0;
    trunk_.target[i] =
        rotation_z(part.lead * lead + look + style_offset(part.joint, 2)) *
        rotation_y(part.lean * style_->lean - part.back * load_lean() + stooped.*part.stoop +
                   style_offset(part.joint, 1) - breath + duck_pitch(part.part)) *
        rotation_x(part.stretch * stretch_.tilt + style_offset(part.joint, 0));
  }
}

void Gbwc::drive_trunk(const Frame& f) {
  for (std::size_t i = 0; i < kTrunk.size(); ++i) {
    const Quat target = f.heading * trunk_.target[i];
    const int link = body_.biped.link[kTrunk[i].part];
    drive_to_world(f, link, target, Vec3::Zero(), 1);
    f.drives[link].kd *= load_damping(f, link);
    if (kTrunk[i].part != kLowerBack || step_.standing) continue;
    // The heavy legs push the light pelvis about. The trunk has to hold it, above all in the air.
    physics::JointDrive& spine = f.drives[link];
    add_servo(&spine, Vec3::Constant(p_->spine_kp_nm() * body_.mass_scale),
              Vec3::Constant(p_->spine_kd_nms() * body_.mass_scale), f.pelvis.conjugate() * target,
              Vec3::Zero());
  }
}

/// Servo of an ankle towards a pitch of the foot against the ground (rad), level sideways. It is
/// soft and well damped, so quick movements need the rate of the pitch as well.
/// @param rate  rad/s, of the target
void Gbwc::drive_foot(const Frame& f, int side, double pitch, double rate, double strength) {
  const int foot = body_.biped.link[kLeftFoot + side], toes = body_.biped.link[kLeftToes + side];
  const physics::LinkMotion& shank = f.links[body_.creature->model->links[foot].parent];
  const Quat turn = twist_of(Quat(f.links[foot].rotation));
  const Mat3 level = (turn * rotation_y(pitch)).toRotationMatrix();
  const Mat3 r = shank.rotation.transpose() * level;  // Ry(pitch) Rx(roll) as near as it goes
  physics::JointDrive& drive = f.drives[foot];
  set_gains(drive, foot, strength);
  drive.target_angle = Vec2(std::atan2(-r(1, 2), r(1, 1)), std::atan2(-r(2, 0), r(0, 0)));
  drive.target_velocity = Vec3(-shank.omega.dot(f.links[foot].rotation.col(0)),
                               rate - shank.omega.dot(shank.rotation.col(1)), 0);
  const bool stance_side = step_.standing || side == step_.stance;
  physics::JointDrive& bend = f.drives[toes];
  set_gains(bend, toes, 1);
  bend.target_angle =
      Vec2(style_offset(stance_side ? StyleJoint::kStanceToe : StyleJoint::kSwingToe, 1), 0);
  bend.target_velocity.setZero();
}

/// Servos of hip and knee that take the ankle along `now` to `next`, `ahead` seconds later, with
/// the knee's axis likewise (world).
void Gbwc::reach_for(const Frame& f, int side, const Vec3& now, const Vec3& next, double ahead,
                     const Vec3& axis, const Vec3& next_axis, double strength) {
  const int thigh = body_.biped.link[kLeftThigh + side],
            shank = body_.biped.link[kLeftShank + side];
  const auto& links = body_.creature->model->links;
  const double upper = (links[shank].at_parent - links[thigh].at_child).norm();
  const double lower =
      (links[body_.biped.link[kLeftFoot + side]].at_parent - links[shank].at_child).norm();
  const double outwards =
      style_->twist + (!step_.standing && side != step_.stance ? clearing_twist() : 0);
  const Vec3 hip = f.s.hip[side];
  const bool swings = !step_.standing && side != step_.stance && !step_.pushing;
  const double over = swings ? turned_over(hip, now, axis, upper, lower) : 0;
  const double twist = -side_sign(side) * (over > 0 ? std::max(outwards, over) : outwards);
  const physics::LinkMotion& pelvis = f.links[0];
  const Vec3 hip_velocity = pelvis.velocity + pelvis.omega.cross(hip - pelvis.position);
  const LegAngles a = solve_leg(hip, now, upper, lower, axis, twist);
  const LegAngles b = solve_leg(hip + ahead * hip_velocity, next, upper, lower, next_axis, twist);
  const Vec3 omega = rotation_vector(Quat(Mat3(b.thigh * a.thigh.transpose()))) / ahead;
  drive_to_world(f, thigh, Quat(a.thigh), omega, strength * p_->swing_hip_scale());
  // A torque that turns the thigh about its own axis turns the light pelvis the other way.
  double& yaw_limit = f.drives[thigh].limit.z();
  yaw_limit = std::min(yaw_limit, p_->swing_yaw_nm() * body_.mass_scale);
  physics::JointDrive& knee = f.drives[shank];
  set_gains(knee, shank, strength * p_->swing_hip_scale());
  knee.target_angle = Vec2(a.knee, 0);
  knee.target_velocity = Vec3((b.knee - a.knee) / ahead, 0, 0);
}

void Gbwc::drive_swing_leg(const Frame& f) {
  const int side = 1 - step_.stance;
  const auto axis_at = [&](double phase) -> Vec3 {
    return rotation_z(swing_heading(f, phase)) * Vec3::UnitY();
  };
  const double ahead = 0.01, next_phase = step_.phase + ahead * f.phase_rate;
  const double start = p_->swing_strength_start();
  const double strength =
      softness() * (start + (1 - start) * std::clamp((step_.phase - 0.1) / 0.2, 0.0, 1.0));
  reach_for(f, side, swing_ankle_at(f, step_.phase, 0), swing_ankle_at(f, next_phase, ahead), ahead,
            axis_at(step_.phase), axis_at(next_phase), strength);
  // The toes keep clear of the ground whatever the style's ankle does.
  const Vec3 ankle = f.s.ankle[side];
  const Vec2 end = landing(f);
  const double ground = ground_on_way(f, ankle.head<2>(), ankle.head<2>(), end);
  const double clearance =
      ankle.z() - ground - body_.biped.ankle_height[side] - 0.012 * body_.length_scale;
  // A foot that has just lifted off its toes is still steep, and its ankle on the way up.
  const double just_lifted = std::max(0.0, 1 - (step_.phase - step_.lift_phase) / kStillSteep);
  const double steepest = std::clamp(
      std::asin(std::clamp(clearance / body_.foot_reach[side].x(), -0.1, 1.0)) + 0.4 * just_lifted,
      -0.1, 1.1);
  const Vec3 sole = f.links[body_.biped.link[kLeftFoot + side]].rotation.col(0);
  const double pitch = std::asin(std::clamp(-sole.z(), -1.0, 1.0));
  const double too_steep = std::max(0.0, pitch - steepest);
  const double asked =
      std::min(tiptoe_share() * style_offset(StyleJoint::kSwingAnkle, 1), steepest);
  if (takes_over_) swing_.taken_over.foot = pitch - asked;
  drive_foot(
      f, side, clearing_pitch(asked) + swing_.taken_over.left(step_.phase) * swing_.taken_over.foot,
      tiptoe_share() * style_rate(f, StyleJoint::kSwingAnkle, 1) - too_steep / kToesUp, strength);
  report_.foot_target << end, way_height(f, end) + body_.biped.ankle_height[side];
}

void Gbwc::drive_stance_leg(const Frame& f, int side) {
  // A stance foot without load reaches for the ground where it was last held, or was about to land;
  // hold_pelvis takes over as the load comes.
  const Vec3 axis = rotation_z(f.yaw) * Vec3::UnitY();
  const bool own = step_.standing || side != step_.stance;
  Vec3 hold = own ? f.s.ankle[side] : step_.anchor;
  if (!own)
    hold.z() = f.ground_at(hold) + body_.biped.ankle_height[side] -
               p_->search_depth_m() * body_.length_scale;
  reach_for(f, side, hold, hold, 0.01, axis, axis, 1);
  const int shank = body_.biped.link[kLeftShank + side];
  physics::JointDrive& knee = f.drives[shank];
  const double searched = knee.target_angle.x();
  set_gains(knee, shank, p_->stance_knee_scale());
  const double curve = step_.standing ? 0.08 : style_offset(StyleJoint::kStanceKnee, 1);
  double angle = std::max(0.0, crouch() + curve) + stooped_knee(side);
  double climb_rate = 0;  // rad/s
  if (over_ >= 0 && !step_.standing) angle *= knee_over();
  if (!step_.standing) {
    // A knee that lands bent straightens over the step; at once it would throw the body up.
    const double left = std::max(0.0, 1 - step_.phase / p_->straighten_phase());
    if (step_.climbed > 0) {
      const double now = climbing_knee(f, side, 0);
      const double rest = std::max(0.0, 1 - step_.clock / (kTakesUp * body_.time_scale));
      climb_rate = kClimbRate * (climbing_knee(f, side, kRateAhead) - now) / kRateAhead;
      climb_rate *= 1 - rest;
      angle = std::max(angle, now);
      angle += (step_.knee_at_strike - angle) * rest * rest;
    } else {
      angle += std::max(0.0, step_.knee_at_strike - angle) * left * left;
    }
  }
  // Where the other foot stands or lands lower, the leg lets the body down to it.
  const Vec2 other = step_.standing ? Vec2(f.s.ankle[1 - side].head<2>())
                                    : Vec2(f.s.com.head<2>() + f.in_world(swing_.goal));
  const double drop =
      (step_.standing ? f.ground_at(f.s.ankle[side]) : f.ground) - way_height(f, other);
  if (!step_.standing && !own && descend_ > 0) {
    angle = descending_knee(side, angle);
  } else if (drop > 0) {
    // Across a hillside the upper leg stays bent: a body that went down and up with each pair of
    // steps would limp.
    const Vec2 beside = f.s.ankle[side].head<2>() - side_sign(side) * f.in_world(Vec2(0, f.width));
    const double aside = std::clamp(f.ground_at(f.s.ankle[side]) - f.ground_at(beside), 0.0, drop);
    const double gone = step_.standing ? 1 : std::clamp((step_.phase - 0.2) / 0.6, 0.0, 1.0);
    const double shorter =
        1 - std::min(0.2, std::lerp(aside, drop, gone) / body_.biped.leg_length[side]);
    angle = std::max(angle, 2 * std::acos(shorter * std::cos(0.5 * angle)));
  }
  if (!step_.standing) {
    if (takes_over_ && step_.phase > p_->straighten_phase())
      swing_.taken_over.knee = f.state.state().angle[shank].x() - angle;
    angle += swing_.taken_over.left(step_.phase) * swing_.taken_over.knee;
  }
  angle = std::lerp(searched, angle, step_.standing ? 1.0 : balance_.share[side]);
  if (own && !step_.standing) {  // the trailing leg astride an obstacle
    knee.target_angle = Vec2(over_ >= 0            ? kAstrideKnee
                             : step_.descended > 0 ? kDownKnee
                                                   : kStairsKnee,
                             0);
    knee.target_velocity.setZero();
    const double pitch = over_ >= 0            ? kAstridePitch
                         : step_.descended > 0 ? kDownPitch
                                               : kStairsPitch;
    drive_foot(f, side, pitch, 0, kAstrideFoot);
    return;
  }
  knee.target_angle = Vec2(angle, 0);
  knee.target_velocity.setZero();
  if (step_.standing) {
    drive_foot(f, side, 0, 0, p_->stance_ankle_scale());
  } else {
    knee.target_velocity.x() =
        climb_rate + balance_.share[side] * style_rate(f, StyleJoint::kStanceKnee, 1);
    drive_foot(f, side, tiptoe_share() * style_offset(StyleJoint::kStanceAnkle, 1),
               tiptoe_share() * style_rate(f, StyleJoint::kStanceAnkle, 1),
               softness() * p_->stance_ankle_scale());
  }
}

}  // namespace promenade::control
