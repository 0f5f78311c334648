// How who pushes or pulls exerts force, keeps up and comes to rest. Source: Coros2010 §5.4,
// "Pulling and pushing a crate".
#include <algorithm>
#include <cmath>

#include "behaviour/tasks/box_sides.h"
#include "behaviour/tasks/load.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

/// How something is moved. Its drag is what its friction takes, told in weights of who moves it.
struct Hauling {
  double speed;     // m/s, of what has no drag
  double slower;    // for each weight of drag
  double goes;      // of the velocity wanted, that one goes with
  double keep_up;   // 1/s, of one's own place before the thing
  double longer;    // m for each weight of drag, that the arms are longer than at the grip
  double arms;      // of the arms' gains
  double gain;      // 1/s, of its velocity
  double more;      // than its drag: who leans a little more keeps going
  double lifts;     // of its weight, that the hands take
  double comes_in;  // s for each weight of drag, in which the force comes
  double least_in;  // s, likewise, at least
  double rest_in;   // s, in which it goes again
  double twist;     // m, of the force along the way: torque at most
  double hold;      // of what turns the thing, that the hands hold on to it with at most
  double bend;      // of the body
};
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

constexpr double kFastestHaul = 0.45;    // m/s, of what has no drag, at most
constexpr double kGain = 0.7;            // 1/s
constexpr double kThingTurnRate = 0.25;  // rad/s
constexpr double kThingTurnGain = 0.5;   // 1/s
constexpr double kNearGoal = 0.1;        // m
constexpr double kNearTurn = 0.12;       // rad
constexpr double kNearlyThere = 0.15;    // m, from where on it may stay when it is stuck
constexpr double kNearlyTurned = 0.17;   // rad, likewise
constexpr double kSameWay = 0.6;         // m from the goal, from where on the way is kept
constexpr double kWayTurn = 0.3;         // rad/s, of the way
constexpr double kStuckAfter = 7;        // s
constexpr double kProgress = 0.02;       // m
constexpr double kFollowsAhead = 0.3;  // s, in which the hands' place before the chest follows them
constexpr double kFollowsAside = 2;    // s, likewise
constexpr double kFollowsUp = 0.1;     // s, likewise
constexpr double kMostPull = 1.8;      // of the thing's drag
constexpr double kLiftsIn = 2;         // s
constexpr double kMostLift = 0.55;     // of the own weight, that the hands take of it at most
constexpr double kLiftFeltIn = 0.3;    // s
constexpr double kMostLifted = 0.6;    // of its weight, that is believed
constexpr double kUpright = 0.12;      // of the deepest stoop
constexpr double kBesideWay = 0.15;    // m, from the way, at most, that one stands to turn it
constexpr double kBesideIn = 0.6;      // s
constexpr double kHoldGain = 60;       // N m/rad
constexpr double kHoldDamping = 8;     // N m s/rad
constexpr double kTurnsFrom = 0.15;    // m/s, of a thing that slides enough to be turned
constexpr double kStuckFrom = 0.8;     // s without progress, from when on it is pushed harder
constexpr double kMoreWhenStuck = 0.2;  // 1/s
constexpr double kMostMore = 1.6;       // of the drag that was expected
constexpr double kDragsAt = 0.8;        // of the way to its corners, where it rests on the ground
constexpr double kSlides = 0.05;        // m/s, from where on its friction is all there
constexpr double kWhileTurning = 0.1;   // m, that it goes on the way to be turned
constexpr double kRestAnyhow = 4;       // s, at most, until who pushes stands
constexpr double kOblique = 0.2;        // rad, of the way to the side that is held, at most
constexpr double kLonger = 0.08;        // m, that the arms are longer than at the grip
constexpr double kMostLonger = 0.2;     // m, more than that
constexpr double kLongerFrom = 0.06;    // weights of drag
// What is light lets itself be turned, and its velocity be corrected, more than the rest, by:
constexpr double kLightGain = 1.5;     // 1/s
constexpr double kLightTwist = 0.15;   // m
constexpr double kLightOblique = 0.3;  // rad
// From this lightness on it is pushed sideways as well, and this much further on in full.
constexpr double kAsideFrom = 0.3, kAsideIn = 0.4;
constexpr double kAlongFrom = 2.5;  // m: further away the thing is turned the way that it goes

