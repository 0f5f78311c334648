// When steps begin and end; commands smoothed. Source: Coros2010 §3.1, §3.5, §5.1.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kFeltAtAll = 0.005;  // m, the least difference of the ground's height that counts
constexpr double kFeltIn = 0.02;      // s, in which it is taken over
constexpr double kLongestShift = 1.25;  // s, of the weight before a first step
constexpr double kSlack = 0.35;         // m/s, that is asked for beyond the speed of the last step
constexpr double kBrakeSlack = 0.7;     // m/s, likewise towards rest
constexpr double kWallBrake = 5;        // m, to a wall, before which braking is hard
constexpr double kNearlyStopped = 0.3;  // m/s: who is asked to go slower than this is to stop
constexpr double kTurning = 0.3;        // rad left, from which on it is a turn
constexpr double kOnToes = 0.3;         // of their length, that standing may lean out over the toes
constexpr double kBriskWalk = 1.25;     // m/s, of a human
constexpr double kFastTrouble = 1.5;    // 1/(m/s)
constexpr double kLongTrouble = 0.3;
constexpr double kCaughtLess = -0.04;  // m, by which they catch less than the feet reach
constexpr double kLevelFeet = 0.09;    // m, by which one foot may be ahead of the other for work
constexpr double kSlowForWork = 1.5;   // of the usual speed from which on it stands
constexpr double kUpright = 0.15;      // of the deepest stoop
constexpr double kStandsAlone = 0.5;   // of the weight, on the other foot
constexpr double kUneven = 0.015;      // m, between the grounds under the feet, for that
constexpr double kHangsFor = 0.1;      // s
constexpr double kAside = 0.1;         // m/s, sideways: from there on it is a walk aside

}  // namespace

void Gbwc::follow_velocity(const Frame& f, const Goal& goal, double dt) {
  const double left = std::abs(wrap_angle(final_heading_ - heading_));
  const double most = stood_grip_ * p_->acceleration_mps2() * dt;
  // While the body lags behind the speed asked for no more is asked, and turns begin more slowly.
  Vec2 asked = goal.velocity * std::clamp(1.3 - left / p_->turn_slow_rad(), 0.25, 1.0);
  const double in_turn = p_->turn_sharp_mps() * turn_share() * time_scale_;
  if (sharp_ && asked.norm() > in_turn) asked *= in_turn / asked.norm();
  const double slack = kSlack * time_scale_;
  // Asked for more than it can, a walker gives its most.
  asked.x() = std::clamp(asked.x(), -p_->most_backward_mps() * time_scale_,
                         p_->most_forward_mps() * time_scale_);
  const double aside = p_->most_aside_mps() * time_scale_;
  asked.y() = std::clamp(asked.y(), -aside, aside);
  // Less than nothing: back, the other way than was asked.
  if (asked.norm() > std::max(kNoSpeed, safe_speed_)) asked *= safe_speed_ / asked.norm();
  // Who turns on the spot too near to a wall steps back from it as well.
  if (!standing_ && safe_speed_ < 0 && asked.norm() <= kNoSpeed) asked = Vec2(safe_speed_, 0);
  if (!standing_) {
    const Vec2 mean = last_step_velocity_;
    // Who is to stop brakes hard; so does who nears a wall. Others need not: braked hard in a turn,
    // legs cross, on stairs and bad ground and after a push walkers stumble.
    const bool stopping = !f.view.has_relief() && asked.norm() < kNearlyStopped * time_scale_;
    const bool walled = wall_ahead_ < kWallBrake * length_scale_;
    const bool hard = (stopping || walled) && !sharp_ && left < kTurning && fine_clock_ <= 0;
    const double brake = hard ? kBrakeSlack * time_scale_ : slack;
    for (int k : {0, 1}) {
      const double lowest = std::min(mean[k] - slack, std::max(mean[k] - brake, 0.0));
      const double highest = std::max(mean[k] + slack, std::min(mean[k] + brake, 0.0));
      asked[k] = std::clamp(asked[k], lowest, highest);
    }
  }
  if (!standing_) asked.x() = speed_over(f, asked.x());
  const Vec2 change = asked - velocity_;
  velocity_ += change.norm() > most ? Vec2(change * (most / change.norm())) : change;
}

