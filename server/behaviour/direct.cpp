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

control::Intent Direct::update(const Self& self, const Surroundings&, double) {
  if (stand_) return intent_to_stand(self.heading, heading_, turning_);
  if (face_travel_ && velocity_.norm() > 0.05) heading_ = std::atan2(velocity_.y(), velocity_.x());
  control::Intent intent;
  intent.stand = false;
  intent.heading = heading_;
  intent.velocity = in_world_ ? rotated(velocity_, -heading_) : velocity_;
  return intent;
}

void Direct::relocated(const Self& self) {
  if (!face_travel_ || velocity_.norm() <= 0.05) heading_ = self.heading;
}

void Direct::append_state(std::vector<double>& out) const {
  out.insert(out.end(), {1.0, velocity_.x(), velocity_.y(), heading_, double(in_world_),
                         double(face_travel_), double(stand_), double(turning_)});
}

}  // namespace promenade::behaviour
