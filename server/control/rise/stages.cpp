// The stages of getting up: the pose that each wants, and when the next begins.
#include <algorithm>
#include <cmath>

#include "control/rise/frame.h"

namespace promenade::control {
namespace {

constexpr double kStill = 0.05;       // m^2/s^2, kinetic energy over mass of a body that lies still
constexpr double kStillFor = 0.2;     // s of lying still until it begins
constexpr double kLongestFall = 3;    // s, then it begins anyhow
constexpr double kLongestRoll = 2.5;  // s, then it tries anew
constexpr double kLongestRock = 2;    // s, beyond its own time
constexpr double kLongestStand = 5;   // s, then it tries anew
constexpr double kCalm = 0.3;         // m/s, of a body that stands
constexpr double kCalmFor = 0.12;     // s of calm until it counts as standing
constexpr double kSlower = 0.3;       // share of a stage's time that each try adds, up to twice
constexpr double kOnBack = 0.3;       // front of the trunk against the vertical: it has tipped over
constexpr double kTrunkBalance =
    1.5;                              // rad/m, of the pelvis against an offset of the capture point
constexpr double kMostOffset = 0.25;  // m, of the capture point, that counts
constexpr double kTuck = -0.6;        // rad, of toes that carry a kneeling foot

double pitch_of(const Mat3& link, const Vec3& forward) {
  return std::atan2(link.col(2).dot(forward), link(2, 2));
}

}  // namespace

/// Gives way in the knees and hips and stretches the arms towards where it falls.
void Rise::fall(const Frame& f) {
  legs_ = p_->fall_legs();
  arms_ = p_->fall_arms();
  set_legs(-0.5, 0.1, 0.6, 0, 0);
  set_spine(0.2);
  set_head(f);
  Vec2 way = f.s.com_velocity.head<2>();
  const double speed = way.norm();
  if (speed > 0.3 && stage_ == Stage::kFall) {
    way /= speed;
    for (const int side : {kLeft, kRight}) {
      const auto k = std::size_t(side);
      const double arm = p_->brace_reach() * (upper_arm_[k] + lower_arm_[k]);
      const Vec3 ahead(way.x() * arm, way.y() * arm, -0.6 * arm);
      reach(f, side, f.shoulder[k], f.shoulder[k] + ahead, Quat(f.torso));
    }
  } else {
    set_arms(0.4, -0.6, 0, -0.8);
  }
  quiet_ = f.body.kinetic_energy() < kStill ? quiet_ + f.dt : 0;
  if (quiet_ < kStillFor && clock_ < kLongestFall) return;
  legs_ = arms_ = 1;
  enter(f.torso(2, 0) < -0.5 && f.pelvis(2, 0) < -0.3 ? Stage::kGather : Stage::kRoll);
}

/// Turns over to the belly: leg and arm of the upper side go across, and down once it lies on its
/// side; the other arm goes up beside the head.
void Rise::roll(const Frame& f) {
  if (clock_ == 0) {
    side_ = f.torso(2, 1) > 0 ? kRight : kLeft;  // over the side that is lower
    if (tries_ % 2 == 1) side_ = 1 - side_;
  }
  // Every other pair of tries waits for a heavy pelvis to follow the chest.
  const bool wait = tries_ / 2 % 2 == 1;
  const double front = wait ? 0.5 * (f.torso(2, 0) + f.pelvis(2, 0)) - 0.1 : f.torso(2, 0);
  if (front < p_->roll_side()) done_ = 1;
  if (wait && front > 0.8) done_ = 0;
  const double m = side_ == kLeft ? 1 : -1;
  const auto up = std::size_t(1 - side_), low = std::size_t(side_);
  const auto pick = [this](double over, double down) { return done_ > 0 ? down : over; };
  set_legs(pick(p_->over_low_hip_rad(), p_->down_low_hip_rad()),
           pick(p_->over_spread_rad(), p_->down_spread_rad()), 0.15, 0.3, 0);
  wanted_[kLeftThigh + up] = Vec3(m * pick(p_->over_hip_roll_rad(), p_->down_hip_roll_rad()),
                                  -pick(p_->over_hip_rad(), p_->down_hip_rad()),
                                  m * pick(p_->over_hip_yaw_rad(), p_->down_hip_yaw_rad()));
  wanted_[kLeftShank + up] = Vec3(pick(p_->over_knee_rad(), p_->down_knee_rad()), 0, 0);
  wanted_[kLeftUpperArm + up] = Vec3(m * pick(p_->over_arm_roll_rad(), p_->down_arm_roll_rad()),
                                     -pick(p_->over_arm_rad(), p_->down_arm_rad()),
                                     m * pick(p_->over_arm_yaw_rad(), p_->down_arm_yaw_rad()));
  wanted_[kLeftLowerArm + up] = Vec3(-0.2, 0, 0);
  wanted_[kLeftUpperArm + low] =
      Vec3(m * pick(p_->over_low_arm_roll_rad(), p_->down_low_arm_roll_rad()),
           -pick(p_->over_low_arm_rad(), p_->down_low_arm_rad()), 0);
  wanted_[kLeftLowerArm + low].setZero();
  set_spine(0.1, m * pick(p_->over_twist_rad(), p_->down_twist_rad()));
  wanted_[kHead] = Vec3(0, 0.3, m * 0.5);
  if (f.torso(2, 0) < -0.7 && f.pelvis(2, 0) < -0.5) return enter(Stage::kGather);
  if (clock_ > kLongestRoll) try_again(Stage::kFall);
}

/// Hands beside the shoulders; then the arms push up while the knees are drawn under the hips.
void Rise::gather(const Frame& f) {
  const double slow = 1 + kSlower * double(std::min<std::uint64_t>(tries_, 2));
  const double hands = slow * p_->hands_s(), draw = slow * p_->draw_s();
  const bool prone = f.torso(2, 0) < -0.7 && f.pelvis(2, 0) < -0.5;
  if (prone || done_ > 0) done_ += f.dt;
  const double drawn = ramp(done_, hands, hands + draw);
  set_legs(-p_->draw_rad() * drawn, p_->knees_apart_rad(), 2.4, -0.75, kTuck);
  knees_to_ground(f);
  set_spine(0.1);
  wanted_[kHead] = Vec3(0, -0.4, 0);
  hands_to_ground(f, {p_->reach_m() * size_, p_->hands_apart_m() * size_,
                      level_trunk(f, drawn > 0 ? 1.4 : 1.6), drawn > 0 ? 0.15 * size_ : 0, 0});
  if (done_ > 0 && f.torso(2, 0) > kOnBack) return try_again(Stage::kRoll);
  if (done_ > hands + draw + 0.2) return enter(Stage::kRock);
  if (done_ == 0 && clock_ > 2) try_again(Stage::kRoll);
}

/// Sits back onto the heels, then tips back over the balls of the feet, pushed by the arms, until
/// the feet carry it.
void Rise::rock(const Frame& f) {
  const double slow = 1 + kSlower * double(std::min<std::uint64_t>(tries_, 2));
  Vec3 feet = 0.5 * (f.ball[kLeft] + f.ball[kRight]);
  feet.z() = f.height(feet);
  if (clock_ == 0) {
    seat_ = f.level.transpose() * (f.links[0].position - feet);
    pitch_ = pitch_of(f.pelvis, f.forward());
  }
  const double sit = slow * p_->sit_s(), back = p_->back_s();
  const double u = ramp(clock_, 0, sit), v = ramp(clock_, sit, sit + back);
  const auto pass = [&](const auto& from, const auto& kneel, const auto& squat) {
    return (from + u * (kneel - from) + v * (squat - kneel));
  };
  const Vec3 kneel(p_->kneel_ahead_m() * size_, 0, p_->kneel_height_m() * size_);
  const Vec3 squat(p_->squat_ahead_m() * size_, 0, p_->squat_height_m() * size_);
  Vec3 seat = pass(seat_, kneel, squat);
  seat.y() -= p_->sway() * f.left().dot(f.capture_point() - feet);
  const double pitch = pass(pitch_, p_->kneel_pitch_rad(), p_->squat_pitch_rad());
  const double bend = pass(0.1, p_->kneel_bend_rad(), p_->squat_bend_rad());
  stand_on_feet(f,
                {f.level, feet + f.level * seat, Quat(f.level) * rotation_y(pitch), 0.8 * (1 - v)});
  set_spine(bend);
  wanted_[kHead] = Vec3(0, -0.4, 0);
  const double ahead = std::lerp(p_->reach_m(), p_->kneel_reach_m(), u);
  hands_to_ground(f, {ahead * size_, 0.1 * size_, level_trunk(f, pitch + 2 * bend - 0.3 * v),
                      p_->push_up_m() * size_, p_->push_back_m() * size_ * v});
  const Vec3 ankles = 0.5 * (f.s.ankle[kLeft] + f.s.ankle[kRight]);
  const double weight = creature_->total_mass * physics::kGravity;
  if (v > 0.6 && f.on_feet > 0.5 * weight &&
      f.forward().dot(f.s.com - ankles) < p_->over_feet_m() * size_) {
    return enter(Stage::kStand);
  }
  if (f.torso(2, 0) > kOnBack || clock_ > sit + back + kLongestRock) try_again(Stage::kFall);
}

/// Stretches the legs while the pelvis keeps the capture point over the feet; the trunk, bent
/// forward in the squat, comes upright.
void Rise::stand(const Frame& f) {
  const double standing = creature_->standing_height;
  const Vec3 ankles = 0.5 * (f.s.ankle[kLeft] + f.s.ankle[kRight]);
  const Vec3 pelvis = f.links[0].position;
  const double ground = f.height(ankles);
  Seat seat{f.level, pelvis, {}, 0};
  Vec3 ahead = f.links[std::size_t(biped_.link[kLeftFoot])].rotation.col(0) +
               f.links[std::size_t(biped_.link[kRightFoot])].rotation.col(0);
  ahead.z() = 0;
  if (ahead.norm() > 1e-6) {
    ahead.normalize();
    seat.level << ahead, Vec3::UnitZ().cross(ahead), Vec3::UnitZ();
  }
  if (clock_ == 0) {
    done_ = std::clamp((pelvis.z() - ground) / standing, 0.1, stage_ == Stage::kUp ? 0.99 : 0.9);
    pitch_ = pitch_of(f.pelvis, seat.level.col(0));
  }
  const Vec3 rest = ankles + p_->com_ahead_m() * size_ * seat.level.col(0);
  Vec3 off = seat.level.transpose() * (f.capture_point() - rest);
  off.z() = 0;
  const bool balanced = off.x() < 0.1 * size_ && off.x() > -0.06 * size_;
  if (balanced) done_ = std::min(0.99, done_ + p_->stand_rate_ps() * f.dt);
  const double lean = ramp(done_, 0.98, 0.45);
  // The trunk leans against an offset too, as hips do in people who lose their balance.
  const double against =
      kTrunkBalance * std::clamp(off.x() / size_, -kMostOffset, kMostOffset) * ramp(clock_, 0, 0.3);
  const double pitch = std::lerp(pitch_, 0.6 * lean, ramp(clock_, 0, 0.5)) - against;
  seat.turn = Quat(seat.level) * rotation_y(pitch);
  seat.pelvis -= p_->balance() * (seat.level * off);
  seat.pelvis.z() = ground + done_ * standing;
  set_spine(0.6 * lean - 0.5 * against);
  wanted_[kHead] = Vec3(0, -0.5 * lean, 0);
  set_arms(0.15, -lean - 0.2, 0, -0.4);
  stand_on_feet(f, seat);
  const double height = (pelvis.z() - ground) / standing;
  const bool calm = done_ > 0.93 && height > 0.8 && f.torso(2, 2) > 0.9 &&
                    f.s.com_velocity.norm() < kCalm * std::sqrt(size_);
  quiet_ = calm ? quiet_ + f.dt : 0;
  if (stage_ == Stage::kUp && height > 0.5) return;
  if (quiet_ > kCalmFor) {
    enter(Stage::kUp);
  } else if (height < 0.15 || (height < 0.5 && f.torso(2, 0) > 0.7) || clock_ > kLongestStand) {
    try_again(Stage::kFall);
  }
}

}  // namespace promenade::control
