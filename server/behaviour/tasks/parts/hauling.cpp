#include "behaviour/tasks/parts/hauling.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/abilities.h"
#include "behaviour/tasks/parts/load.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr Hauling kPushing{.speed = 0.3,
                           .slower = 2.2,
                           .goes = 1,
                           .keep_up = 0.8,
                           .longer = 0,
                           .arms = 0.2,
                           .gain = 0.5,
                           .more = 1.15,
                           .lifts = 0.235,
                           .comes_in = 24,
                           .least_in = 2,
                           .rest_in = 1.5,
                           .twist = 0.2,
                           .hold = 0.9,
                           .bend = 0};
// Who pulls sits back with the feet at the thing: a bent body has its weight further behind them.
constexpr Hauling kPulling{.speed = 0.31,
                           .slower = 1,
                           .goes = 0.67,
                           .keep_up = 1.3,
                           .longer = 0.5,
                           .arms = 0.65,
                           .gain = 0.6,
                           .more = 1,
                           .lifts = 0,
                           .comes_in = 0,
                           .least_in = 5,
                           .rest_in = 0,
                           .twist = 0.3,
                           .hold = 0.35,
                           .bend = 0.24};

constexpr double kMostPull = 1.8;       // of the thing's drag
constexpr double kLiftFeltIn = 0.3;     // s
constexpr double kMostLifted = 0.6;     // of its weight, that is believed
constexpr double kBesideWay = 0.15;     // m, from the way, at most, that one stands to turn it
constexpr double kBesideIn = 0.6;       // s
constexpr double kHoldGain = 60;        // N m/rad
constexpr double kHoldDamping = 8;      // N m s/rad
constexpr double kStuckFrom = 0.8;      // s without progress, from when on it is pushed harder
constexpr double kMoreWhenStuck = 0.2;  // 1/s
constexpr double kMostMore = 1.6;       // of the drag that was expected
constexpr double kDragsAt = 0.8;        // of the way to its corners, where it rests on the ground
constexpr double kSlides = 0.05;        // m/s, from where on its friction is all there
// What is light lets itself be turned, and its velocity be corrected, more than the rest, by:
constexpr double kLightGain = 1.5;    // 1/s
constexpr double kLightTwist = 0.15;  // m
// From this lightness on it is pushed sideways as well, and this much further on in full.
constexpr double kAsideFrom = 0.3, kAsideIn = 0.4;

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
  const ThingSeen& thing = haul.thing;
  const Hauling& how = haul.how;
  const double slow = now.slow();
  const double share = std::min(1.0, haul.clock / haul.pull_up);
  const double light = lightness(strain_of(thing, now.body));
  const double k = (how.gain + kLightGain * light) / slow;
  const Vec2 ahead = rotated(Vec2(1, 0), haul.heading);
  const double wide = kDragsAt * std::hypot(thing.half.x(), thing.half.y());
  // What does not move takes more than was expected.
  const double drags =
      drag *
      std::clamp(1 + kMoreWhenStuck / slow * (haul.stuck - kStuckFrom * slow), 1.0, kMostMore);
  const double slides =
      std::max(std::hypot(wanted.velocity.norm(), wide * wanted.rate), kSlides * slow);
  const Vec2 push = drags / slides * wanted.velocity +
                    thing.mass * k * (wanted.velocity - thing.velocity.head<2>());
  const double most = share * std::min(kMostPull * drag, 2 * kHandForce);
  const double along = std::clamp(push.dot(ahead), -most, most);
  const Vec2 left(-ahead.y(), ahead.x());
  const double aside = std::clamp((light - kAsideFrom) / kAsideIn, 0.0, 1.0) *
                       std::clamp(push.dot(left), -most, most);
  const double twist = share * (how.twist + kLightTwist * light) * now.scale() * drag;
  const double torque =
      std::clamp(drags * wide * wide * wanted.rate / slides +
                     thing.mass * wide * wide * k * (wanted.rate - thing.omega.z()),
                 -twist, twist);
  return {along * ahead + aside * left, along, torque, how.hold * drag * wide};
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
  const double sideways = kBesideWay * now.scale();
  const double beside = std::abs(wanted.along) > 0.3 * drag
                            ? std::clamp(-wanted.torque / wanted.along, -sideways, sideways)
                            : 0;
  stance.beside += (beside - stance.beside) * now.dt / (now.dt + kBesideIn * now.slow());
}

/// N m, with which the hands hold on to the thing: feet that are pressed back hold little against
/// turning.
double hold_against_turn(const Now& now, const Haul& haul, const Wrench& wanted,
                         HaulStance& stance) {
  const double askew = wrap_angle(haul.heading - now.self.heading);
  const double turns = (askew - stance.askew) / now.dt;
  stance.askew = askew;
  if (!(haul.clock > 0)) return 0;
  return std::clamp(kHoldGain * askew + kHoldDamping * turns, -wanted.most_hold, wanted.most_hold);
}

}  // namespace

const Hauling& hauling_of(TaskKind kind) { return kind == TaskKind::kPushTo ? kPushing : kPulling; }

/// N, of its friction: what the hands lift does not press on the ground.
double HaulForces::drag_of(const Now& now, const ThingSeen& thing) {
  const double weight = thing.mass * physics::kGravity;
  const double lifts = std::clamp(-now.body.force[kLeft].z() - now.body.force[kRight].z(), 0.0,
                                  kMostLifted * weight);
  lifted_ += (lifts - lifted_) * now.dt / (now.dt + kLiftFeltIn);
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
