#include "behaviour/wander.h"

#include <algorithm>
#include <cmath>

#include "behaviour/steering.h"
#include "math/rotation.h"

namespace promenade::behaviour {
namespace {
constexpr double kReached = 0.6;      // m, a way-point within this is reached (times scale)
constexpr double kShortest = 2.5;     // m to the next way-point, where the disc allows it
constexpr double kClearance = 0.9;    // m between a way-point and any obstacle
constexpr double kRestChance = 0.15;  // chance of a rest at a way-point
constexpr double kShortestRest = 2.0, kLongestRest = 5.0;  // s, of a rest
constexpr double kTurnLimit = 120 * kRadFromDeg;           // a stroll rarely turns back on itself
}  // namespace

void Wander::Order::visit(StateVisitor& state) {
  state(radius);
  bool has_center = center.has_value();
  state(has_center);
  if (state.reading()) center = has_center ? std::optional(Vec2(Vec2::Zero())) : std::nullopt;
  if (center) state(*center);
}

Wander::Wander(const Order& order, const Start& start)
    : center_(order.center.value_or(start.position)),
      radius_(order.radius),
      random_(start.random),
      steering_(random_.uniform()) {}

void Wander::choose_goal(const Self& self, const Surroundings& around) {
  const double shortest = std::min(kShortest, 0.8 * radius_);
  constexpr int kTries = 12;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const double angle = random_.uniform(-kPi, kPi);
    const double distance = radius_ * std::sqrt(random_.uniform());
    goal_ = center_ + distance * Vec2(std::cos(angle), std::sin(angle));
    if (attempt + 1 == kTries) break;
    const Vec2 way = goal_ - self.position;
    if (way.norm() < shortest) continue;
    const double turn = wrap_angle(std::atan2(way.y(), way.x()) - self.heading);
    if (std::abs(turn) > kTurnLimit && attempt < kTries / 2) continue;
    const bool clear =
        std::all_of(around.obstacles.begin(), around.obstacles.end(), [&](const Obstacle& o) {
          return (o.nearest(goal_) - goal_).norm() > kClearance * std::max(1.0, self.scale);
        });
    if (clear) break;
  }
  has_goal_ = true;
  const double speed = std::max(0.2, self.cruise_speed);
  patience_ = 5 + 2 * (goal_ - self.position).norm() / speed;
}

control::Goal Wander::update(const Self& self, const Surroundings& around, double dt) {
  if (rest_ > 0) {
    rest_ -= dt;
    return goal_to_stand(self.heading, rest_heading_, turning_);
  }
  patience_ -= dt;
  const double reached = kReached * std::max(self.scale, 0.6);
  const bool at_goal = has_goal_ && (goal_ - self.position).norm() < reached;
  if (at_goal && random_.chance(kRestChance)) {
    has_goal_ = false;
    rest_ = random_.uniform(kShortestRest, kLongestRest);
    rest_heading_ = self.heading;
    steering_.reset();
    return goal_to_stand(self.heading, rest_heading_, turning_);
  }
  if (!has_goal_ || at_goal || patience_ <= 0) choose_goal(self, around);

  const Vec2 way = goal_ - self.position;
  const Vec2 preferred = way * (self.cruise_speed / std::max(way.norm(), 1e-6));
  return steering_.steer(preferred, self, around, dt, way.norm());
}

void Wander::relocated(const Self& self) {
  has_goal_ = false;
  rest_ = 1;  // stands for a second before the stroll goes on
  rest_heading_ = self.heading;
  steering_.reset();
}

void Wander::append_path(std::vector<Vec2>& out) const {
  if (has_goal_) out.push_back(goal_);
}

void Wander::visit(StateVisitor& state) {
  state(center_, radius_, goal_, has_goal_, patience_, rest_, rest_heading_, turning_);
  random_.visit(state);
  steering_.visit(state);
}

}  // namespace promenade::behaviour