/// Where the ground under the stance foot is higher or lower than the query tells, all the
/// ground is taken to be that much higher or lower. So a walker that believes the ground to be
/// level can walk over unevenness that it does not know of.
void Gbwc::feel_ground(const Frame& f, double dt) {
  double load = 0, higher = 0;
  for (const physics::ContactPoint& c : f.state.contacts()) {  // of the last step; smoothed below
    bool felt = false;
    for (int side : {kLeft, kRight}) {
      felt = felt || ((standing_ || side == stance_) && (c.link == biped_.link[kLeftFoot + side] ||
                                                         c.link == biped_.link[kLeftToes + side]));
    }
    const double force = c.force.z();
    if (!felt || force <= 0) continue;
    const auto above = [&](double x, double y) {
      return c.position.z() -
             f.ground_now.clearance(x, y, f.view.hanging_from, c.position.z()).floor;
    };
    double off = above(c.position.x(), c.position.y());
    if (std::abs(off) > kFeltAtAll) {
      // A point at the edge of a block may stand on the ground beside that point.
      for (const Vec2& aside : {Vec2(0.01, 0), Vec2(-0.01, 0), Vec2(0, 0.01), Vec2(0, -0.01)}) {
        const Vec2 at = c.position.head<2>() + aside;
        const double other = above(at.x(), at.y());
        if (std::abs(other) < std::abs(off)) off = other;
      }
    }
    load += force;
    higher += force * off;
  }
  if (load < 0.1 * physics::kGravity * f.mass) return;
  felt_ = std::lerp(felt_, higher / load, dt / (dt + kFeltIn));
}

double Gbwc::trouble_of(const Frame& f) const {
  if (standing_) return 0;
  // The faster the walk, the more its speed changes over a regular step.
  const double fast = std::max(0.0, velocity_.norm() / time_scale_ - kBriskWalk);
  // So it does over a longer step.
  const double low = p_->trouble_speed_mps() * time_scale_ * (1 + kFastTrouble * fast) *
                     (1 + kLongTrouble * (f.longer - 1));
  // Slowing down in mid-step and swaying are what the pendulum of a regular step does: no trouble.
  const double forward = std::abs(f.velocity.x() - f.pendulum.pace() * velocity_.x());
  const double sideways = std::abs(f.velocity.y() - velocity_.y() - sway(f).y());
  return std::max(ramp01(forward, 1.2 * low, 2.4 * low), ramp01(sideways, 0.8 * low, 1.6 * low));
}

double Gbwc::aside() const {
  return std::min(1.0, std::abs(velocity_.y()) / (kAside * time_scale_));
}

double Gbwc::unrest() const {
  return std::min(1.0, std::abs(wrap_angle(final_heading_ - heading_)) / 0.3 +
                           (velocity_ - report_.mean_velocity).norm() / (0.4 * time_scale_));
}

Vec2 Gbwc::sway(const Frame& f) const {
  const double away = -side_sign(stance_) * 0.5 * f.width / f.pendulum.end.cosh();
  return {away * f.pendulum.now.cosh(), away * f.omega * f.pendulum.now.sinh()};
}

