// Targets and servos of the legs. Source: Coros2010 §3.1, §3.2, §3.5.
#include "control/gbwc/drive/legs.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/drive/servos.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/ground/underfoot.h"
#include "control/gbwc/posture/duck.h"
#include "control/gbwc/posture/stoop.h"
#include "control/gbwc/steps/climb.h"
#include "control/gbwc/steps/descend.h"
#include "control/gbwc/style_now.h"
#include "control/gbwc/swing/clearance.h"
#include "control/gbwc/swing/foot_placement.h"
#include "control/gbwc/swing/swing.h"
#include "control/leg_ik.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kRateAhead = 0.01;  // s, over which that rate is taken

}  // namespace

void drive_foot(const Frame& f, int side, double pitch, double rate, double strength) {
  const int foot = f.body.biped.link[kLeftFoot + side], toes = f.body.biped.link[kLeftToes + side];
  const physics::LinkMotion& shank = f.links[f.body.creature->model->links[foot].parent];
  const Quat turn = twist_of(Quat(f.links[foot].rotation));
  const Mat3 level = (turn * rotation_y(pitch)).toRotationMatrix();
  const Mat3 r = shank.rotation.transpose() * level;  // Ry(pitch) Rx(roll) as near as it goes
  physics::JointDrive& drive = f.drives[foot];
  set_gains(f, drive, foot, strength);
  drive.target_angle = Vec2(std::atan2(-r(1, 2), r(1, 1)), std::atan2(-r(2, 0), r(0, 0)));
  drive.target_velocity = Vec3(-shank.omega.dot(f.links[foot].rotation.col(0)),
                               rate - shank.omega.dot(shank.rotation.col(1)), 0);
  const bool stance_side = f.step.standing || side == f.step.stance;
  physics::JointDrive& bend = f.drives[toes];
  set_gains(f, bend, toes, 1);
  bend.target_angle =
      Vec2(style_offset(f, stance_side ? StyleJoint::kStanceToe : StyleJoint::kSwingToe, 1), 0);
  bend.target_velocity.setZero();
}

void reach_for(const Frame& f, int side, const Vec3& now, const Vec3& next, double ahead,
               const Vec3& axis, const Vec3& next_axis, double strength) {
  const v1::GbwcSwing& p = f.p.swing();
  const int thigh = f.body.biped.link[kLeftThigh + side],
            shank = f.body.biped.link[kLeftShank + side];
  const auto& links = f.body.creature->model->links;
  const double upper = (links[shank].at_parent - links[thigh].at_child).norm();
  const double lower =
      (links[f.body.biped.link[kLeftFoot + side]].at_parent - links[shank].at_child).norm();
  const double outwards =
      f.style->twist + (!f.step.standing && side != f.step.stance ? clearing_twist(f) : 0);
  const Vec3 hip = f.s.hip[side];
  const bool swings = !f.step.standing && side != f.step.stance && !f.step.pushing;
  const double over = swings ? turned_over(f, hip, now, axis, upper, lower) : 0;
  const double twist = -side_sign(side) * (over > 0 ? std::max(outwards, over) : outwards);
  const physics::LinkMotion& pelvis = f.links[0];
  const Vec3 hip_velocity = pelvis.velocity + pelvis.omega.cross(hip - pelvis.position);
  const LegAngles a = solve_leg(hip, now, upper, lower, axis, twist);
  const LegAngles b = solve_leg(hip + ahead * hip_velocity, next, upper, lower, next_axis, twist);
  const Vec3 omega = rotation_vector(Quat(Mat3(b.thigh * a.thigh.transpose()))) / ahead;
  drive_to_world(f, thigh, Quat(a.thigh), omega, strength * p.hip_scale());
  // A torque that turns the thigh about its own axis turns the light pelvis the other way.
  double& yaw_limit = f.drives[thigh].limit.z();
  yaw_limit = std::min(yaw_limit, p.yaw_nm() * f.body.mass_scale);
  physics::JointDrive& knee = f.drives[shank];
  set_gains(f, knee, shank, strength * p.hip_scale());
  knee.target_angle = Vec2(a.knee, 0);
  knee.target_velocity = Vec3((b.knee - a.knee) / ahead, 0, 0);
}

