// How a stepper goes over ground with holes: by footholds that are planned some steps ahead.
// Source: our own. The part of the motion that grows, x + x' / w, decides where a pendulum gets to;
//         it is computed back from the last foothold, as in Englsberger et al. 2015.
#include <algorithm>
#include <cmath>

#include "control/pendulum/stepper.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kReach = 1.7;  // times the longest distance from the mass: the longest step
constexpr double kBrisk = 0.5;  // m/s, the speed at which it looks whether the ground goes on
constexpr int kTimes = 12;      // times of touch-down that are tried

/// How x + x' / w goes on over double support: to growth * x - from * held - (to - from) * moved,
/// where the pressure goes from one place to another.
struct Transfer {
  double growth, held, moved;
  Transfer(double rate, double both) {
    const double d = rate * std::max(both, kLeastBoth);
    growth = std::exp(d);
    held = growth - 1;
    moved = (held - d) / d;
  }
};

}  // namespace

/// @param first     m, where the foot is wanted, from the one that stands; heading frame
/// @param velocity  m/s, heading frame
WaySearch Stepper::way_search(int side, const Vec2& first, const Vec2& velocity) const {
  WaySearch out(tuning_->way);
  out.stand = feet_[std::size_t(1 - side)].position;
  out.side = side_of(side);
  out.first = first;
  out.stride = velocity * timing().whole();
  out.ahead = facing_;
  out.width = gait_->width;
  out.longest = kReach * tuning_->step_limit * leg(side);
  out.step_up = tuning_->step_up * leg(side);
  out.step_down = tuning_->step_down * leg(side);
  out.radius = body_->foot_radius;
  return out;
}

/// Plans the way of this step and the next ones, where a steady walk would meet a hole.
/// Of the ways found it takes one that it can go, as it moves now.
void Stepper::look_ahead(const physics::GroundNow& ground, const Vec2& first, double soonest,
                         double latest, double usual) {
  looked_ = true;
  const WayAhead before = way_;
  way_ = {};
  if (!parts_.feet || !parts_.ankle_torque) return;
  const WaySearch search = way_search(1 - stance_, first, tuned_velocity());
  barred_ = barred_ && is_barred(ground, 1 - stance_, asked_);
  if (!barred_ && !meets_hole(ground, search)) return;
  WaysAhead found;
  find_ways(ground, search, found);
  double least = 1e9;
  const auto judge = [&](const WayAhead& way) {
    const double off = swing_on_way(way, soonest, latest, usual).off / body_->foot_radius;
    const double beyond = std::max(0.0, off - 1 + tuning_->way.spare / body_->foot_radius);
    const double cost =
        way.cost + tuning_->way.pressure * off * off + tuning_->way.beyond * beyond * beyond;
    if (cost < least) least = cost, way_ = way;
  };
  for (int w = 0; w < found.count; ++w) judge(found.ways[std::size_t(w)]);
  if (const WayAhead rest = rest_of(before, search); rest.count > 0) judge(rest);
  if (!barred_ && (way_.count == 0 || way_.share < tuning_->way.goes_on))
    barred_ = is_barred(ground, 1 - stance_, asked_);
  if (barred_) cap_ = 0;
}

/// Where the next foothold of the way is now: ground that hangs or floats gives way under the other
/// foot, and comes up again when that leaves.
Vec3 Stepper::next_on_way(const physics::GroundNow& ground) const {
  Vec3 out = way_.foothold[0];
  const double level = feet_[std::size_t(stance_)].position.z();
  const double up = tuning_->step_up * leg(1 - stance_);
  const physics::GroundPoint under = ground.bearing(out.x(), out.y(), level + up);
  if (under.there && under.height > level - tuning_->step_down * leg(1 - stance_))
    out.z() = under.height;
  return out;
}

/// Whether it would have nowhere to go on to.
/// @param velocity  m/s, that it is asked for, heading frame
bool Stepper::is_barred(const physics::GroundNow& ground, int side, const Vec2& velocity) const {
  if (!parts_.feet || !parts_.ankle_torque) return false;
  // A stepper that is to go very slowly does not stop at each gap: a gap takes a long step.
  const double speed = velocity.norm();
  if (speed < 1e-3) return false;
  const Vec2 brisk = velocity * std::max(1.0, kBrisk / speed);
  const Vec2 first = brisk * timing().whole() + Vec2(0, side_of(side) * gait_->width);
  const WaySearch search = way_search(side, first, brisk);
  if (!meets_hole(ground, search)) return false;
  WaysAhead found;
  find_ways(ground, search, found);
  return found.count == 0 || found.ways[0].share < tuning_->way.sets_out;
}

/// Where x + x' / w has to be when the next foot stands alone, so that it can come to rest on the
/// last foothold: the ground beyond that is not known, and hardly counts after two steps. World.
Vec2 Stepper::start_on_way(const WayAhead& way) const {
  const double w = rate();
  const StepTiming timing = this->timing();
  const Transfer over(w, timing.both);
  const double shrunk = std::exp(-w * timing.single);
  // The feet come down in turn: the first is the one in the air now.
  const int last = way.count % 2 == 1 ? 1 - stance_ : stance_;
  Vec2 start =
      flat(way.foothold[std::size_t(way.count - 1)]) + to_world(lift_off(last, Vec2::Zero()));
  for (int k = way.count - 2; k >= 0; --k) {
    const Vec2 here = flat(way.foothold[std::size_t(k)]);
    const Vec2 next = flat(way.foothold[std::size_t(k + 1)]);
    const Vec2 end = (start + here * over.held + (next - here) * over.moved) / over.growth;
    start = here + shrunk * (end - here);
  }
  return start;
}

/// Where the pressure has to be from the foot that stands, for the rest of this swing, to get
/// there; world. It may be outside the sole.
Vec2 Stepper::pressure_for_way(const WayAhead& way, double left) const {
  const double w = rate();
  const Transfer over(w, timing().both);
  const double grown = std::exp(w * std::max(0.02, left));
  const Vec2 stand = flat(feet_[std::size_t(stance_)].position);
  const Vec2 x = flat(com_) + flat(velocity_) / w - stand;
  const Vec2 next = flat(way.foothold[0]) - stand;
  return (over.growth * grown * x - over.moved * next - (start_on_way(way) - stand)) /
         (over.growth * (grown - 1) + over.held - over.moved);
}

/// The foot comes down so that the pressure has to leave the middle of the sole least.
Stepper::SwingOnWay Stepper::swing_on_way(const WayAhead& way, double soonest, double latest,
                                          double usual) const {
  SwingOnWay best{usual, 0};
  double least = 1e9;
  for (int k = 0; k <= kTimes; ++k) {
    const double left = soonest + (latest - soonest) * k / kTimes;
    const double off = pressure_for_way(way, left).norm();
    const double beyond = std::max(0.0, off - (body_->foot_radius - kMargin));
    const double late = left - usual;
    const double cost = off * off + 100 * beyond * beyond + tuning_->way.timing * late * late;
    if (cost < least) least = cost, best = {left, off};
  }
  return best;
}

}  // namespace promenade::control::pendulum
