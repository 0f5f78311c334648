// The trailing leg in double support, and the roll of the stance foot from heel to toe.
// Source: not in Coros2010, whose steps change feet at once; see
// docs/decisions/0024-double-support.md.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
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

}  // namespace

/// The swing begins where the foot is now.
void Gbwc::lift_off(const Frame& f) {
  const int side = 1 - step_.stance;
  const Vec3 swing = f.s.ankle[side];
  swing_.lift_heading = heading_of(Quat(f.links[body_.biped.link[kLeftFoot + side]].rotation)) -
                        side_sign(side) * style_->twist;
  swing_.lift_off = f.in_heading(swing - f.s.com);
  swing_.lift_ankle = swing;
  swing_.lift_height = swing.z() - f.ground_at(swing);
  step_.lift_phase = std::min(step_.phase, kLatestLift);
  step_.airborne = false;
  step_.pushing = false;
  swing_.taken_over = TakenOver{};
}

void Gbwc::begin_push_off(const Frame& f) {
  const int side = 1 - step_.stance;
  // Over an obstacle both feet bear for longer.
  const double between = 0.5 * (along_way(f.s.ankle[0]) + along_way(f.s.ankle[1]));
  bool across = on_stairs(f);
  const auto boards = features_.of(FeatureKind::kBoard);
  for (int i = 0; i < boards.size(); ++i)
    across = across || boards[i].holds(between, kAcross * body_.length_scale);
  if (p_->double_support() <= 0 || f.load[side] < kUnloaded || (f.trouble > 0.5 && !across)) return;
  push_off(f);
}

void Gbwc::push_off(const Frame& f) {
  const int side = 1 - step_.stance;
  step_.pushing = true;
  const physics::LinkMotion& foot = f.links[body_.biped.link[kLeftFoot + side]];
  swing_.push_pitch = std::asin(std::clamp(-foot.rotation(2, 0), -1.0, 1.0));
  swing_.ball = joint_position(f.state, body_.biped.link[kLeftToes + side]);
}

void Gbwc::end_push_off(const Frame& f) {
  const int side = 1 - step_.stance;
  if (straddles(f) && f.load[side] >= kUnloaded) return;
  const bool left = f.load[side] < kUnloaded && step_.phase > 0.3 * p_->double_support();
  if (step_.phase >= (trailing() ? kLiftsEarly : 1) * p_->double_support() || left ||
      f.trouble > 0.5)
    lift_off(f);
}

/// How much of the push-off is over, 0 to 1.
double Gbwc::push_off_done(double phase) const {
  return std::clamp(phase / std::max(kShortest, p_->double_support()), 0.0, 1.0);
}

/// Pitch of the trailing foot against the ground, rad, heel up positive.
double Gbwc::push_off_pitch(double phase) const {
  const double done = push_off_done(phase);
  const double speed = (over_ >= 0 ? kHeelLow : 1) *
                       std::clamp(course_.velocity.x() / (kFullSpeed * body_.time_scale), 0.0, 1.2);
  return std::lerp(swing_.push_pitch,
                   std::max(swing_.push_pitch, speed * p_->push_off_deg() * kRadFromDeg), done);
}

/// Where the trailing ankle is while the foot turns about its ball, m, world.
Vec3 Gbwc::push_off_ankle(const Frame& f, double phase) const {
  const int side = 1 - step_.stance;
  const auto& links = body_.creature->model->links;
  const Vec3 from_ball = links[body_.biped.link[kLeftFoot + side]].at_child -
                         links[body_.biped.link[kLeftToes + side]].at_parent;
  const Quat turn = twist_of(Quat(f.links[body_.biped.link[kLeftFoot + side]].rotation));
  const double done = push_off_done(phase);
  const Vec3 lift(0, 0, p_->push_off_lift_m() * body_.length_scale * done * done);
  return swing_.ball + lift + turn * (rotation_y(push_off_pitch(phase)) * from_ball);
}

