#include "behaviour/tasks/parts/hauling.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/load.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

/// What is wanted of the hands together.
struct Wrench {
  Vec2 force;        // N, world
  double along;      // N, of it along the way
  double torque;     // N m
  double most_hold;  // N m, with which they may hold on to the thing
};

/// Law: F = D v_d / s + m k (v_d - v), T = D R^2 r_d / s + m R^2 k (r_d - r), s = |(v_d, R r_d)|:
///      D the drag of its friction (N), m its mass (kg), R about where it rests on the ground (m),
///      k a gain (1/s), v and r its velocity (m/s) and rate of turn (rad/s), v_d and r_d those
///      wanted
Wrench wrench_for(const Now& now, const Haul& haul, const Motion& wanted, double drag) {
  const v1::HaulForceParameters& p = now.parameters.haul();
  const ThingSeen& thing = haul.thing;
  const v1::HaulingParameters& how = haul.how;
  const double slow = now.slow();
  const double share = std::min(1.0, haul.clock / haul.pull_up);
  const double light = lightness(now, strain_of(thing, now.body));
  const double k = (how.gain() + p.light_gain() * light) / slow;
  const Vec2 ahead = rotated(Vec2(1, 0), haul.heading);
  const double wide = p.drags_at() * std::hypot(thing.half.x(), thing.half.y());
  // What does not move takes more than was expected.
  const double drags =
      drag * std::clamp(1 + p.more_when_stuck() / slow * (haul.stuck - p.stuck_from_s() * slow),
                        1.0, p.most_more());
  const double slides =
      std::max(std::hypot(wanted.velocity.norm(), wide * wanted.rate), p.slides_mps() * slow);
  const Vec2 push = drags / slides * wanted.velocity +
                    thing.mass * k * (wanted.velocity - thing.velocity.head<2>());
  const double most =
      share * std::min(p.most_pull() * drag, 2 * now.parameters.abilities().hand_force_n());
  const double along = std::clamp(push.dot(ahead), -most, most);
  const Vec2 left(-ahead.y(), ahead.x());
  const double aside = std::clamp((light - p.aside_from()) / p.aside_in(), 0.0, 1.0) *
                       std::clamp(push.dot(left), -most, most);
  const double twist = share * (how.twist_m() + p.light_twist_m() * light) * now.scale() * drag;
  const double torque =
      std::clamp(drags * wide * wide * wanted.rate / slides +
                     thing.mass * wide * wide * k * (wanted.rate - thing.omega.z()),
                 -twist, twist);
  return {along * ahead + aside * left, along, torque, how.hold() * drag * wide};
}

/// The forces of the palms with the least sum of squares that make up a force and a torque about
/// the middle of a thing.
std::array<Vec3, 2> share_out(const Now& now, const ThingSeen& thing, const Vec2& force,
                              double torque) {
  Eigen::Matrix<double, 3, 4> wrench;
  for (const int side : {kLeft, kRight}) {
    const Vec2 from = (now.body.palm[side] - thing.middle()).head<2>();
    wrench.col(2 * side) = Vec3(1, 0, -from.y());
    wrench.col(2 * side + 1) = Vec3(0, 1, from.x());
  }
  const Eigen::Vector4d all =
      wrench.transpose() *
      (wrench * wrench.transpose()).ldlt().solve(Vec3(force.x(), force.y(), torque));
  return {Vec3(all[0], all[1], 0), Vec3(all[2], all[3], 0)};
}

/// Moves to one side of the way by so much that the force turns the thing without a couple, which
/// the feet could not hold.
void stand_beside(const Now& now, const Wrench& wanted, double drag, HaulStance& stance) {
  const v1::HaulForceParameters& p = now.parameters.haul();
  const double sideways = p.beside_way_m() * now.scale();
  const double beside = std::abs(wanted.along) > p.beside_from() * drag
                            ? std::clamp(-wanted.torque / wanted.along, -sideways, sideways)
                            : 0;
  stance.beside += (beside - stance.beside) * now.dt / (now.dt + p.beside_in_s() * now.slow());
}

/// N m, with which the hands hold on to the thing: feet that are pressed back hold little against
/// turning.
double hold_against_turn(const Now& now, const Haul& haul, const Wrench& wanted,
                         HaulStance& stance) {
  const v1::HaulForceParameters& p = now.parameters.haul();
  const double askew = wrap_angle(haul.heading - now.self.heading);
  const double turns = (askew - stance.askew) / now.dt;
  stance.askew = askew;
  if (!(haul.clock > 0)) return 0;
  return std::clamp(p.hold_gain_nm() * askew + p.hold_damping_nms() * turns, -wanted.most_hold,
                    wanted.most_hold);
}

}  // namespace

const v1::HaulingParameters& hauling_of(const Now& now, TaskKind kind) {
  // A puller sits back with the feet at the thing: a bent body has its weight further behind them.
  return kind == TaskKind::kPushTo ? now.parameters.push() : now.parameters.pull();
}

/// N, of its friction: what the hands lift does not press on the ground.
double HaulForces::drag_of(const Now& now, const ThingSeen& thing) {
  const v1::HaulForceParameters& p = now.parameters.haul();
  const double weight = thing.mass * physics::kGravity;
  const double lifts = std::clamp(-now.body.force[kLeft].z() - now.body.force[kRight].z(), 0.0,
                                  p.most_lifted() * weight);
  lifted_ += (lifts - lifted_) * now.dt / (now.dt + p.lift_felt_in_s());
  return thing.friction * (weight - lifted_);
}

std::array<Vec3, 2> HaulForces::update(const Now& now, const Haul& haul, const Motion& wanted,
                                       HaulStance& stance) {
  const double drag = drag_of(now, haul.thing);
  const Wrench wrench = wrench_for(now, haul, wanted, drag);
  stand_beside(now, wrench, drag, stance);
  const double hold = hold_against_turn(now, haul, wrench, stance);
  return share_out(now, haul.thing, wrench.force, wrench.torque - hold);
}

}  // namespace promenade::behaviour::tasks