void drive_swing_leg(const Frame& f, SwingState& swing, ControlReport& report) {
  const v1::GbwcSwing& p = f.p.swing();
  const int side = 1 - f.step.stance;
  const auto axis_at = [&](double phase) -> Vec3 {
    return rotation_z(swing_heading(f, phase)) * Vec3::UnitY();
  };
  const double ahead = 0.01, next_phase = f.step.phase + ahead * f.phase_rate;
  const double start = p.strength_start();
  const double strength =
      softness(f) *
      (start +
       (1 - start) * std::clamp((f.step.phase - p.strength_from()) / p.strength_in(), 0.0, 1.0));
  reach_for(f, side, swing_ankle_at(f, f.step.phase, 0), swing_ankle_at(f, next_phase, ahead),
            ahead, axis_at(f.step.phase), axis_at(next_phase), strength);
  // The toes keep clear of the ground whatever the style's ankle does.
  const Vec3 ankle = f.s.ankle[side];
  const Vec2 end = landing(f);
  const double ground = ground_on_way(f, ankle.head<2>(), ankle.head<2>(), end);
  const double clearance =
      ankle.z() - ground - f.body.biped.ankle_height[side] - p.toe_room_m() * f.body.length_scale;
  // A foot that has just lifted off its toes is still steep, and its ankle on the way up.
  const double just_lifted =
      std::max(0.0, 1 - (f.step.phase - f.step.lift_phase) / p.still_steep());
  const double steepest = std::clamp(
      std::asin(std::clamp(clearance / f.body.foot_reach[side].x(), -p.toes_up_rad(), 1.0)) +
          p.just_lifted_rad() * just_lifted,
      -p.toes_up_rad(), p.steepest_rad());
  const Vec3 sole = f.links[f.body.biped.link[kLeftFoot + side]].rotation.col(0);
  const double pitch = std::asin(std::clamp(-sole.z(), -1.0, 1.0));
  const double too_steep = std::max(0.0, pitch - steepest);
  const StyleMotion curve = style_motion(f, StyleJoint::kSwingAnkle, 1);
  const double tiptoe = tiptoe_share(f);
  const double asked = std::min(tiptoe * curve.offset, steepest);
  if (f.takes_over) swing.taken_over.foot = pitch - asked;
  drive_foot(f, side,
             clearing_pitch(f, asked) + swing.taken_over.left(f.step.phase) * swing.taken_over.foot,
             tiptoe * curve.rate - too_steep / p.toes_up_s(), strength);
  report.foot_target << end, f.way_height(end) + f.body.biped.ankle_height[side];
}