/// Whether the weight still moves to the foot behind an obstacle: the other one stays on the ground
/// until the capture point is near that foot.
bool Gbwc::straddles(const Frame& f) const {
  if (step_.standing || !step_.pushing) return false;
  const bool stairs = on_stairs(f);
  if (!stairs && (over_ < 0 || !trailing())) return false;
  if (step_.clock > kStraddled * body_.time_scale) return false;
  if (stairs) return !stairs_ready(f);
  const double capture =
      f.in_heading(f.s.com - f.s.ankle[step_.stance]).x() + f.velocity.x() / f.omega;
  const double spread = f.in_heading(f.s.ankle[step_.stance] - swing_.ball).x();
  return capture < kSpreadAhead * (spread - kUsualSpread * body_.length_scale) -
                       kNearlyOver * body_.length_scale;
}

void Gbwc::drive_push_off(const Frame& f) {
  if (straddles(f)) {
    const int leg = 1 - step_.stance;
    drive_stance_leg(f, leg);
    const int rear = body_.biped.link[kLeftFoot + leg];
    const double push = step_.descended > 0 ? kDownPush
                        : climbs_by(f) > 0  ? heavier(f) * p_->climb_push_nm()
                                            : kAstride;
    add_torque(f, rear,
               push * body_.mass_scale * body_.length_scale * f.links[rear].rotation.col(1));
    return;
  }
  const int side = 1 - step_.stance;
  const double ahead = 0.01, next_phase = step_.phase + ahead * f.phase_rate;
  const Vec3 axis = rotation_z(swing_.lift_heading) * Vec3::UnitY();
  reach_for(f, side, push_off_ankle(f, step_.phase), push_off_ankle(f, next_phase), ahead, axis,
            axis, p_->push_off_strength());
  const double pitch = push_off_pitch(step_.phase);
  drive_foot(f, side, pitch, (push_off_pitch(next_phase) - pitch) / ahead, 1);
  // The load moves to the other leg as the push goes on, so the torque falls with it.
  const double done = push_off_done(step_.phase);
  const double speed = std::clamp(course_.velocity.x() / (kFullSpeed * body_.time_scale), 0.0, 1.5);
  // Whoever is slow pushes more.
  const double slow =
      (course_.velocity.x() - report_.mean_velocity.x()) / (kTooSlow * body_.time_scale);
  const double more = std::clamp(1 + p_->push_off_feedback() * slow, 0.0, 2.0);
  const double torque = (step_.descended > 0 ? kDownLess : 1) * ground_.grip * p_->push_off_nm() *
                        speed * more * body_.mass_scale * body_.length_scale * (1 - done);
  const int foot = body_.biped.link[kLeftFoot + side];
  add_torque(f, foot, torque * f.links[foot].rotation.col(1));
  const Vec2 at = landing(f);
  report_.foot_target << at, f.ground_at(at) + body_.biped.ankle_height[side];
}

/// How far the joint of the toes is ahead of the ankle, m; 0 where it is behind.
double Gbwc::ball_ahead(int side) const {
  const auto& links = body_.creature->model->links;
  const Vec3 ball = links[body_.biped.link[kLeftToes + side]].at_parent -
                    links[body_.biped.link[kLeftFoot + side]].at_child;
  return std::max(0.0, ball.x());
}

/// Torque on the stance foot about its y axis that puts the centre of pressure where a rolling foot
/// has it, N m.
/// Law:    tau = N (p - a), p = a + c + rho (x - a), N the load on the foot, a, p, x the places of
///         ankle, centre of pressure and COM along the heading, c the place of the load with the
///         COM above the ankle (stood_ahead), rho the share (roll_over)
double Gbwc::roll_over_torque(const Frame& f, int side, double load) const {
  if (p_->roll_over() <= 0) return 0;
  const double ahead = f.in_heading(f.s.com - f.s.ankle[side]).x();
  const double rolled = stood_ahead() * body_.foot_reach[side].x() + p_->roll_over() * ahead;
  // A heel comes up only where the ball carries all.
  const double asked = tiptoe_share() * style_offset(StyleJoint::kStanceAnkle, 1);
  const double on_ball = p_->heel_rise() * ramp01(asked, kHeelUp, 2 * kHeelUp);
  const double place = std::clamp(std::lerp(rolled, ball_ahead(side), on_ball),
                                  -body_.foot_reach[side].y(), ball_ahead(side));
  return load * place;
}

}  // namespace promenade::control
