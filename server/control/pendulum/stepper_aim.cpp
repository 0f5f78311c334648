// Where a stepper puts the foot that is in the air, and when.
#include <algorithm>
#include <cmath>

#include "control/pendulum/footholds.h"
#include "control/pendulum/landing.h"
#include "control/pendulum/step_law.h"
#include "control/pendulum/stepper.h"
#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kFrozen = 0.15;  // share of the swing at the end, in which the foothold stays
constexpr double kLatest = 1.5;   // times the usual swing, at most: a foot that goes far is later
constexpr double kLeastWidth = 0.35;  // share of the usual width, that steps have at least
constexpr double kSooner = 0.7;  // times what is left of the swing, where the foot goes too far

}  // namespace

// eq. 3.6 and 3.7, in the heading frame.
Vec2 Stepper::against(const Vec2& known, double height) const {
  if (known.isZero()) return Vec2::Zero();
  const Vec2 pulled = to_heading(known);
  const double scale = tuning_->push_scale * height;
  return {distance_against(pulled.x(), body_->mass, 0, scale),
          distance_against(pulled.y(), body_->mass, 0, scale)};
}

LandingLaw Stepper::landing_law(const Vec2& known, const Orbits& orbits) const {
  const double sign = side_of(1 - stance_), width = gait_->width;
  LandingLaw law;
  law.rate = rate();
  // eq. 3.5: the height above the new foothold, which is known from the aim before.
  law.height = com_.z() - (parts_.variable_leg ? to_.z() : cop_.z());
  law.mass = to_heading(flat(com_));
  law.velocity = to_heading(flat(velocity_));
  law.cop = to_heading(flat(cop_));
  law.stand = to_heading(flat(feet_[std::size_t(stance_)].position));
  // A steady force is held by feet that stand as much further: the mass falls as if it were further
  // from them by that.
  law.against = against(known, law.height);
  // The state of a steady walk at this speed at this moment.
  const Vec2 stride = tuned_velocity() * timing().whole();
  const OrbitPoint ahead = orbits.ahead(stride.x());
  const OrbitPoint aside = orbits.ahead(stride.y());
  const OrbitPoint sway = orbits.sway(-sign * width);
  law.wanted_velocity = {ahead.velocity, aside.velocity + sway.velocity};
  law.from_stand = {ahead.offset, aside.offset + sway.offset};
  law.from_landed = {ahead.offset - stride.x(),
                     aside.offset + sway.offset - stride.y() - sign * width};
  law.scale = tuning_->distance_scale;
  law.gain = orbits.placing_gain();
  law.bias = std::min(tuning_->bias, (law.gain - law.scale) / law.rate);
  return law;
}

// The foot comes down sooner, where it would have to go too far.
Landing Stepper::landing_in_reach(const LandingLaw& law, double soonest) const {
  const double sign = side_of(1 - stance_);
  const double limit = longest_step(), narrow = kLeastWidth * gait_->width;
  const auto is_far = [&](const Landing& one) {
    return (one.foot - one.mass).norm() > limit ||
           (one.foot - law.stand).y() * sign < -0.5 * narrow;
  };
  Landing then = law.after(std::max(soonest, planned_ - time_));
  for (int attempt = 0; attempt < 4 && then.left > soonest && is_far(then); ++attempt) {
    then = law.after(std::max(soonest, then.left * kSooner));
  }
  return then;
}

// The foothold, from where the mass will be when the foot comes down.
void Stepper::aim(const physics::GroundNow& ground, const Vec2& known, const Orbits& orbits) {
  const LandingLaw law = landing_law(known, orbits);
  const double soonest = std::max(0.0, tuning_->shortest_swing - time_);
  const double latest = std::max(soonest, kLatest * timing().single - time_);
  const Landing then = landing_in_reach(law, soonest);
  planned_ = time_ + then.left;  // hurrying goes on: it must not depend on the last moment
  const double limit = longest_step();
  Vec2 target = then.foot;
  if (const double far = (target - then.mass).norm(); far > limit)
    target = then.mass + (target - then.mass) * (limit / far);
  Vec2 step = target - law.stand;
  const double sign = side_of(1 - stance_);
  step.y() = sign * std::max(step.y() * sign, kLeastWidth * gait_->width);

  if (!looked_) look_ahead(ground, step, soonest, latest, then.left);
  if (way_.count > 0) return aim_on_way(ground, soonest, latest, then.left);
  const Vec2 place = to_world(law.stand + step);
  if (has_foothold_ && timed() > 1 - kFrozen && (place - flat(to_)).norm() < 0.1) return;
  take_foothold(ground, place, std::max(0.0, limit - (target - then.mass).norm()));
  to_yaw_ = wrap_angle(heading_ + heading_rate_ * then.left);
  // A nearer foothold suits an earlier moment, a further one a later.
  const bool elsewhere = std::abs(to_heading(flat(to_) - place).x()) > 0.03;
  duration_ = time_ + (elsewhere ? time_to_foothold(law, soonest, latest) : then.left);
}

void Stepper::aim_on_way(const physics::GroundNow& ground, double soonest, double latest,
                         double usual) {
  has_foothold_ = true;
  to_ = next_on_way(ground);
  to_yaw_ = wrap_angle(heading_ + heading_rate_ * usual);
  short_by_ = 0;
  const double left = timed() < 1 - kFrozen ? swing_on_way(way_, soonest, latest, usual).left
                                            : std::max(0.0, duration_ - time_);
  duration_ = time_ + left;
}

/// @param place  m, where the foot is wanted, world
/// @param spare  m, how much further it may go
void Stepper::take_foothold(const physics::GroundNow& ground, const Vec2& place, double spare) {
  const int side = 1 - stance_;
  const Vec2 way = place - flat(from_);
  const double length = way.norm();
  FootholdSearch search;
  search.wanted = place;
  search.forward = length > 0.05 ? Vec2(way / length) : to_world({1, 0});
  search.level = feet_[std::size_t(stance_)].position.z();
  search.step_up = tuning_->step_up * leg(side);
  search.step_down = tuning_->step_down * leg(side);
  search.radius = body_->foot_radius;
  search.ahead = spare;
  search.behind = longest_step();
  const Foothold found = find_foothold(ground, search);
  has_foothold_ = found.found;
  to_ = found.position;
  short_by_ = length > 0.05 ? -(flat(to_) - place).dot(search.forward) : 0;
}

/// s, until the law puts the foot as far ahead as the foothold is.
double Stepper::time_to_foothold(const LandingLaw& law, double soonest, double latest) const {
  const double wanted_x = to_heading(flat(to_)).x();
  const double way_x = aimed_velocity_.x() < 0 ? -1 : 1;
  double low = soonest, high = latest, left = soonest;
  for (int i = 0; i < 10; ++i) {
    left = 0.5 * (low + high);
    ((law.after(left).foot.x() - wanted_x) * way_x > 0 ? high : low) = left;
  }
  return left;
}

}  // namespace promenade::control::pendulum
