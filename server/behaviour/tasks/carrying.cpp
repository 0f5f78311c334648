// Carrying a thing from where it is to a place, and waiting for others who are at work there.
#include <cmath>

#include "behaviour/tasks/worker.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kWaitsWithin = 0.6;  // m, by which a place to wait may shift before one follows it

}  // namespace

control::Goal Worker::carry_there(const Now& now, const Task& task) {
  return placing_ ? put_down(now, task) : pick_up(now, task);
}

/// What was carried lies somewhere now.
void Worker::pick_up_again() {
  if (++drops_ > kMostDrops) {
    failed("it is dropped again and again");
    return;
  }
  placing_ = false;
  again();
  tries_ = 0;
}

void Worker::share() {
  tasks_.clear();
  repeat_ = false;
  current_ = 0;
  shares_ = true;
  waits_ = false;
  begin_task();
  if (carried_.thing == 0) let_go();
}

void Worker::take(const Task* task) {
  tasks_.clear();
  if (task) tasks_.push_back(*task);
  current_ = 0;
  begin_task();
  rests_ = false;
  if (carried_.thing == 0) let_go();
}

void Worker::wait_at(const std::optional<Vec2>& place) {
  if (place) wait_place_ = *place;
  if (waits_ == place.has_value()) return;
  waits_ = place.has_value();
  waiting_ = false;
  if (stage_ <= 1) again();
  tries_ = 0;
}

control::Goal Worker::wait(const Now& now) {
  if (!waiting_ || (wait_place_ - waits_near_).norm() > kWaitsWithin * now.self.scale) {
    waiting_ = true;
    waits_near_ = wait_place_;
    const Vec2 way = wait_place_ - now.self.position;
    stand_.place = wait_place_;
    stand_.heading = way.norm() > kWaitsWithin ? std::atan2(way.y(), way.x()) : now.self.heading;
    set_out(now, Approach::Manner::kRoughly);
    rests_ = false;
  }
  if (approach_.arrived()) return rest(now);
  return approach(now, 0, carried_.thing);
}

}  // namespace promenade::behaviour::tasks
