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
#include "control/gbwc/steps/obstacles.h"
#include "control/gbwc/steps/stairs.h"
#include "control/gbwc/style_now.h"
#include "control/gbwc/swing/foot_placement.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kTooSlow = 0.3;    // m/s less than asked, for which push_off_feedback is given
constexpr double kFullSpeed = 1.2;  // m/s, for which torque and pitch are given
constexpr double kShortest = 0.01;  // of a step, that a push-off takes
constexpr double kHeelUp = 0.15;    // rad, of a stance foot that stands on its ball
constexpr double kAcross = 0.3;  // m: so near to the middle of the feet an obstacle is between them
constexpr double kStraddled = 0.8;  // s, most that both feet bear astride an obstacle
// Then the capture point is this short of the leading ankle, m, and further on by a share of what
// the feet are further apart than usual: much of its speed is lost in rising over a long step.
constexpr double kNearlyOver = 0.025, kSpreadAhead = 0.213, kUsualSpread = 0.5;
constexpr double kLiftsEarly = 0.55;  // of double support, after which a trailing foot lifts there
constexpr double kAstride = 110;   // N m, by which the trailing ankle pushes meanwhile, for a human
constexpr double kDownPush = 20;   // N m, likewise down stairs
constexpr double kDownLess = 0.3;  // of the usual push-off, after a step down
constexpr double kHeelLow = 0.13;  // of the usual pitch: a heel that rises moves the knee forward
constexpr double kUnloaded = 0.03;  // of the weight: a foot that bears less has left the ground

/// How much of the push-off is over, 0 to 1.
double push_off_done(const Frame& f, double phase) {
  return std::clamp(phase / std::max(kShortest, f.p.double_support()), 0.0, 1.0);
}

/// Pitch of the trailing foot against the ground, rad, heel up positive.
double push_off_pitch(const Frame& f, double phase) {
  const double done = push_off_done(f, phase);
  const double speed =
      (f.plan.over >= 0 ? kHeelLow : 1) *
      std::clamp(f.course.velocity.x() / (kFullSpeed * f.body.time_scale), 0.0, 1.2);
  return std::lerp(f.swing.push_pitch,
                   std::max(f.swing.push_pitch, speed * f.p.push_off_deg() * kRadFromDeg), done);
}

/// Where the trailing ankle is while the foot turns about its ball, m, world.
Vec3 push_off_ankle(const Frame& f, double phase) {
  const int side = 1 - f.step.stance;
  const auto& links = f.body.creature->model->links;
  const Vec3 from_ball = links[f.body.biped.link[kLeftFoot + side]].at_child -
                         links[f.body.biped.link[kLeftToes + side]].at_parent;
  const Quat turn = twist_of(Quat(f.links[f.body.biped.link[kLeftFoot + side]].rotation));
  const double done = push_off_done(f, phase);
  const Vec3 lift(0, 0, f.p.push_off_lift_m() * f.body.length_scale * done * done);
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
  step.lift_phase = std::min(step.phase, kLatestLift);
  step.airborne = false;
  step.pushing = false;
  swing.taken_over = TakenOver{};
}

void begin_push_off(const Frame& f, StepState& step, SwingState& swing) {
  const int side = 1 - step.stance;
  // Over an obstacle both feet bear for longer.
  const double between = 0.5 * (f.features.along(f.s.ankle[0]) + f.features.along(f.s.ankle[1]));
  bool across = on_stairs(f);
  const auto boards = f.features.of(FeatureKind::kBoard);
  for (int i = 0; i < boards.size(); ++i)
    across = across || boards[i].holds(between, kAcross * f.body.length_scale);
  if (f.p.double_support() <= 0 || f.load[side] < kUnloaded || (f.trouble > 0.5 && !across)) return;
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
  const int side = 1 - step.stance;
  if (straddles(f) && f.load[side] >= kUnloaded) return;
  const bool left = f.load[side] < kUnloaded && step.phase > 0.3 * f.p.double_support();
  if (step.phase >= (trailing(f) ? kLiftsEarly : 1) * f.p.double_support() || left ||
      f.trouble > 0.5)
    lift_off(f, step, swing);
}

bool straddles(const Frame& f) {
  if (f.step.standing || !f.step.pushing) return false;
  const bool stairs = on_stairs(f);
  if (!stairs && (f.plan.over < 0 || !trailing(f))) return false;
  if (f.step.clock > kStraddled * f.body.time_scale) return false;
  if (stairs) return !stairs_ready(f);
  const double capture =
      f.in_heading(f.s.com - f.s.ankle[f.step.stance]).x() + f.velocity.x() / f.omega;
  const double spread = f.in_heading(f.s.ankle[f.step.stance] - f.swing.ball).x();
  return capture < kSpreadAhead * (spread - kUsualSpread * f.body.length_scale) -
                       kNearlyOver * f.body.length_scale;
}

void drive_push_off(const Frame& f, SwingState& swing, ControlReport& report) {
  if (straddles(f)) {
    const int leg = 1 - f.step.stance;
    drive_stance_leg(f, leg, swing);
    const int rear = f.body.biped.link[kLeftFoot + leg];
    const double push = f.step.descended > 0 ? kDownPush
                        : climbs_by(f) > 0   ? heavier(f) * f.p.climb_push_nm()
                                             : kAstride;
    add_torque(f, rear,
               push * f.body.mass_scale * f.body.length_scale * f.links[rear].rotation.col(1));
    return;
  }
  const int side = 1 - f.step.stance;
  const double ahead = 0.01, next_phase = f.step.phase + ahead * f.phase_rate;
  const Vec3 axis = rotation_z(swing.lift_heading) * Vec3::UnitY();
  reach_for(f, side, push_off_ankle(f, f.step.phase), push_off_ankle(f, next_phase), ahead, axis,
            axis, f.p.push_off_strength());
  const double pitch = push_off_pitch(f, f.step.phase);
  drive_foot(f, side, pitch, (push_off_pitch(f, next_phase) - pitch) / ahead, 1);
  // The load moves to the other leg as the push goes on, so the torque falls with it.
  const double done = push_off_done(f, f.step.phase);
  const double speed =
      std::clamp(f.course.velocity.x() / (kFullSpeed * f.body.time_scale), 0.0, 1.5);
  // Whoever is slow pushes more.
  const double slow =
      (f.course.velocity.x() - report.mean_velocity.x()) / (kTooSlow * f.body.time_scale);
  const double more = std::clamp(1 + f.p.push_off_feedback() * slow, 0.0, 2.0);
  const double torque = (f.step.descended > 0 ? kDownLess : 1) * f.underfoot.grip *
                        f.p.push_off_nm() * speed * more * f.body.mass_scale * f.body.length_scale *
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
  if (f.p.roll_over() <= 0) return 0;
  const double ahead = f.in_heading(f.s.com - f.s.ankle[side]).x();
  const double rolled = stood_ahead(f) * f.body.foot_reach[side].x() + f.p.roll_over() * ahead;
  // A heel comes up only where the ball carries all.
  const double asked = tiptoe_share(f) * style_offset(f, StyleJoint::kStanceAnkle, 1);
  const double on_ball = f.p.heel_rise() * ramp01(asked, kHeelUp, 2 * kHeelUp);
  const double place = std::clamp(std::lerp(rolled, ball_ahead(f, side), on_ball),
                                  -f.body.foot_reach[side].y(), ball_ahead(f, side));
  return load * place;
}

}  // namespace promenade::control::gbwc
