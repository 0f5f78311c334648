#include "behaviour/tasks/parts/approach.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "control/stopping.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kThereabouts =
    0.3;  // m, from the place, that is near enough where it matters little
constexpr double kStepsFrom = 1.1;    // m, from where on it steps to the very place
constexpr double kStepsUntil = 1.6;   // m
constexpr double kLead = 0.6;         // of the way left, that is aimed at before the place
constexpr double kStepSpeed = 0.45;   // m/s, near by, at most
constexpr double kLeastSpeed = 0.12;  // m/s: steps that are to lead somewhere are no smaller
constexpr double kStepGain = 1.1;     // 1/s
constexpr double kGoesOn = 0.3;       // s: a walk that is to stop goes on for its way in that time
constexpr double kStrides = 0.6;      // s, over which the middle of feet that step is smoothed
constexpr double kRoughly = 0.12;     // m, from the place, that will do for who only passes
// m, that is near enough for who stands: a step more would miss it by as much.
constexpr double kTooNear = 0.09, kAsideBy = 0.08;
constexpr double kStays = 1.3;       // times that, before who stands steps on
constexpr double kDrifts = 2;        // times that, before who is about to stand steps on
constexpr double kAimsAt = 0.6;      // of that, where it means to come to rest
constexpr double kSlacker = 1.4;     // times that, after kExactFor
constexpr double kExactFor = 5;      // s
constexpr double kAnyhow = 15;       // s
constexpr double kFacing = 0.2;      // rad, from the heading, before it steps aside
constexpr double kWideStance = 0.2;  // m, for the work to come
constexpr double kSettleFor = 0.8;   // s, of standing

}  // namespace

void Approach::begin(Manner manner) {
  manner_ = manner;
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
  if (manner_ == Manner::kRoughly && way < kThereabouts * l) {
    arrived_ = true;
    control::Goal goal;
    goal.heading = self.heading;
    goal.stand = true;
    return goal;
  }
  const double steps_within = near_ ? kStepsUntil : kStepsFrom;
  if (manner_ == Manner::kRoughly || way > steps_within * l) {
    near_ = resting_ = arrived_ = false;
    near_for_ = 0;
    // Aims at a point before the place, so as to come to it facing the right way.
    const double lead = manner_ == Manner::kRoughly ? 0 : std::min(kLead * way, 1.5 * l);
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
  return step_to(stand, feet, standing, self, dt);
}

/// Steps to the very place, and stands there.
control::Goal Approach::step_to(const Stand& stand, const Vec2& feet, bool standing,
                                const Self& self, double dt) {
  const double l = self.scale, slow = std::sqrt(l);
  if (!near_ || standing) feet_ = feet;
  near_ = true;
  near_for_ += dt;
  // Single steps carry the middle of the feet to and fro.
  if (!standing) feet_ += self.velocity * dt + (feet - feet_) * (dt / (dt + kStrides * slow));
  control::Goal goal;
  goal.width = kWideStance;
  goal.heading = stand.heading;
  const double off = wrap_angle(stand.heading - self.heading);
  // To the place from where it would come to rest.
  const Vec2 rest = feet_ + (standing ? 0 : kGoesOn * slow) * self.velocity;
  const Vec2 to = rotated(Vec2(stand.place - rest), -stand.heading);
  const bool passes = manner_ == Manner::kPasses;
  // In the end it is near enough.
  const double slacker = near_for_ > kAnyhow * slow     ? kSlacker * kSlacker
                         : near_for_ > kExactFor * slow ? kSlacker
                                                        : 1;
  const double far = std::abs(to.x()) / (to.x() > 0 ? stand.short_by : kTooNear);
  const double off_by =
      passes ? to.norm() / (kRoughly * l) : std::max(far, std::abs(to.y()) / kAsideBy) / l;
  if (resting_ && off_by > (standing ? kStays : kDrifts) * slacker) resting_ = false;
  const double enough = passes ? 1 : kAimsAt;
  if (!resting_ && off_by < enough && std::abs(off) < kFacing) resting_ = true;
  if (resting_) {
    goal.stand = true;
    rest_ = standing ? rest_ + dt : 0;
    arrived_ = passes || (rest_ > kSettleFor * slow && off_by <= kStays * slacker);
    return goal;
  }
  goal.stand = false;
  Vec2 velocity = kStepGain / slow * to;
  const double speed_now = velocity.norm();
  const double fastest = kStepSpeed * slow * std::clamp(1.5 - std::abs(off) / 0.6, 0.0, 1.0);
  const double least = std::min(fastest, kLeastSpeed * slow);
  if (speed_now > 0) velocity *= std::clamp(speed_now, least, fastest) / speed_now;
  goal.velocity = velocity;
  return goal;
}

void Approach::visit(StateVisitor& state) {
  steering_.visit(state);
  state.choice(manner_, 3);
  state(near_, resting_, arrived_, feet_, missing_, rest_, near_for_);
}

}  // namespace promenade::behaviour::tasks
