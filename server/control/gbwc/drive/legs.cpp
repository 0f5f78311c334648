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
  const double asked =
      std::min(tiptoe_share(f) * style_offset(f, StyleJoint::kSwingAnkle, 1), steepest);
  if (f.takes_over) swing.taken_over.foot = pitch - asked;
  drive_foot(
      f, side,
      clearing_pitch(f, asked) + swing.taken_over.left(f.step.phase) * swing.taken_over.foot,
      tiptoe_share(f) * style_rate(f, StyleJoint::kSwingAnkle, 1) - too_steep / p.toes_up_s(),
      strength);
  report.foot_target << end, f.way_height(end) + f.body.biped.ankle_height[side];
}

void drive_stance_leg(const Frame& f, int side, SwingState& swing) {
  const v1::GbwcServos& servos = f.p.servos();
  const v1::GbwcUpBody& up_body = f.p.up_body();
  const v1::GbwcAstride& astride = f.p.astride();
  // A stance foot without load reaches for the ground where it was last held, or was about to land;
  // hold_pelvis takes over as the load comes.
  const Vec3 axis = rotation_z(f.yaw) * Vec3::UnitY();
  const bool own = f.step.standing || side != f.step.stance;
  Vec3 hold = own ? f.s.ankle[side] : f.step.anchor;
  if (!own)
    hold.z() = f.ground_at(hold) + f.body.biped.ankle_height[side] -
               servos.search_depth_m() * f.body.length_scale;
  reach_for(f, side, hold, hold, 0.01, axis, axis, 1);
  const int shank = f.body.biped.link[kLeftShank + side];
  physics::JointDrive& knee = f.drives[shank];
  const double searched = knee.target_angle.x();
  set_gains(f, knee, shank, servos.knee_scale());
  const double curve =
      f.step.standing ? f.p.standing().knee_rad() : style_offset(f, StyleJoint::kStanceKnee, 1);
  double angle = std::max(0.0, knee_bend(f) + curve) + stooped_knee(f, side);
  double climb_rate = 0;  // rad/s
  if (f.plan.over >= 0 && !f.step.standing) angle *= knee_over(f);
  if (!f.step.standing) {
    // A knee that lands bent straightens over the step; at once it would throw the body up.
    const double left = std::max(0.0, 1 - f.step.phase / servos.straighten_phase());
    if (f.step.climbed > 0) {
      const double now = climbing_knee(f, side, 0);
      const double rest =
          std::max(0.0, 1 - f.step.clock / (up_body.knee_in_s() * f.body.time_scale));
      climb_rate = up_body.knee_rate() * (climbing_knee(f, side, kRateAhead) - now) / kRateAhead;
      climb_rate *= 1 - rest;
      angle = std::max(angle, now);
      angle += (f.step.knee_at_strike - angle) * rest * rest;
    } else {
      angle += std::max(0.0, f.step.knee_at_strike - angle) * left * left;
    }
  }
  // Where the other foot stands or lands lower, the leg lets the body down to it.
  const Vec2 other = f.step.standing ? Vec2(f.s.ankle[1 - side].head<2>())
                                     : Vec2(f.s.com.head<2>() + f.in_world(swing.goal));
  const double drop =
      (f.step.standing ? f.ground_at(f.s.ankle[side]) : f.ground) - f.way_height(other);
  if (!f.step.standing && !own && f.plan.descend > 0) {
    angle = descending_knee(f, side, angle);
  } else if (drop > 0) {
    // Across a hillside the upper leg stays bent: a body that went down and up with each pair of
    // steps would limp.
    const Vec2 beside = f.s.ankle[side].head<2>() - side_sign(side) * f.in_world(Vec2(0, f.width));
    const double aside = std::clamp(f.ground_at(f.s.ankle[side]) - f.ground_at(beside), 0.0, drop);
    const double gone =
        f.step.standing
            ? 1
            : std::clamp((f.step.phase - servos.let_down_from()) / servos.let_down_in(), 0.0, 1.0);
    const double shorter = 1 - std::min(servos.most_shorter(), std::lerp(aside, drop, gone) /
                                                                   f.body.biped.leg_length[side]);
    angle = std::max(angle, 2 * std::acos(shorter * std::cos(0.5 * angle)));
  }
  if (!f.step.standing) {
    if (f.takes_over && f.step.phase > servos.straighten_phase())
      swing.taken_over.knee = f.state.state().angle[shank].x() - angle;
    angle += swing.taken_over.left(f.step.phase) * swing.taken_over.knee;
  }
  angle = std::lerp(searched, angle, f.step.standing ? 1.0 : f.balance.share[side]);
  if (own && !f.step.standing) {  // the trailing leg astride an obstacle
    knee.target_angle = Vec2(f.plan.over >= 0       ? astride.knee_rad()
                             : f.step.descended > 0 ? f.p.down_body().trail_knee_rad()
                                                    : up_body.trail_knee_rad(),
                             0);
    knee.target_velocity.setZero();
    const double pitch = f.plan.over >= 0       ? astride.pitch_rad()
                         : f.step.descended > 0 ? f.p.down_body().trail_pitch_rad()
                                                : up_body.trail_pitch_rad();
    drive_foot(f, side, pitch, 0, astride.ankle_share());
    return;
  }
  knee.target_angle = Vec2(angle, 0);
  knee.target_velocity.setZero();
  if (f.step.standing) {
    drive_foot(f, side, 0, 0, servos.ankle_scale());
  } else {
    knee.target_velocity.x() =
        climb_rate + f.balance.share[side] * style_rate(f, StyleJoint::kStanceKnee, 1);
    drive_foot(f, side, tiptoe_share(f) * style_offset(f, StyleJoint::kStanceAnkle, 1),
               tiptoe_share(f) * style_rate(f, StyleJoint::kStanceAnkle, 1),
               softness(f) * servos.ankle_scale());
  }
}

}  // namespace promenade::control::gbwc
