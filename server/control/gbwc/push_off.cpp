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
  const int side = 1 - stance_;
  const Vec3 swing = f.s.ankle[side];
  lift_off_heading_ = heading_of(Quat(f.links[biped_.link[kLeftFoot + side]].rotation)) -
                      side_sign(side) * style_->twist;
  lift_off_ = f.in_heading(swing - f.s.com);
  lift_ankle_ = swing;
  lift_off_height_ = swing.z() - f.ground_at(swing);
  lift_phase_ = std::min(phase_, kLatestLift);
  airborne_ = false;
  pushing_ = false;
  taken_over_ = TakenOver{};
}

void Gbwc::begin_push_off(const Frame& f) {
  const int side = 1 - stance_;
  // Over an obstacle both feet bear for longer.
  const double between = 0.5 * (along_way(f.s.ankle[0]) + along_way(f.s.ankle[1]));
  bool across = on_stairs(f);
  const auto boards = features_.of(FeatureKind::kBoard);
  for (int i = 0; i < boards.size(); ++i)
    across = across || boards[i].holds(between, kAcross * length_scale_);
  if (p_->double_support() <= 0 || f.load[side] < kUnloaded || (f.trouble > 0.5 && !across)) return;
  push_off(f);
}

void Gbwc::push_off(const Frame& f) {
  const int side = 1 - stance_;
  pushing_ = true;
  const physics::LinkMotion& foot = f.links[biped_.link[kLeftFoot + side]];
  push_pitch_ = std::asin(std::clamp(-foot.rotation(2, 0), -1.0, 1.0));
  ball_ = joint_position(f.state, biped_.link[kLeftToes + side]);
}

void Gbwc::end_push_off(const Frame& f) {
  const int side = 1 - stance_;
  if (straddles(f) && f.load[side] >= kUnloaded) return;
  const bool left = f.load[side] < kUnloaded && phase_ > 0.3 * p_->double_support();
  if (phase_ >= (trailing() ? kLiftsEarly : 1) * p_->double_support() || left || f.trouble > 0.5)
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
                       std::clamp(velocity_.x() / (kFullSpeed * time_scale_), 0.0, 1.2);
  return std::lerp(push_pitch_, std::max(push_pitch_, speed * p_->push_off_deg() * kRadFromDeg),
                   done);
}

/// Where the trailing ankle is while the foot turns about its ball, m, world.
Vec3 Gbwc::push_off_ankle(const Frame& f, double phase) const {
  const int side = 1 - stance_;
  const auto& links = body_->model->links;
  const Vec3 from_ball = links[biped_.link[kLeftFoot + side]].at_child -
                         links[biped_.link[kLeftToes + side]].at_parent;
  const Quat turn = twist_of(Quat(f.links[biped_.link[kLeftFoot + side]].rotation));
  const double done = push_off_done(phase);
  const Vec3 lift(0, 0, p_->push_off_lift_m() * length_scale_ * done * done);
  return ball_ + lift + turn * (rotation_y(push_off_pitch(phase)) * from_ball);
}

/// Whether the weight still moves to the foot behind an obstacle: the other one stays on the ground
/// until the capture point is near that foot.
bool Gbwc::straddles(const Frame& f) const {
  if (standing_ || !pushing_) return false;
  const bool stairs = on_stairs(f);
  if (!stairs && (over_ < 0 || !trailing())) return false;
  if (step_clock_ > kStraddled * time_scale_) return false;
  if (stairs) return !stairs_ready(f);
  const double capture = f.in_heading(f.s.com - f.s.ankle[stance_]).x() + f.velocity.x() / f.omega;
  const double spread = f.in_heading(f.s.ankle[stance_] - ball_).x();
  return capture <
         kSpreadAhead * (spread - kUsualSpread * length_scale_) - kNearlyOver * length_scale_;
}

void Gbwc::drive_push_off(const Frame& f) {
  if (straddles(f)) {
    const int leg = 1 - stance_;
    drive_stance_leg(f, leg);
    const int rear = biped_.link[kLeftFoot + leg];
    const double push = descended_ > 0     ? kDownPush
                        : climbs_by(f) > 0 ? heavier(f) * p_->climb_push_nm()
                                           : kAstride;
    add_torque(f, rear, push * mass_scale_ * length_scale_ * f.links[rear].rotation.col(1));
    return;
  }
  const int side = 1 - stance_;
  const double ahead = 0.01, next_phase = phase_ + ahead * f.phase_rate;
  const Vec3 axis = rotation_z(lift_off_heading_) * Vec3::UnitY();
  reach_for(f, side, push_off_ankle(f, phase_), push_off_ankle(f, next_phase), ahead, axis, axis,
            p_->push_off_strength());
  const double pitch = push_off_pitch(phase_);
  drive_foot(f, side, pitch, (push_off_pitch(next_phase) - pitch) / ahead, 1);
  // The load moves to the other leg as the push goes on, so the torque falls with it.
  const double done = push_off_done(phase_);
  const double speed = std::clamp(velocity_.x() / (kFullSpeed * time_scale_), 0.0, 1.5);
  // Whoever is slow pushes more.
  const double slow = (velocity_.x() - report_.mean_velocity.x()) / (kTooSlow * time_scale_);
  const double more = std::clamp(1 + p_->push_off_feedback() * slow, 0.0, 2.0);
  const double torque = (descended_ > 0 ? kDownLess : 1) * grip_ * p_->push_off_nm() * speed *
                        more * mass_scale_ * length_scale_ * (1 - done);
  const int foot = biped_.link[kLeftFoot + side];
  add_torque(f, foot, torque * f.links[foot].rotation.col(1));
  const Vec2 at = landing(f);
  report_.foot_target << at, f.ground_at(at) + biped_.ankle_height[side];
}

/// How far the joint of the toes is ahead of the ankle, m; 0 where it is behind.
double Gbwc::ball_ahead(int side) const {
  const auto& links = body_->model->links;
  const Vec3 ball = links[biped_.link[kLeftToes + side]].at_parent -
                    links[biped_.link[kLeftFoot + side]].at_child;
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
  const double rolled = stood_ahead() * foot_reach_[side].x() + p_->roll_over() * ahead;
  // A heel comes up only where the ball carries all.
  const double asked = tiptoe_share() * style_offset(StyleJoint::kStanceAnkle, 1);
  const double on_ball = p_->heel_rise() * ramp01(asked, kHeelUp, 2 * kHeelUp);
  const double place = std::clamp(std::lerp(rolled, ball_ahead(side), on_ball),
                                  -foot_reach_[side].y(), ball_ahead(side));
  return load * place;
}

}  // namespace promenade::control