void Gbwc::begin_step(const Frame& f, int stance) {
  const bool walking = !standing_;
  if (step_clock_ > 0.1 * f.step_time) {
    const Vec3 moved = f.s.com - step_com_;
    last_step_velocity_ = f.in_heading(moved) / step_clock_;
    report_.mean_velocity = 0.5 * (report_.mean_velocity + last_step_velocity_);
    report_.step_time = step_clock_;
    report_.step_length = f.in_heading(f.s.ankle[stance] - f.s.ankle[1 - stance]).x();
    if (f.trouble < 0.5) {
      // Feet land a little before the curves have them land; the pace allows for it.
      usual_end_ = std::clamp(std::lerp(usual_end_, phase_, p_->end_learning()), 0.8, 1.05);
      const double limit = p_->speed_feedback_limit_m() * length_scale_;
      speed_correction_.x() =
          std::clamp(speed_correction_.x() +
                         p_->speed_feedback() * (velocity_.x() - report_.mean_velocity.x()),
                     -limit, limit);
      // In steps of 0.7 s the sway hardly decays by itself, and a correction that follows it
      // quickly makes it grow. In walking sideways the trailing foot keeps clear of the other and
      // lands further out than the pendulum asks for, which has to be learnt quickly.
      const double learning = std::lerp(p_->straight_feedback(), p_->aside_feedback(), aside());
      speed_correction_.y() =
          std::clamp(speed_correction_.y() + learning * (velocity_.y() - report_.mean_velocity.y()),
                     -limit, limit);
    }
    // Who stumbles, with steps cut short, slows down to a brisk walk.
    const double cut = 1 - ramp01(step_clock_ / (usual_end_ * f.step_time), 0.5, 0.8);
    const double brisk = kBriskWalk * time_scale_, speed = velocity_.norm();
    if (speed > brisk) velocity_ *= std::lerp(1.0, brisk / speed, std::max(f.trouble, cut));
  }
  ++report_.steps;
  put_style_aside();
  stance_ = stance;
  standing_ = false;
  shifting_ = false;
  idle_clock_ = hangs_clock_ = 0;
  phase_ = 0;
  stubbed_ = false;
  step_clock_ = 0;
  pose_clock_ = 0;
  step_com_ = f.s.com;
  lift_off(f);
  descended_ = walking ? std::max(0.0, descends_by(f)) : 0;
  if (walking) begin_push_off(f);
  anchor_ = f.s.ankle[stance];
  climbed_ = walking ? std::max(0.0, climbs_by(f)) : 0;
  knee_at_strike_ = f.state.state().angle[biped_.link[kLeftShank + stance]].x();
}

/// Goes on with the step that resume() has told of. Loads of the feet are not known yet: it is as
/// if the stance foot bore all.
void Gbwc::go_on(Frame& f) {
  const double phase = phase_;
  resumes_ = false;
  begin_step(f, stance_);
  phase_ = phase;
  step_clock_ = phase * f.step_time;
  step_com_ = f.s.com;
  step_com_.head<2>() -= step_clock_ * f.in_world(report_.mean_velocity);
  lift_phase_ = std::min(phase, kLatestLift);
  if (phase < p_->double_support()) {
    push_off(f);
  } else {
    f.load[stance_] = 1;
  }
}

/// A pendulum's capture point moves away from its support as exp(omega t). If it would be further
/// than the planned step reaches before the step ends, the step has to end sooner.
/// Law:    t_left = log(reach / xi) / omega on each axis, t_left the time left, xi the distance of
///         the capture point from the support, reach the greatest that the step can catch
/// Source: not in Coros2010, whose steps end late or at foot-strike; after Khadiv et al. 2016,
///         "Step timing adjustment: a step toward generating robust gaits".
double Gbwc::phase_rate_of(const Frame& f) const {
  // The learnt end counts on course only: in a turn or a change of speed quicker steps are safer.
  const double end = std::lerp(usual_end_, 1.0, f.unrest);
  const double regular = end / f.step_time;
  if (standing_) return regular;
  const double growth = f.pendulum.growth();
  const double l = length_scale_;
  const Vec2 capture = f.in_heading(f.s.com - f.s.ankle[stance_]) + f.velocity / f.omega;
  const double out = side_sign(1 - stance_);
  const double step_x = velocity_.x() * f.step_time * growth / (growth - 1);
  const double step_y =
      out * velocity_.y() * f.step_time * growth / (growth - 1) + f.width * growth / (1 + growth);
  const double reach_x = std::abs(step_x) + f.longer * p_->hurry_forward_m() * l;
  const double reach_y = std::max(0.05 * l, step_y + f.longer * p_->hurry_sideways_m() * l);
  const double to_go = std::max(0.05, end - phase_);
  double left = to_go / regular;
  // `support` is how far the stance foot can move the centre of pressure towards that side, m.
  auto limit = [&](double xi, double reach, double support) {
    if (xi <= support) return;
    left = std::min(left, std::log(std::max(1.0, (reach - support) / (xi - support))) / f.omega);
  };
  const Vec3 foot = p_->hurry_support() * foot_reach_[stance_];
  limit(capture.x(), reach_x + foot.x(), foot.x());
  limit(-capture.x(), reach_x + foot.y(), foot.y());
  limit(out * capture.y(), reach_y + foot.z(), foot.z());
  limit(-out * capture.y(), p_->hurry_inward_m() * l + foot.z(), foot.z());
  if (climb_ > 0 || descend_ > 0) return stairs_rate(f, capture.x(), to_go, regular);
  if (over_ >= 0) return rate_over(f, capture.x(), to_go, regular);
  const double rate = to_go / std::max(left, 1e-3);
  if (f.trouble <= 0) return std::clamp(rate, regular, p_->hurry() * regular);
  // A foot that is far from where it is needed gets the time to go there.
  const Vec2 way = f.in_heading(f.s.ankle[1 - stance_] - f.s.com) - ankle_goal_;
  const double needed =
      std::max(0.0, way.norm() - 0.05 * l) / (p_->swing_speed_mps() * time_scale_);
  const double slow = std::max(0.02, 1 - phase_) / std::max(needed, 1e-3);
  return std::clamp(std::min(rate, slow), p_->patience() * regular, p_->hurry() * regular);
}

