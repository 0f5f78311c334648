#include "behaviour/direct.h"

#include <cmath>

#include "behaviour/steering.h"
#include "math/rotation.h"

namespace promenade::behaviour {

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

control::Goal Direct::update(const Self& self, const Surroundings&, double) {
  if (stand_) return goal_to_stand(self.heading, heading_, turning_);
  if (face_travel_ && velocity_.norm() > 0.05) heading_ = std::atan2(velocity_.y(), velocity_.x());
  control::Goal goal;
  goal.stand = false;
  goal.heading = heading_;
  goal.velocity = in_world_ ? rotated(velocity_, -heading_) : velocity_;
  return goal;
}

void Direct::relocated(const Self& self) {
  if (!face_travel_ || velocity_.norm() <= 0.05) heading_ = self.heading;
}

void Direct::visit(StateVisitor& state) {
  state(velocity_, heading_, in_world_, face_travel_, stand_, turning_);
}

}  // namespace promenade::behaviour
