// The trailing leg in double support, and the roll of the stance foot from heel to toe.
// Source: not in Coros2010, whose steps change feet at once; see
// docs/decisions/0024-double-support.md.
#include "control/gbwc/swing/push_off.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/drive/legs.h"
#include "control/gbwc/drive/servos.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/ground/underfoot.h"
#include "control/gbwc/posture/load.h"
#include "control/gbwc/steps/climb.h"
#include "control/gbwc/steps/planning.h"
#include "control/gbwc/steps/stairs.h"
#include "control/gbwc/style_now.h"
#include "control/gbwc/swing/foot_placement.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kShortest = 0.01;  // of a step, that a push-off takes

/// How much of the push-off is over, 0 to 1.
double push_off_done(const Frame& f, double phase) {
  return std::clamp(phase / std::max(kShortest, f.p.push_off().double_support()), 0.0, 1.0);
}

/// Pitch of the trailing foot against the ground, rad, heel up positive.
double push_off_pitch(const Frame& f, double phase) {
  const v1::GbwcPushOff& p = f.p.push_off();
  const double done = push_off_done(f, phase);
  const double speed = (f.plan.is(StepKind::kOver) ? f.p.astride().heel_low() : 1) *
                       std::clamp(f.course.velocity.x() / (p.full_speed_mps() * f.body.time_scale),
                                  0.0, p.most_pitch());
  return std::lerp(f.swing.push_pitch,
                   std::max(f.swing.push_pitch, speed * p.pitch_deg() * kRadFromDeg), done);
}

/// Where the trailing ankle is while the foot turns about its ball, m, world.
Vec3 push_off_ankle(const Frame& f, double phase) {
  const int side = 1 - f.step.stance;
  const auto& links = f.body.creature->model->links;
  const Vec3 from_ball = links[f.body.biped.link[kLeftFoot + side]].at_child -
                         links[f.body.biped.link[kLeftToes + side]].at_parent;
  const Quat turn = twist_of(Quat(f.links[f.body.biped.link[kLeftFoot + side]].rotation));
  const double done = push_off_done(f, phase);
  const Vec3 lift(0, 0, f.p.push_off().lift_m() * f.body.length_scale * done * done);
  return f.swing.ball + lift + turn * (rotation_y(push_off_pitch(f, phase)) * from_ball);
}

}  // namespace

void lift_off(const Frame& f, StepState& step, SwingState& swing) {
  const int side = 1 - step.stance;
  const Vec3 ankle = f.s.ankle[side];
  swing.lift_heading = heading_of(Quat(f.links[f.body.biped.link[kLeftFoot + side]].rotation)) -
                       side_sign(side) * f.style->twist;
  swing.lift_off = f.in_heading(ankle - f.s.com);
  swing.lift_ankle = ankle;
  swing.lift_height = ankle.z() - f.ground_at(ankle);
  step.lift_phase = std::min(step.phase, f.p.strike().latest_lift());
  step.airborne = false;
  step.pushing = false;
  swing.taken_over = TakenOver{};
}

void begin_push_off(const Frame& f, StepState& step, SwingState& swing) {
  const v1::GbwcPushOff& p = f.p.push_off();
  const int side = 1 - step.stance;
  // Over an obstacle both feet bear for longer.
  const double between = 0.5 * (f.features.along(f.s.ankle[0]) + f.features.along(f.s.ankle[1]));
  bool across = on_stairs(f);
  const auto boards = f.features.of(FeatureKind::kBoard);
  for (int i = 0; i < boards.size(); ++i)
    across = across || boards[i].holds(between, f.p.astride().across_m() * f.body.length_scale);
  if (p.double_support() <= 0 || f.load[side] < p.unloaded() ||
      (f.trouble > p.most_trouble() && !across))
    return;
  push_off(f, step, swing);
}

void push_off(const Frame& f, StepState& step, SwingState& swing) {
  const int side = 1 - step.stance;
  step.pushing = true;
  const physics::LinkMotion& foot = f.links[f.body.biped.link[kLeftFoot + side]];
  swing.push_pitch = std::asin(std::clamp(-foot.rotation(2, 0), -1.0, 1.0));
  swing.ball = joint_position(f.state, f.body.biped.link[kLeftToes + side]);
}

void end_push_off(const Frame& f, StepState& step, SwingState& swing) {
  const v1::GbwcPushOff& p = f.p.push_off();
  const int side = 1 - step.stance;
  if (straddles(f) && f.load[side] >= p.unloaded()) return;
  const bool left = f.load[side] < p.unloaded() && step.phase > p.early_lift() * p.double_support();
  if (step.phase >= (trailing(f) ? f.p.astride().lifts_early() : 1) * p.double_support() || left ||
      f.trouble > p.most_trouble())
    lift_off(f, step, swing);
}