void Gbwc::advance_phase(const Frame& f, double dt) {
  // The step waits a little until the new stance foot takes the load from the other one.
  const bool waiting = phase_ < 0.1 && f.load[stance_] < 0.5 * p_->full_load() &&
                       f.load[1 - stance_] > 0.5 * p_->full_load();
  const bool held = straddles(f) && phase_ > 0.5 * p_->double_support();
  phase_ += dt * f.phase_rate * (held ? 0 : waiting ? 0.3 : 1);
  step_clock_ += dt;
  const int swing = 1 - stance_;
  bool strike = phase_ >= 1 + p_->overtime();
  // If the stance foot is in the air while the other one stands, the other becomes the stance foot.
  // Not while it pushes off: the leading foot may bounce once.
  if (!pushing_ && phase_ > 0.15 && f.load[stance_] < 0.01 && f.load[swing] > 0.2) strike = true;
  // A stubbed toe is no foot-strike: the ankle has to be down.
  const Vec3 ankle = f.s.ankle[swing];
  const double low =
      way_height(f, ankle.head<2>()) + biped_.ankle_height[swing] + 0.025 * length_scale_;
  if (!pushing_ && f.load[swing] < 0.5 * p_->strike_load()) airborne_ = true;
  if (phase_ > p_->strike_phase() && ankle.z() < low && f.load[swing] > p_->strike_load() &&
      (airborne_ || p_->double_support() <= 0)) {
    strike = true;
  }
  if (phase_ > p_->strike_phase() && !pushing_ && over_ < 0 && climb_ <= 0 && descend_ <= 0 &&
      stands_early(f))
    strike = true;
  if (phase_ > p_->early_phase() && f.trouble > 0 && over_ < 0) {
    const Vec2 apart = f.in_heading(f.s.ankle[swing] - f.s.ankle[stance_]);
    const double outward = side_sign(swing) * apart.y();
    const double toward = side_sign(swing) * f.velocity.y();
    const double l = length_scale_, fast = 0.2 * time_scale_;
    if ((f.velocity.x() > fast && apart.x() > p_->early_forward_m() * l) ||
        (f.velocity.x() < -fast && apart.x() < -p_->early_backward_m() * l) ||
        (toward > fast && outward > p_->early_outward_m() * l) ||
        (toward < -fast && outward < -p_->early_inward_m() * l)) {
      strike = true;
    }
  }
  if (strike) begin_step(f, swing);
  if (pushing_) end_push_off(f);
}

