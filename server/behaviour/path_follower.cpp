#include "behaviour/path_follower.h"

#include <algorithm>
#include <cmath>

#include "behaviour/steering.h"
#include "math/rotation.h"

namespace promenade::behaviour {
namespace {
constexpr double kNear = 0.30;       // m, a way-point within this is done (times scale)
constexpr double kArrive = 0.15;     // m, the last way-point within this is done
constexpr double kLookAhead = 0.8;   // m, to the point aimed at (times scale)
constexpr double kStray = 0.6;       // m off the leg when passing a way-point: try it again
constexpr double kBrakeTime = 0.9;   // s, speed falls in proportion to what is left of the way
constexpr double kCornerTime = 1.2;  // s before a corner, the slowing begins
constexpr double kSlowest = 0.25;    // m/s, on the way
}  // namespace

void PathFollower::Order::visit(StateVisitor& state) {
  state.list(points, kMostPoints);
  if (points.empty()) state.fail("has a path without points");
  state(closed, speed);
}

PathFollower::PathFollower(Order order, const Start& start)
    : order_(std::move(order)), steering_(stagger_of(start.id)) {
  order_.closed = order_.closed && order_.points.size() > 1;
}

void PathFollower::relocated(const Self& self) {
  from_ = self.position;
  started_ = true;
  steering_.reset();
  if (arrived_) final_heading_ = self.heading;
}

void PathFollower::advance(const Vec2& here) {
  if (is_last()) {
    arrived_ = true;
    return;
  }
  // The new leg starts at the way-point. If that was missed by far it starts here: what counts is
  // the way to the next one.
  from_ = (here - target()).norm() < 2 * kNear ? target() : here;
  next_ = (next_ + 1) % order_.points.size();
}

// Speed fit for the corner at the way-point `distance` m ahead: the whole speed where the path goes
// straight on, a third of it where it turns back.
double PathFollower::corner_speed(double speed, double distance) const {
  if (is_last()) return speed;
  const Vec2 in = target() - from_;
  const Vec2 out = order_.points[(next_ + 1) % order_.points.size()] - target();
  if (in.norm() < 1e-6 || out.norm() < 1e-6) return speed;
  const double turn = std::acos(std::clamp(in.normalized().dot(out.normalized()), -1.0, 1.0));
  const double sharp = std::clamp((turn - kPi / 6) / (kPi - kPi / 6), 0.0, 1.0);
  const double at_corner = speed * (1 - 0.67 * sharp);
  const double reach = std::max(speed * kCornerTime, 1e-6);
  return at_corner + (speed - at_corner) * std::clamp(distance / reach, 0.0, 1.0);
}

Vec2 PathFollower::preferred_velocity(const Self& self) {
  if (!started_) {
    started_ = true;
    from_ = self.position;
  }
  if (arrived_) return Vec2::Zero();
  const double speed = order_.speed > 0 ? order_.speed : self.cruise_speed;

  // Goes on while way-points are done. At most once around: all points of a closed path may lie in
  // one place.
  for (std::size_t tries = 0; tries <= order_.points.size() && !arrived_; ++tries) {
    const Vec2 leg = target() - from_;
    const double length = leg.norm();
    const double distance = (target() - self.position).norm();
    const double near = (is_last() ? kArrive : kNear) * std::max(self.scale, 0.5);
    if (distance < near) {
      advance(self.position);
      continue;
    }
    if (length < 1e-6) break;
    const double left = leg.dot(target() - self.position) / length;
    if (left > 0) break;
    if (distance < (is_last() ? 0.35 : kStray) * std::max(self.scale, 0.5)) {
      advance(self.position);
      continue;
    }
    from_ = self.position;  // pushed or steered aside: approach it from here
    break;
  }
  if (arrived_) return Vec2::Zero();

  // Aim ahead along the leg, past its end into the next one.
  const Vec2 leg = target() - from_;
  const double length = leg.norm();
  const Vec2 along = length > 1e-6 ? Vec2(leg / length) : Vec2::Zero();
  const double done = std::clamp(along.dot(self.position - from_), 0.0, length);
  double ahead = kLookAhead * std::max(self.scale, 0.5);
  Vec2 aim = target();
  if (done + ahead < length) {
    aim = from_ + along * (done + ahead);
  } else if (!is_last()) {
    ahead = 0.5 * (done + ahead - length);  // half of it: a corner is cut by a step, no more
    const Vec2 next = order_.points[(next_ + 1) % order_.points.size()] - target();
    if (next.norm() > 1e-6) aim += next * (std::min(ahead, next.norm()) / next.norm());
  }
  const Vec2 way = aim - self.position;
  if (way.norm() < 1e-6) return Vec2::Zero();
  const double distance = (target() - self.position).norm();
  double wanted = corner_speed(speed, distance);
  if (is_last()) wanted = std::min(wanted, distance / kBrakeTime);
  wanted = std::clamp(wanted, std::min(kSlowest * std::sqrt(self.scale), speed), speed);
  return way * (wanted / way.norm());
}

control::Goal PathFollower::update(const Self& self, const Surroundings& around, double dt) {
  const bool was_arrived = arrived_;
  const Vec2 preferred = preferred_velocity(self);
  if (arrived_) {
    if (!was_arrived) final_heading_ = self.heading;
    return goal_to_stand(self.heading, final_heading_, turning_);
  }
  return steering_.steer(preferred, self, around, dt, (target() - self.position).norm());
}

bool PathFollower::take_arrived() {
  if (!arrived_ || arrival_told_) return false;
  return arrival_told_ = true;
}

void PathFollower::append_path(std::vector<Vec2>& out) const {
  if (arrived_) return;
  const auto next = order_.points.begin() + std::ptrdiff_t(next_);
  out.insert(out.end(), next, order_.points.end());
  if (order_.closed) out.insert(out.end(), order_.points.begin(), next);
}

void PathFollower::visit(StateVisitor& state) {
  order_.visit(state);
  state.choice(next_, order_.points.size());
  state(from_, started_, arrived_, arrival_told_, final_heading_, turning_);
  steering_.visit(state);
}

}  // namespace promenade::behaviour