bool straddles(const Frame& f) {
  const v1::GbwcAstride& p = f.p.astride();
  if (f.step.standing || !f.step.pushing) return false;
  const bool stairs = on_stairs(f);
  if (!stairs && (!f.plan.is(StepKind::kOver) || !trailing(f))) return false;
  if (f.step.clock > p.longest_s() * f.body.time_scale) return false;
  if (stairs) return !stairs_ready(f);
  const double capture =
      f.in_heading(f.s.com - f.s.ankle[f.step.stance]).x() + f.velocity.x() / f.omega;
  const double spread = f.in_heading(f.s.ankle[f.step.stance] - f.swing.ball).x();
  return capture < p.spread_ahead() * (spread - p.usual_spread_m() * f.body.length_scale) -
                       p.nearly_over_m() * f.body.length_scale;
}

void drive_push_off(const Frame& f, SwingState& swing, ControlReport& report) {
  const v1::GbwcPushOff& p = f.p.push_off();
  if (straddles(f)) {
    const int leg = 1 - f.step.stance;
    drive_stance_leg(f, leg, swing);
    const int rear = f.body.biped.link[kLeftFoot + leg];
    const double push = f.step.descended > 0 ? f.p.down_body().push_nm()
                        : climbs_by(f) > 0   ? heavier(f) * f.p.up_body().push_nm()
                                             : f.p.astride().push_nm();
    add_torque(f, rear,
               push * f.body.mass_scale * f.body.length_scale * f.links[rear].rotation.col(1));
    return;
  }
  const int side = 1 - f.step.stance;
  const double ahead = 0.01, next_phase = f.step.phase + ahead * f.phase_rate;
  const Vec3 axis = rotation_z(swing.lift_heading) * Vec3::UnitY();
  reach_for(f, side, push_off_ankle(f, f.step.phase), push_off_ankle(f, next_phase), ahead, axis,
            axis, p.strength());
  const double pitch = push_off_pitch(f, f.step.phase);
  drive_foot(f, side, pitch, (push_off_pitch(f, next_phase) - pitch) / ahead, 1);
  // The load moves to the other leg as the push goes on, so the torque falls with it.
  const double done = push_off_done(f, f.step.phase);
  const double speed = std::clamp(f.course.velocity.x() / (p.full_speed_mps() * f.body.time_scale),
                                  0.0, p.most_torque());
  // Whoever is slow pushes more.
  const double slow =
      (f.course.velocity.x() - report.mean_velocity.x()) / (p.too_slow_mps() * f.body.time_scale);
  const double more = std::clamp(1 + p.feedback() * slow, 0.0, p.most_feedback());
  const double torque = (f.step.descended > 0 ? f.p.down_body().push_off() : 1) * f.underfoot.grip *
                        p.torque_nm() * speed * more * f.body.mass_scale * f.body.length_scale *
                        (1 - done);
  const int foot = f.body.biped.link[kLeftFoot + side];
  add_torque(f, foot, torque * f.links[foot].rotation.col(1));
  const Vec2 at = landing(f);
  report.foot_target << at, f.ground_at(at) + f.body.biped.ankle_height[side];
}

double ball_ahead(const Frame& f, int side) {
  const auto& links = f.body.creature->model->links;
  const Vec3 ball = links[f.body.biped.link[kLeftToes + side]].at_parent -
                    links[f.body.biped.link[kLeftFoot + side]].at_child;
  return std::max(0.0, ball.x());
}

double roll_over_torque(const Frame& f, int side, double load) {
  const v1::GbwcPushOff& p = f.p.push_off();
  if (p.roll_over() <= 0) return 0;
  const double ahead = f.in_heading(f.s.com - f.s.ankle[side]).x();
  const double rolled = stood_ahead(f) * f.body.foot_reach[side].x() + p.roll_over() * ahead;
  // A heel comes up only where the ball carries all.
  const double asked = tiptoe_share(f) * style_offset(f, StyleJoint::kStanceAnkle, 1);
  const double on_ball = p.heel_rise() * ramp01(asked, p.heel_up_rad(), 2 * p.heel_up_rad());
  const double place = std::clamp(std::lerp(rolled, ball_ahead(f, side), on_ball),
                                  -f.body.foot_reach[side].y(), ball_ahead(f, side));
  return load * place;
}

}  // namespace promenade::control::gbwc