bool Gbwc::balanced(const Frame& f, double margin) const {
  const Vec2 reach(capture_distance(f.velocity.x(), f.height),
                   capture_distance(f.velocity.y(), f.height));
  const Vec2 capture = f.in_heading(f.s.com) + reach;
  double front = -1e9, back = 1e9, left = -1e9, right = 1e9;
  for (int side : {kLeft, kRight}) {
    const Vec2 ankle = f.in_heading(f.s.ankle[side]);
    front =
        std::max(front, ankle.x() + std::lerp(ball_ahead(side), foot_reach_[side].x(), kOnToes));
    back = std::min(back, ankle.x() - foot_reach_[side].y());
    left = std::max(left, ankle.y() + foot_reach_[side].z());
    right = std::min(right, ankle.y() - foot_reach_[side].z());
  }
  return capture.x() < front + margin && capture.x() > back - margin &&
         capture.y() < left + margin && capture.y() > right - margin;
}

void Gbwc::stand_or_go(const Frame& f, const Goal& goal, double dt) {
  const bool wants_to_go = !goal.stand || goal.velocity.norm() > kNoSpeed ||
                           std::abs(wrap_angle(goal.heading - f.s.heading)) > 0.25;
  if (standing_) {
    const bool upright = balanced(f, p_->stand_margin_m() * length_scale_);
    const Vec2 offset = f.in_heading(f.s.com - 0.5 * (f.s.ankle[0] + f.s.ankle[1]));
    const Vec2 apart = f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]);
    if (!upright) {
      // The first step is taken by the leg on the side to which the body falls.
      const double falling = offset.y() + capture_distance(f.velocity.y(), f.height);
      begin_step(f, falling > 0 ? kRight : kLeft);
      return;
    }
    // A foot that hangs in the air, as at first on a hillside, is set down by a step.
    const int lighter = f.load[kLeft] < f.load[kRight] ? kLeft : kRight;
    const bool hangs = f.load[lighter] <= 0 && f.load[1 - lighter] > kStandsAlone &&
                       std::abs(f.ground_at(f.s.ankle[kLeft]) - f.ground_at(f.s.ankle[kRight])) >
                           kUneven * length_scale_;
    hangs_clock_ = hangs ? hangs_clock_ + dt : 0;
    if (hangs_clock_ > kHangsFor * time_scale_) {
      begin_step(f, 1 - lighter);
      return;
    }
    // Nobody sets out before coming up from a stoop.
    if (!wants_to_go || stoop_ > kUpright) {
      shifting_ = false;
      // Whose hands work does not idle.
      bool works = stoop_ > 0 || f.mass > body_->total_mass;
      for (const HandGoal& hand : goal.hand) works = works || hand.frame != HandGoal::Frame::kFree;
      idle_clock_ = works ? 0 : idle_clock_ + dt;
      return;
    }
    idle_clock_ = 0;
    if (!shifting_) {
      shifting_ = true;
      shift_clock_ = 0;
      stance_ = offset.y() >= 0 ? kLeft : kRight;
    }
    shift_clock_ += dt;
    const double toward = side_sign(stance_) * offset.y();
    if (toward > 0.4 * 0.5 * std::abs(apart.y()) || shift_clock_ > kLongestShift * time_scale_)
      begin_step(f, stance_);
    return;
  }
  // At foot-strike, slow and between the feet: stand.
  if (wants_to_go || step_clock_ > 0 || report_.steps < 1) return;
  if (velocity_.norm() > kNoSpeed) return;
  // Who stands for work has set the feet wide: they catch more, and the place should be kept.
  const bool works = goal.width > style_->step_width;
  const double slow = p_->stand_speed_mps() * time_scale_ * (works ? kSlowForWork : 1);
  const Vec2 apart = f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]);
  const double l = length_scale_;
  if (std::abs(f.velocity.x()) < slow && std::abs(f.velocity.y()) < (works ? 2 : 1.5) * slow &&
      std::abs(apart.x()) < (works ? kLevelFeet : 0.2) * l && apart.y() > 0.06 * l &&
      apart.y() < 0.35 * l && balanced(f, (works ? kCaughtLess : -0.01) * l)) {
    standing_ = true;
    shifting_ = false;
    resume_style();
  }
}

}  // namespace promenade::control
