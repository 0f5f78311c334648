#include "behaviour/direct.h"

#include <algorithm>
#include <cmath>

#include "behaviour/steering.h"
#include "control/stopping.h"
#include "math/rotation.h"

namespace promenade::behaviour {

namespace {

constexpr double kBetween = 0.7;  // share of the space that two want: so much stays between them

}  // namespace

Direct::Direct(const Order& order, const Start& start) : heading_(start.heading) {
  if (order.speed != 0) walk_in_character_frame(Vec2(order.speed, 0));
}

void Direct::walk_in_character_frame(const Vec2& velocity) {
  velocity_ = velocity;
  in_world_ = face_travel_ = stand_ = false;
}

void Direct::walk_in_world(const Vec2& velocity) {
  velocity_ = velocity;
  in_world_ = face_travel_ = true;
  stand_ = false;
}

void Direct::set_heading(double heading) {
  heading_ = wrap_angle(heading);
  face_travel_ = false;
}

void Direct::stand() {
  velocity_.setZero();
  in_world_ = face_travel_ = false;
  stand_ = true;
  turning_ = false;
}

/// The velocity without the part of it that would not stop in time before another character.
/// Law: control::speed_to_stop_within() the free way, less the way that the other one, coming
///      nearer, needs to stop
Vec2 Direct::short_of_others(const Self& self, const Surroundings& around,
                             const Vec2& velocity) const {
  Vec2 allowed = velocity;
  const double lag = control::kAnswerLag * std::sqrt(self.scale);
  for (const Neighbour& other : around.neighbours) {
    if (!other.character || other.radius <= 0) continue;
    const Vec2 way = other.position - self.position;
    const double distance = way.norm();
    if (distance < 1e-6) continue;
    const Vec2 toward = way / distance;
    // It does not meet one that passes at its side if both go on as now.
    const Vec2 closer = velocity - other.velocity;
    const double passes = std::abs(way.x() * closer.y() - way.y() * closer.x());
    if (passes > (self.radius + other.radius) * closer.norm()) continue;
    const double free = distance - kBetween * (self.radius + other.radius);
    const double met = control::stopping_way(-other.velocity.dot(toward), control::kBraking, lag);
    const double stop = control::speed_to_stop_within(free - met, control::kBraking, lag);
    const double closing = allowed.dot(toward);
    if (closing > stop) allowed -= (closing - stop) * toward;
  }
  return allowed;
}

control::Goal Direct::update(const Self& self, const Surroundings& around, double) {
  if (stand_) return goal_to_stand(self.heading, heading_, turning_);
  if (face_travel_ && velocity_.norm() > 0.05) heading_ = std::atan2(velocity_.y(), velocity_.x());
  control::Goal goal;
  goal.stand = false;
  goal.heading = heading_;
  const Vec2 wanted = in_world_ ? velocity_ : rotated(velocity_, heading_);
  goal.velocity = in_world_ ? rotated(velocity_, -heading_) : velocity_;
  const Vec2 allowed = short_of_others(self, around, wanted);
  if (allowed != wanted) goal.velocity = rotated(allowed, -heading_);
  return goal;
}

void Direct::relocated(const Self& self) {
  if (!face_travel_ || velocity_.norm() <= 0.05) heading_ = self.heading;
}

void Direct::visit(StateVisitor& state) {
  state(velocity_, heading_, in_world_, face_travel_, stand_, turning_);
}

}  // namespace promenade::behaviour