namespace {

/// The bend of a stance knee, rad, and its rates, rad/s.
struct KneeBend {
  double angle = 0, climb_rate = 0, style_rate = 0;
};

/// The bend of a stance knee of at least `angle`, rad, that lets the body down to where the other
/// foot stands or lands lower.
double let_down(const Frame& f, int side, double angle) {
  if (!f.step.standing && f.plan.is(StepKind::kDown)) return descending_knee(f, side, angle);
  const v1::GbwcServos& servos = f.p.servos();
  const Vec2 other = f.step.standing ? Vec2(f.s.ankle[1 - side].head<2>())
                                     : Vec2(f.s.com.head<2>() + f.in_world(f.swing.goal));
  const double drop =
      (f.step.standing ? f.ground_at(f.s.ankle[side]) : f.ground) - f.way_height(other);
  if (drop <= 0) return angle;
  // Across a hillside the upper leg stays bent: a body that went down and up with each pair of
  // steps would limp.
  const Vec2 beside = f.s.ankle[side].head<2>() - side_sign(side) * f.in_world(Vec2(0, f.width));
  const double aside = std::clamp(f.ground_at(f.s.ankle[side]) - f.ground_at(beside), 0.0, drop);
  const double gone =
      f.step.standing
          ? 1
          : std::clamp((f.step.phase - servos.let_down_from()) / servos.let_down_in(), 0.0, 1.0);
  const double shorter = 1 - std::min(servos.most_shorter(),
                                      std::lerp(aside, drop, gone) / f.body.biped.leg_length[side]);
  return std::max(angle, 2 * std::acos(shorter * std::cos(0.5 * angle)));
}

/// How far a stance knee is to bend: by the style, by how far the body is bent, and on the way up
/// or down.
KneeBend stance_knee(const Frame& f, int side, SwingState& swing) {
  const StyleMotion curve = f.step.standing ? StyleMotion{f.p.standing().knee_rad(), 0}
                                            : style_motion(f, StyleJoint::kStanceKnee, 1);
  KneeBend out;
  out.style_rate = curve.rate;
  out.angle = std::max(0.0, knee_bend(f) + curve.offset) + stooped_knee(f, side);
  if (f.step.standing) {
    out.angle = let_down(f, side, out.angle);
    return out;
  }
  if (f.plan.is(StepKind::kOver)) out.angle *= knee_over(f);
  // A knee that lands bent straightens over the step; at once it would throw the body up.
  if (f.step.climbed > 0) {
    const double now = climbing_knee(f, side, 0);
    const double rest =
        std::max(0.0, 1 - f.step.clock / (f.p.up_body().knee_in_s() * f.body.time_scale));
    out.climb_rate =
        f.p.up_body().knee_rate() * (climbing_knee(f, side, kRateAhead) - now) / kRateAhead;
    out.climb_rate *= 1 - rest;
    out.angle = std::max(out.angle, now);
    out.angle += (f.step.knee_at_strike - out.angle) * rest * rest;
  } else {
    const double left = std::max(0.0, 1 - f.step.phase / f.p.servos().straighten_phase());
    out.angle += std::max(0.0, f.step.knee_at_strike - out.angle) * left * left;
  }
  out.angle = let_down(f, side, out.angle);
  if (f.takes_over && f.step.phase > f.p.servos().straighten_phase()) {
    const int shank = f.body.biped.link[kLeftShank + side];
    swing.taken_over.knee = f.state.state().angle[shank].x() - out.angle;
  }
  out.angle += swing.taken_over.left(f.step.phase) * swing.taken_over.knee;
  return out;
}

/// The trailing leg astride an obstacle or on the tread behind.
void drive_rear_leg(const Frame& f, int side) {
  double knee = f.p.up_body().trail_knee_rad(), pitch = f.p.up_body().trail_pitch_rad();
  if (f.plan.is(StepKind::kOver)) {
    knee = f.p.astride().knee_rad();
    pitch = f.p.astride().pitch_rad();
  } else if (f.step.descended > 0) {
    knee = f.p.down_body().trail_knee_rad();
    pitch = f.p.down_body().trail_pitch_rad();
  }
  f.drives[f.body.biped.link[kLeftShank + side]].target_angle = Vec2(knee, 0);
  drive_foot(f, side, pitch, 0, f.p.astride().ankle_share());
}

}  // namespace

void drive_stance_leg(const Frame& f, int side, SwingState& swing) {
  const Vec3 axis = rotation_z(f.yaw) * Vec3::UnitY();
  const bool rear = !f.step.standing && side != f.step.stance;
  const double share = f.step.standing ? 1.0 : f.balance.share[side];
  const int shank = f.body.biped.link[kLeftShank + side];
  physics::JointDrive& knee = f.drives[shank];
  double searched = 0;
  if (!rear && share >= 1) {
    let_go(f.drives[f.body.biped.link[kLeftThigh + side]]);  // hold_pelvis() has the hip
  } else {
    // A stance foot without load reaches for the ground where it was last held, or was about to
    // land; hold_pelvis() takes over as the load comes.
    Vec3 hold = rear ? f.s.ankle[side] : f.step.anchor;
    if (!rear)
      hold.z() = f.ground_at(hold) + f.body.biped.ankle_height[side] -
                 f.p.servos().search_depth_m() * f.body.length_scale;
    reach_for(f, side, hold, hold, 0.01, axis, axis, 1);
    searched = knee.target_angle.x();
  }
  set_gains(f, knee, shank, f.p.servos().knee_scale());
  knee.target_velocity.setZero();
  if (rear) {
    drive_rear_leg(f, side);
    return;
  }
  const KneeBend bend = stance_knee(f, side, swing);
  knee.target_angle = Vec2(std::lerp(searched, bend.angle, share), 0);
  if (f.step.standing) {
    drive_foot(f, side, 0, 0, f.p.servos().ankle_scale());
    return;
  }
  knee.target_velocity.x() = bend.climb_rate + share * bend.style_rate;
  const StyleMotion ankle = style_motion(f, StyleJoint::kStanceAnkle, 1);
  const double tiptoe = tiptoe_share(f);
  drive_foot(f, side, tiptoe * ankle.offset, tiptoe * ankle.rate,
             softness(f) * f.p.servos().ankle_scale());
}

}  // namespace promenade::control::gbwc