const Hauling& hauling_of(const Task& task) {
  return task.kind == TaskKind::kPushTo ? kPushing : kPulling;
}

}  // namespace

/// Place of a palm from the chest, x along the way, m.
Vec3 Worker::before_chest(const Now& now, int side) const {
  return rotation_z(-stand_.heading) * (now.body.palm[side] - now.body.chest());
}

bool Worker::slipped(const Now& now, const Task& task) const {
  return now.body.holds[kLeft] != task.thing && now.body.holds[kRight] != task.thing;
}

/// Whether a thing is where it is to be, within `near`, m, and `turned`, rad.
bool Worker::is_there(const ThingSeen& thing, const Task& task, double near, double turned) const {
  const double far = (task.point - thing.position).head<2>().norm();
  const double turn = task.turned ? wrap_angle(task.heading - heading_of(upright(thing))) : 0;
  return far < near && std::abs(turn) < turned;
}

/// Forces of the hands that move a thing over the ground, N, world. They come within `pull_up` s.
/// Law: F = D v_d / s + m k (v_d - v), T = D R^2 r_d / s + m R^2 k (r_d - r), s = |(v_d, R r_d)|:
///      D the drag of its friction, m its mass, R about where it rests on the ground, v and r its
///      velocity and rate of turn, v_d and r_d those wanted. The hands share F, along the way and,
///      of what is light, across it, and T with the least sum of squares.
std::array<Vec3, 2> Worker::haul(const Now& now, const ThingSeen& thing, const Vec2& velocity,
                                 double rate, double pull_up) {
  const double slow = std::sqrt(now.self.scale);
  const Hauling& how = hauling_of(tasks_[current_]);
  const double weight = thing.mass * physics::kGravity;
  const double lifts = std::clamp(-now.body.force[kLeft].z() - now.body.force[kRight].z(), 0.0,
                                  kMostLifted * weight);
  lifted_ += (lifts - lifted_) * now.dt / (now.dt + kLiftFeltIn);
  // What the hands lift does not press on the ground.
  const double drag = thing.friction * (weight - lifted_);
  const double share = std::min(1.0, clock_ / pull_up);
  const double light = lightness(strain_of(thing, now.body));
  const double k = (how.gain + kLightGain * light) / slow;
  const Vec2 ahead = rotated(Vec2(1, 0), stand_.heading);
  const double wide = kDragsAt * std::hypot(thing.half.x(), thing.half.y());
  // What does not move takes more than was expected.
  const double drags =
      drag * std::clamp(1 + kMoreWhenStuck / slow * (stuck_ - kStuckFrom * slow), 1.0, kMostMore);
  const double slides = std::max(std::hypot(velocity.norm(), wide * rate), kSlides * slow);
  const Vec2 push =
      drags / slides * velocity + thing.mass * k * (velocity - thing.velocity.head<2>());
  const double most = share * std::min(kMostPull * drag, 2 * kHandForce);
  const double along = std::clamp(push.dot(ahead), -most, most);
  const Vec2 left(-ahead.y(), ahead.x());
  const double aside = std::clamp((light - kAsideFrom) / kAsideIn, 0.0, 1.0) *
                       std::clamp(push.dot(left), -most, most);
  const Vec2 force = along * ahead + aside * left;
  const double twist = share * (how.twist + kLightTwist * light) * now.self.scale * drag;
  const double torque = std::clamp(
      drags * wide * wide * rate / slides + thing.mass * wide * wide * k * (rate - thing.omega.z()),
      -twist, twist);
  // Who stands beside the middle turns it without a couple, that the feet could not hold.
  const double sideways = kBesideWay * now.self.scale;
  const double beside =
      std::abs(along) > 0.3 * drag ? std::clamp(-torque / along, -sideways, sideways) : 0;
  beside_ += (beside - beside_) * now.dt / (now.dt + kBesideIn * slow);
  // Feet that are pressed back hold little against turning: who pushes holds on to the thing.
  const double askew = wrap_angle(stand_.heading - now.self.heading);
  const double turns = (askew - askew_) / now.dt;
  askew_ = askew;
  const double most_hold = how.hold * drag * wide;
  const double hold =
      clock_ > 0 ? std::clamp(kHoldGain * askew + kHoldDamping * turns, -most_hold, most_hold) : 0;
  Eigen::Matrix<double, 3, 4> wrench;
  for (const int side : {kLeft, kRight}) {
    const Vec2 from = (now.body.palm[side] - thing.middle()).head<2>();
    wrench.col(2 * side) = Vec3(1, 0, -from.y());
    wrench.col(2 * side + 1) = Vec3(0, 1, from.x());
  }
  const Eigen::Vector4d all =
      wrench.transpose() *
      (wrench * wrench.transpose()).ldlt().solve(Vec3(force.x(), force.y(), torque - hold));
  return {Vec3(all[0], all[1], 0), Vec3(all[2], all[3], 0)};
}

