#include "behaviour/tasks/approach.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "control/stopping.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kStepsFrom = 1.1;    // m, from where on it steps to the very place
constexpr double kStepsUntil = 1.6;   // m
constexpr double kLead = 0.6;         // of the way left, that is aimed at before the place
constexpr double kStepSpeed = 0.35;   // m/s, near by, at most
constexpr double kStepGain = 1.1;     // 1/s
constexpr double kExact = 0.05;       // m, that is near enough
constexpr double kNearEnough = 0.08;  // m, after kExactFor
constexpr double kExactFor = 5;       // s
constexpr double kAnyhow = 15;        // s
constexpr double kFacing = 0.2;       // rad, from the heading, before it steps aside
constexpr double kWideStance = 0.2;   // m, for the work to come
constexpr double kSettleFor = 0.8;    // s, of standing

}  // namespace

void Approach::begin() {
  near_ = resting_ = arrived_ = false;
  rest_ = near_for_ = 0;
  steering_.reset();
}

control::Goal Approach::update(const Stand& stand, const Vec2& feet, bool standing, double speed,
                               const Self& self, const Surroundings& around, double dt) {
  const double l = self.scale;
  const Vec2 ahead = rotated(Vec2(1, 0), stand.heading);
  missing_ = (stand.place - feet).norm();
  const double way = (stand.place - self.position).norm();
  if (near_ ? way > kStepsUntil * l : way > kStepsFrom * l) {
    near_ = resting_ = arrived_ = false;
    near_for_ = 0;
    // Aims at a point before the place, so as to come to it facing the right way.
    const double lead = std::min(kLead * way, 1.5 * l);
    const Vec2 aim = stand.place - lead * ahead;
    Vec2 to = aim - self.position;
    if (to.norm() < 0.3 * l || to.dot(stand.place - self.position) < 0)
      to = stand.place - self.position;
    const double wanted = speed > 0 ? speed : self.cruise_speed;
    const double lag = control::kAnswerLag * std::sqrt(l);
    const double fastest = std::max(kStepSpeed * std::sqrt(l),
                                    control::speed_to_stop_within(way, control::kBraking, lag));
    const Vec2 wish = to.normalized() * std::min(wanted, fastest);
    return steering_.steer(wish, self, around, dt, way);
  }
  near_ = true;
  near_for_ += dt;
  control::Goal goal;
  goal.width = kWideStance;
  goal.heading = stand.heading;
  const double off = wrap_angle(stand.heading - self.heading);
  const double enough = near_for_ > kExactFor * std::sqrt(l) ? kNearEnough * l : kExact * l;
  // Whoever comes to rest somewhere else, or drifts away, steps on; in the end it is near enough.
  const double most = (near_for_ > kAnyhow * std::sqrt(l) ? 2 : 1) * kNearEnough * l;
  if (resting_ && missing_ > (standing ? most : std::max(most, 3 * enough))) resting_ = false;
  if (!resting_ && missing_ < enough && std::abs(off) < kFacing) resting_ = true;
  if (resting_) {
    goal.stand = true;
    rest_ = standing ? rest_ + dt : 0;
    arrived_ = rest_ > kSettleFor * std::sqrt(l) && missing_ <= most;
    return goal;
  }
  goal.stand = false;
  const Vec2 to = rotated(Vec2(stand.place - feet), -stand.heading);
  Vec2 velocity = kStepGain / std::sqrt(l) * to;
  const double fastest =
      kStepSpeed * std::sqrt(l) * std::clamp(1.5 - std::abs(off) / 0.6, 0.0, 1.0);
  if (velocity.norm() > fastest) velocity *= fastest / velocity.norm();
  goal.velocity = velocity;
  return goal;
}

void Approach::visit(StateVisitor& state) {
  steering_.visit(state);
  state(near_, resting_, arrived_, missing_, rest_, near_for_);
}

}  // namespace promenade::behaviour::tasks
