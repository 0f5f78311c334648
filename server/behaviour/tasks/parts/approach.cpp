#include "behaviour/tasks/parts/approach.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "control/stopping.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {

void Approach::begin(Manner manner) {
  manner_ = manner;
  near_ = resting_ = arrived_ = false;
  rest_ = near_for_ = 0;
  steering_.reset();
}

control::Goal Approach::update(const v1::ApproachParameters& p, const Stand& stand,
                               const Vec2& feet, bool standing, double speed, const Self& self,
                               const Surroundings& around, double dt) {
  const double l = self.scale;
  const Vec2 ahead = rotated(Vec2(1, 0), stand.heading);
  missing_ = (stand.place - feet).norm();
  const double way = (stand.place - self.position).norm();
  if (manner_ == Manner::kRoughly && way < p.thereabouts_m() * l) {
    arrived_ = true;
    control::Goal goal;
    goal.heading = self.heading;
    goal.stand = true;
    return goal;
  }
  const double steps_within = near_ ? p.steps_until_m() : p.steps_from_m();
  if (manner_ == Manner::kRoughly || way > steps_within * l) {
    near_ = resting_ = arrived_ = false;
    near_for_ = 0;
    // Aims at a point before the place, so as to come to it facing the right way.
    const double lead =
        manner_ == Manner::kRoughly ? 0 : std::min(p.lead() * way, p.most_lead_m() * l);
    const Vec2 aim = stand.place - lead * ahead;
    Vec2 to = aim - self.position;
    if (to.norm() < p.lead_until_m() * l || to.dot(stand.place - self.position) < 0)
      to = stand.place - self.position;
    const double wanted = speed > 0 ? speed : self.cruise_speed;
    const double lag = control::kAnswerLag * std::sqrt(l);
    const double fastest = std::max(p.step_speed_mps() * std::sqrt(l),
                                    control::speed_to_stop_within(way, control::kBraking, lag));
    const Vec2 wish = to.normalized() * std::min(wanted, fastest);
    return steering_.steer(wish, self, around, dt, way);
  }
  return step_to(p, stand, feet, standing, self, dt);
}

/// Steps to the very place, and stands there.
control::Goal Approach::step_to(const v1::ApproachParameters& p, const Stand& stand,
                                const Vec2& feet, bool standing, const Self& self, double dt) {
  const double l = self.scale, slow = std::sqrt(l);
  if (!near_ || standing) feet_ = feet;
  near_ = true;
  near_for_ += dt;
  // Single steps carry the middle of the feet to and fro.
  if (!standing) feet_ += self.velocity * dt + (feet - feet_) * (dt / (dt + p.strides_s() * slow));
  control::Goal goal;
  goal.width = p.stance_m();
  goal.heading = stand.heading;
  const double off = wrap_angle(stand.heading - self.heading);
  // To the place from where it would come to rest.
  const Vec2 rest = feet_ + (standing ? 0 : p.goes_on_s() * slow) * self.velocity;
  const Vec2 to = rotated(Vec2(stand.place - rest), -stand.heading);
  const bool passes = manner_ == Manner::kPasses;
  // In the end it is near enough.
  const double slacker = near_for_ > p.anyhow_s() * slow      ? p.slacker() * p.slacker()
                         : near_for_ > p.exact_for_s() * slow ? p.slacker()
                                                              : 1;
  const double far =
      std::abs(to.x()) /
      (to.x() > 0 ? (stand.short_by > 0 ? stand.short_by : p.short_by_m()) : p.too_near_m());
  const double off_by = passes ? to.norm() / (p.roughly_m() * l)
                               : std::max(far, std::abs(to.y()) / p.aside_by_m()) / l;
  if (resting_ && off_by > (standing ? p.stays() : p.drifts()) * slacker) resting_ = false;
  const double enough = passes ? 1 : p.aims_at();
  if (!resting_ && off_by < enough && std::abs(off) < p.facing_rad()) resting_ = true;
  if (resting_) {
    goal.stand = true;
    rest_ = standing ? rest_ + dt : 0;
    arrived_ = passes || (rest_ > p.settle_for_s() * slow && off_by <= p.stays() * slacker);
    return goal;
  }
  goal.stand = false;
  Vec2 velocity = p.step_gain() / slow * to;
  const double speed_now = velocity.norm();
  const double fastest = p.step_speed_mps() * slow *
                         std::clamp(p.turned_speed() - std::abs(off) / p.turned_by_rad(), 0.0, 1.0);
  const double least = std::min(fastest, p.least_speed_mps() * slow);
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