control::Goal Worker::drive(const Now& now, const ThingSeen& thing, const Task& task) {
  const double scale = now.self.scale, slow = std::sqrt(scale);
  const bool pushes = task.kind == TaskKind::kPushTo;
  const Hauling& how = hauling_of(task);
  // What takes more of one's strength goes slower, and the push comes slower.
  const double strain = strain_of(thing, now.body);
  const double heavy = 1 + how.slower * strain;
  const double pull_up = std::max(how.least_in, how.comes_in * strain) * slow;
  // Moves it, once the walker has come up from reaching for it.
  if (now.body.stoop > kUpright) clock_ = 0;
  const double yaw = heading_of(upright(thing));
  const Vec2 missing = task.point.head<2>() - thing.position.head<2>();
  const double far = missing.norm();
  const double sign = pushes ? 1 : -1;
  const double way = std::atan2(sign * missing.y(), sign * missing.x());
  const bool along = far > kAlongFrom * scale;
  const double turn = along         ? wrap_angle(way - yaw_ - yaw)
                      : task.turned ? wrap_angle(task.heading - yaw)
                                    : 0;
  const double rate = std::clamp(kThingTurnGain * turn, -kThingTurnRate, kThingTurnRate) / slow;
  double fastest =
      task.speed > 0 ? std::min(task.speed, kFastestHaul * slow / heavy) : how.speed * slow / heavy;
  Vec2 velocity = kGain / slow * missing;
  // It is turned on the way: turned on the spot it drags much more.
  if (std::abs(turn) > kNearTurn && !along)
    fastest =
        std::min(fastest, kThingTurnRate / slow * (far + kWhileTurning * scale) / std::abs(turn));
  if (velocity.norm() > fastest) velocity *= fastest / velocity.norm();
  const double faces = yaw + yaw_;
  const double off = wrap_angle((far > kSameWay * scale ? way : stand_.heading) - faces);
  const double oblique = kOblique + kLightOblique * lightness(strain);
  const double wanted = faces + std::clamp(off, -oblique, oblique);
  const double most = kWayTurn / slow * now.dt;
  stand_.heading =
      wrap_angle(stand_.heading + std::clamp(wrap_angle(wanted - stand_.heading), -most, most));
  const double longer =
      kLonger + std::min(kMostLonger, how.longer * std::max(0.0, strain - kLongerFrom));
  const Vec2 place =
      thing.middle().head<2>() + rotated(Vec2(-reach_ - longer * scale, beside_), stand_.heading);
  const Vec2 own = how.goes * std::min(1.0, clock_ / pull_up) * velocity +
                   how.keep_up / slow * (place - now.body.chest().head<2>());
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  goal.stand = false;
  goal.bend = how.bend;
  goal.velocity = rotated(own, -goal.heading);
  // What is not light is turned once it slides: at rest its friction takes much more.
  const double slides = std::clamp(thing.velocity.head<2>().norm() / (kTurnsFrom * slow), 0.0, 1.0);
  exerts_ = haul(now, thing, velocity, std::max(slides, lightness(strain)) * rate, pull_up);
  // What is lifted a little slides more easily, and presses the feet to the ground.
  const double lifts =
      0.5 * physics::kGravity * std::min(how.lifts * thing.mass, kMostLift * now.body.mass);
  for (Vec3& force : exerts_) {
    force *= how.more;
    force.z() = lifts * std::min(1.0, clock_ / (kLiftsIn * slow));
  }
  for (const int side : {kLeft, kRight}) hold_on(now, thing, side, 1, &goal.hand[side]);
  const double left = far + 0.3 * std::abs(task.turned ? wrap_angle(task.heading - yaw) : 0.0);
  stuck_ += now.dt;
  if (left < least_ - kProgress || clock_ < pull_up) {
    stuck_ = 0;
    least_ = left;
  }
  if (is_there(thing, task, kNearGoal, kNearTurn) || stuck_ > kStuckAfter * slow) {
    exerts_.fill(0.5 * (exerts_[kLeft] + exerts_[kRight]));  // it is not to be turned any more
    next_stage();
  } else if (slipped(now, task)) {
    let_go();
    again();
  }
  return goal;
}

