#include "behaviour/flow/on_errand.h"

namespace promenade::behaviour::flow {

control::Goal OnErrand::update(const Self& self, const Surroundings& around, double dt) {
  if (errand_.stand) return goal_to_stand(self.heading, errand_.facing, turning_);
  turning_ = false;
  const Vec2 way = errand_.aim - self.position;
  const double distance = way.norm();
  const Vec2 wish = distance > 1e-6 ? Vec2(way * (errand_.speed / distance)) : Vec2(Vec2::Zero());
  return steering_.steer(wish, self, around, dt, distance);
}

void OnErrand::relocated(const Self& self) {
  steering_.reset();
  turning_ = false;
  if (errand_.stand) errand_.facing = self.heading;
}

void OnErrand::append_path(std::vector<Vec2>& out) const {
  if (errand_.stand) return;
  out.push_back(errand_.aim);
  if (errand_.goal != errand_.aim) out.push_back(errand_.goal);
}

void OnErrand::visit(StateVisitor& state) {
  errand_.visit(state);
  state(turning_);
  steering_.visit(state);
}

}  // namespace promenade::behaviour::flow
