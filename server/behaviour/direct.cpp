#include "behaviour/direct.h"

#include <algorithm>
#include <cmath>

#include "behaviour/steering.h"
#include "math/rotation.h"
#include "math/stopping.h"

namespace promenade::behaviour {

namespace {

constexpr double kBraking = 0.3;    // m/s^2, less than before walls: the other one comes on as well
constexpr double kAnswerLag = 0.6;  // s, until a walker answers, for legs of scale 1
constexpr double kBetween = 0.7;    // of the space that two want, which stays between them

}  // namespace

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
/// Law: closing speed at most speed_to_stop(a, T, d), a the braking, T the lag, d the free way
Vec2 Direct::short_of_others(const Self& self, const Surroundings& around,
                             const Vec2& velocity) const {
  Vec2 allowed = velocity;
  const double lag = kAnswerLag * std::sqrt(self.scale);
  for (const Neighbour& other : around.neighbours) {
    if (!other.character || other.radius <= 0) continue;
    const Vec2 way = other.position - self.position;
    const double distance = way.norm();
    if (distance < 1e-6) continue;
    const Vec2 toward = way / distance;
    const double free = distance - kBetween * (self.radius + other.radius);
    // Each of two who meet leaves the other half of the way.
    const double met = std::max(0.0, -other.velocity.dot(toward));
    const double stop = speed_to_stop(kBraking, lag, free - met);
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
