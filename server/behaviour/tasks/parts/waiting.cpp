#include "behaviour/tasks/parts/waiting.h"

#include <cmath>

namespace promenade::behaviour::tasks {

bool Waiting::wait_at(const std::optional<Vec2>& place) {
  if (place) place_ = *place;
  if (waits_ == place.has_value()) return false;
  waits_ = place.has_value();
  goes_ = false;
  return true;
}

control::Goal Waiting::update(const Now& now, Work& work) {
  const v1::WaitingParameters& p = now.parameters.waiting();
  Stand& stand = work.walk.stand();
  if (!goes_ || (place_ - near_).norm() > p.waits_within_m() * now.scale()) {
    goes_ = true;
    near_ = place_;
    const Vec2 way = place_ - now.self.position;
    stand.place = place_;
    stand.heading =
        way.norm() > p.waits_within_m() ? std::atan2(way.y(), way.x()) : now.self.heading;
    work.walk.set_out(now, Approach::Manner::kRoughly);
    work.rest.end();
  }
  if (work.walk.arrived()) return work.stand_by(now);
  return work.walk_on(now, 0, work.carried.thing);
}

}  // namespace promenade::behaviour::tasks