/// What a hand does that pushes or pulls with a share of what it exerted last.
void Worker::hold_on(const Now& now, const ThingSeen& thing, int side, double share,
                     control::HandGoal* hand) {
  if (tasks_[current_].kind == TaskKind::kPushTo) {
    // Its place before the chest follows: a body that sways is held back softly, across the way
    // most of all.
    const double slow = std::sqrt(now.self.scale);
    const Vec3 actual = before_chest(now, side);
    Vec3& at = carried_.place[side];
    at += (actual - at)
              .cwiseProduct(Vec3(now.dt / (now.dt + kFollowsAhead * slow),
                                 now.dt / (now.dt + kFollowsAside * slow),
                                 now.dt / (now.dt + kFollowsUp * slow)));
    hand->frame = control::HandGoal::Frame::kChest;
    hand->at = at;
    hand->strength = kPushing.arms;
  } else {
    hand->frame = control::HandGoal::Frame::kHolds;
    hand->velocity = thing.velocity_at(grip_[side]);
    hand->strength = kPulling.arms;
  }
  hand->effort = share * exerts_[side];
}

/// Who pushes comes to rest before letting go: who leans on a thing would fall.
control::Goal Worker::come_to_rest(const Now& now, const ThingSeen& thing, const Task& task) {
  const double slow = std::sqrt(now.self.scale);
  const double rest_in = hauling_of(task).rest_in * slow;
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  if (rest_in > 0 && !slipped(now, task)) {
    const double left = std::max(0.0, 1 - clock_ / rest_in);
    for (const int side : {kLeft, kRight}) hold_on(now, thing, side, left, &goal.hand[side]);
    if ((left > 0 || !now.body.standing) && clock_ < kRestAnyhow * slow) return goal;
  }
  missed_ = (task.point - thing.position).head<2>().norm();
  let_go();
  if (is_there(thing, task, kNearlyThere, kNearlyTurned)) {
    next_stage();
  } else if (tries_ < kMostTries) {
    again();  // from where it stands now
  } else {
    failed("it does not move");
  }
  return goal;
}

}  // namespace promenade::behaviour::tasks
