#include "behaviour/steering.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::behaviour {

namespace {
constexpr double kTurnRate = 1.15;  // rad/s, for legs of scale 1
constexpr double kAboutRate = 0.5;  // rad/s, in sharp turns, where bodies of uneven legs stumble
constexpr double kSlight = 0.5, kSharp = 1.0;  // rad, of turns; between them the rate falls
constexpr double kMaxLead = 70 * kRadFromDeg;  // how far the course may turn ahead of the walker
constexpr double kFaster = 0.5;                // m/s^2, at which it speeds up
constexpr double kSlower = 0.9;                // m/s^2, at which it slows down
constexpr double kTurningShare = 0.15;         // of the speed, kept when facing backwards
constexpr double kDirected = 0.08;             // m/s, slower velocities have no direction
// These numbers are for crowds.
constexpr double kWayIsClear = 0.2;                 // m/s, slower ones are evasions: no turn
constexpr double kCrowdTurn = 1.8;                  // rad/s, fastest turn in a crowd
constexpr double kTurnGain = 3;                     // 1/s, turn rate over the angle left
constexpr double kBackward = 0.4, kSideward = 0.5;  // m/s, for legs of scale 1
}  // namespace

control::Goal Course::follow(const Vec2& velocity, const Self& self, double dt, double distance) {
  double wanted = velocity.norm();
  if (!started_) {
    started_ = true;
    heading_ = self.heading;
    speed_ = std::clamp(self.velocity.norm(), 0.0, wanted);
  }
  double share = 1;
  if (wanted > kDirected) {
    const double travel = std::atan2(velocity.y(), velocity.x());
    const double off = std::abs(wrap_angle(travel - self.heading));
    share = std::max(kTurningShare, std::cos(std::min(0.7 * off, kPi / 2)));
    const double sharp = std::clamp((off - kSlight) / (kSharp - kSlight), 0.0, 1.0);
    const double rate = kTurnRate + (kAboutRate - kTurnRate) * sharp;
    // A goal nearer than the chord of the circle that this rate of turn gives is never reached.
    const double side = off < kPi / 2 ? std::sin(off) : 1;
    if (side > 0.1) wanted = std::min(wanted, 0.7 * rate * distance / (2 * side));
    const double step = rate / std::sqrt(self.scale) * dt;
    heading_ = wrap_angle(heading_ + std::clamp(wrap_angle(travel - heading_), -step, step));
    const double lead = wrap_angle(heading_ - self.heading);
    heading_ = wrap_angle(self.heading + std::clamp(lead, -kMaxLead, kMaxLead));
  }
  speed_ += std::clamp(share * wanted - speed_, -kSlower * dt, kFaster * dt);
  control::Goal goal;
  goal.stand = false;
  goal.heading = heading_;
  goal.velocity = Vec2(speed_, 0);
  return goal;
}

control::Goal CrowdCourse::follow(const CrowdChoice& choice, const Self& self, double dt) {
  if (!started_) {
    started_ = true;
    heading_ = self.heading;
  }
  const Vec2& velocity = choice.velocity;
  const double slow = 1 / std::sqrt(self.scale);
  if (velocity.norm() > kWayIsClear) {
    const double off = wrap_angle(std::atan2(velocity.y(), velocity.x()) - heading_);
    const double rate = std::clamp(kTurnGain * off, -kCrowdTurn, kCrowdTurn) * slow;
    heading_ = wrap_angle(heading_ + rate * dt);
    const double lead = wrap_angle(heading_ - self.heading);
    heading_ = wrap_angle(self.heading + std::clamp(lead, -kMaxLead, kMaxLead));
  }
  control::Goal goal;
  goal.stand = false;
  goal.heading = heading_;
  goal.velocity = rotated(velocity + choice.correction, -heading_);
  goal.velocity.x() = std::max(goal.velocity.x(), -kBackward / slow);
  goal.velocity.y() = std::clamp(goal.velocity.y(), -kSideward / slow, kSideward / slow);
  return goal;
}

control::Goal Steering::steer(const Vec2& wish, const Self& self, const Surroundings& around,
                              double dt, double distance) {
  wish_ = wish;
  if (around.chosen) {
    course_.reset();
    return crowd_course_.follow(*around.chosen, self, dt);
  }
  crowd_course_.reset();
  return course_.follow(avoidance_.choose(self, around, wish, dt), self, dt, distance);
}

void Steering::reset() {
  wish_.setZero();
  avoidance_.reset();
  course_.reset();
  crowd_course_.reset();
}

void Steering::visit(StateVisitor& state) {
  state(wish_);
  avoidance_.visit(state);
  course_.visit(state);
  crowd_course_.visit(state);
}

control::Goal goal_to_stand(double present_heading, double heading, bool& turning) {
  const double error = std::abs(wrap_angle(heading - present_heading));
  turning = error > (turning ? 5 : 12) * kRadFromDeg;
  control::Goal goal;
  goal.heading = heading;
  goal.stand = !turning;
  return goal;
}

Vec2 Obstacle::nearest(const Vec2& p) const {
  const Vec2 local = rotated(p - center, -yaw);
  return center + rotated(local.cwiseMax(-half).cwiseMin(half), yaw);
}

}  // namespace promenade::behaviour
