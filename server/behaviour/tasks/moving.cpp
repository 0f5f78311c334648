// Pushing and pulling things along the ground. Source: Coros2010 §5.4, "Pulling and pushing a
// crate".
#include <algorithm>
#include <cmath>

#include "behaviour/tasks/box_sides.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kHandleHeight = 0.68;   // of the shoulders' height, where the hands take hold
constexpr double kBelowEdge = 0.05;      // m, from the upper edge
constexpr double kHandsApart = 0.2;      // m, half of the way between the hands
constexpr double kFromCorner = 0.03;     // m, from where a hand would slip off
constexpr double kArmsOut = 0.54;        // of the arm, from the chest to the hands
constexpr double kHandleTouch = 0.04;    // m, from which a hand grips
constexpr double kHandleIn = 4;          // s
constexpr double kSpeed = 0.4;           // m/s
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
constexpr double kKeepUp = 1.2;          // 1/s, of the walker's own place before the thing
constexpr double kSoftArms = 0.3;        // of the arms' gains, of who pushes
constexpr double kPullingArms = 0.5;     // likewise, who pulls
constexpr double kFollows = 1.0;       // s, in which the hands' place before the chest follows them
constexpr double kFollowsAhead = 0.5;  // s, likewise, along the way
constexpr double kPushingGoes = 1;     // of the thing's velocity wanted, of who pushes
constexpr double kPullingGoes = 0.6;   // likewise, who pulls
constexpr double kLonger = 0.08;       // m, that the arms are longer than at the grip
constexpr double kHaulGain = 2.0;      // 1/s, of its velocity
constexpr double kMostPull = 1.8;      // of the thing's drag
constexpr double kTwist = 0.35;        // m, of the force along the way: torque at most
constexpr double kUpright = 0.12;      // of the deepest stoop
constexpr double kBesideWay = 0.15;    // m, from the way, at most, that one stands to turn it
constexpr double kBesideIn = 0.6;      // s
constexpr double kHoldGain = 60;       // N m/rad
constexpr double kHoldDamping = 8;     // N m s/rad
constexpr double kHold = 0.9;          // of what turns the thing, at most
constexpr double kTurnsFrom = 0.15;    // m/s, of a thing that slides enough to be turned
constexpr double kStuckFrom = 0.8;     // s without progress, from when on it is pushed harder
constexpr double kMoreWhenStuck = 0.2;  // 1/s
constexpr double kMostMore = 1.6;       // of the drag that was expected
constexpr double kDragsAt = 0.8;        // of the way to its corners, where it rests on the ground
constexpr double kSlides = 0.05;        // m/s, from where on its friction is all there
constexpr double kPushUp = 3;          // s, in which the hands come to push with all that is needed
constexpr double kPullUp = 4.5;        // s, likewise, to pull
constexpr double kWhileTurning = 0.1;  // m, that it goes on the way to be turned
constexpr double kOblique = 0.35;      // rad, to the side that is held, at most
constexpr double kWayCosts = 0.08;     // 1/m
constexpr double kAlongFrom = 2.5;     // m: further away the thing is turned the way that it goes

}  // namespace

/// Where to stand and where to take hold, so that the thing goes its way ahead of who pushes, or
/// behind who pulls: before the side that fits its way best, turned towards the way as far as one
/// can reach round a corner. The hands' forces then pass its middle on both sides. Sets `stand_`,
/// `grip_` and `yaw_`.
bool Worker::choose_hold(const Now& now, const ThingSeen& thing, const Task& task) {
  const double scale = now.self.scale;
  const Vec2 middle = thing.middle().head<2>();
  const Vec2 missing = task.point.head<2>() - thing.position.head<2>();
  const double sign = task.kind == TaskKind::kPullTo ? -1 : 1;
  const bool goes = missing.norm() > kNearlyThere * scale;
  double best = 1e9;
  for (const BoxSide& side : sides_of(thing)) {
    const double faces = std::atan2(side.way.y(), side.way.x());
    const double off =
        goes ? wrap_angle(std::atan2(sign * missing.y(), sign * missing.x()) - faces) : 0;
    const double heading = faces + std::clamp(off, -kOblique, kOblique);
    const Vec2 towards = rotated(Vec2(1, 0), heading);
    std::array<Vec2, 2> hold;
    double near = 0;  // m, from the middle to its nearest corner
    if (!grips_across(thing, towards, kHandsApart * scale, kFromCorner * scale, &hold, &near))
      continue;
    const Vec2 feet = middle - (near + kArmsOut * now.body.arm) * towards;
    bool level = true;
    for (const double aside : {-0.2 * scale, 0.0, 0.2 * scale}) {
      const Vec2 at = feet + aside * Vec2(-towards.y(), towards.x());
      level = level && std::abs(now.place.height(at, 0) - now.body.sole) < 0.1;
    }
    const double cost = (1 - std::cos(off)) + kWayCosts / scale * (feet - now.self.position).norm();
    if (!level || cost >= best) continue;
    best = cost;
    stand_ = {feet, wrap_angle(heading)};
    yaw_ = wrap_angle(faces - heading_of(upright(thing)));
    const double bottom = thing.middle().z() - side.height - now.body.sole;
    const double top = bottom + 2 * side.height;
    const double height = std::min(top - kBelowEdge * scale,
                                   std::max(bottom, kHandleHeight * now.body.shoulder_height));
    for (const int hand : {kLeft, kRight}) {
      const Vec2& at = hold[std::size_t(hand)];
      grip_[hand] = thing.in_link(Vec3(at.x(), at.y(), now.body.sole + height));
    }
  }
  return best < 1e9;
}

/// Forces of the hands that move a thing over the ground, N, world. They come within `pull_up` s.
/// Law: F = D v_d / s + m k (v_d - v), T = D R^2 r_d / s + m R^2 k (r_d - r), s = |(v_d, R r_d)|:
///      D the drag of its friction, m its mass, R about where it rests on the ground, v and r its
///      velocity and rate of turn, v_d and r_d those wanted. The hands share F, along the way only,
///      and T with the least sum of squares.
std::array<Vec2, 2> Worker::haul(const Now& now, const ThingSeen& thing, const Vec2& velocity,
                                 double rate, double pull_up) {
  const double slow = std::sqrt(now.self.scale);
  const double drag = thing.friction * thing.mass * physics::kGravity;
  const double share = std::min(1.0, clock_ / pull_up);
  const double k = kHaulGain / slow;
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
  const Vec2 force = along * ahead;
  const double twist = share * kTwist * now.self.scale * drag;
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
  const double most_hold = kHold * drag * wide;
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
  return {Vec2(all[0], all[1]), Vec2(all[2], all[3])};
}

control::Goal Worker::move_thing(const Now& now, const Task& task) {
  ThingSeen thing;
  if (!now.place.see(task.thing, thing)) {
    failed("it is not there any more");
    return stand_here(now);
  }
  const double scale = now.self.scale, slow = std::sqrt(scale);
  const double drag = thing.friction * thing.mass * physics::kGravity;
  if (stage_ == 0) {
    const char* why = why_not_taken(now, thing, task.thing, 0.5 * drag);
    if (!why && !choose_hold(now, thing, task)) why = "there is no place to stand before it";
    if (why) {
      failed(why);
      return stand_here(now);
    }
    set_out(now);
    next_stage();
  }
  if (stage_ <= 2 && now.place.taken_by(task.thing) != 0) {
    failed("somebody else has it");
    return stand_here(now);
  }
  if (stage_ == 1) {
    control::Goal goal = approach(now, task.speed, task.thing);
    if (approach_.arrived()) {
      for (const int side : {kLeft, kRight}) {
        const double way = (thing.at(grip_[side]) - now.body.palm[side]).norm();
        path_[side].begin(now.body.palm[side], time_of_way(way, scale));
      }
      next_stage();
    } else if (takes_too_long(now, task)) {
      failed("there is no way to it");
    }
    return goal;
  }
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  if (stage_ == 2) {
    bool ready = true;
    for (const int side : {kLeft, kRight}) {
      const Vec3 at = thing.at(grip_[side]);
      goal.hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, at,
                                         thing.velocity_at(grip_[side]), now.dt);
      const bool holds = now.body.holds[side] == task.thing;
      if (!holds && path_[side].arrived() &&
          (now.body.palm[side] - at).norm() < kHandleTouch * scale)
        orders_[side] = grip_here(now, side, task.thing, thing);
      ready = ready && holds;
    }
    if (ready) {
      least_ = 1e3;
      stuck_ = 0;
      reach_ = (now.body.chest() - thing.middle()).head<2>().norm();
      next_stage();
    } else if (clock_ > kHandleIn * slow) {
      let_go();
      again();
    }
    return goal;
  }
  if (stage_ == 3) {
    const bool pushes = task.kind == TaskKind::kPushTo;
    const double pull_up = (pushes ? kPushUp : kPullUp) * slow;
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
    double fastest = task.speed > 0 ? task.speed : kSpeed * slow;
    Vec2 velocity = kGain / slow * missing;
    // It is turned on the way: turned on the spot it drags much more.
    if (std::abs(turn) > kNearTurn && !along)
      fastest =
          std::min(fastest, kThingTurnRate / slow * (far + kWhileTurning * scale) / std::abs(turn));
    if (velocity.norm() > fastest) velocity *= fastest / velocity.norm();
    const double faces = yaw + yaw_;
    const double off = wrap_angle((far > kSameWay * scale ? way : stand_.heading) - faces);
    const double wanted = faces + std::clamp(off, -kOblique, kOblique);
    const double most = kWayTurn / slow * now.dt;
    stand_.heading =
        wrap_angle(stand_.heading + std::clamp(wrap_angle(wanted - stand_.heading), -most, most));
    const Vec2 place = thing.middle().head<2>() +
                       rotated(Vec2(-reach_ - kLonger * scale, beside_), stand_.heading);
    const double goes_with = pushes ? kPushingGoes : kPullingGoes;
    const Vec2 own = goes_with * std::min(1.0, clock_ / pull_up) * velocity +
                     kKeepUp / slow * (place - now.body.chest().head<2>());
    goal.heading = stand_.heading;
    goal.stand = false;
    goal.velocity = rotated(own, -goal.heading);
    // It is turned once it slides: at rest its friction takes much more.
    const double slides =
        std::clamp(thing.velocity.head<2>().norm() / (kTurnsFrom * slow), 0.0, 1.0);
    const std::array<Vec2, 2> forces = haul(now, thing, velocity, slides * rate, pull_up);
    for (const int side : {kLeft, kRight}) {
      control::HandGoal& hand = goal.hand[side];
      if (pushes) {
        // Its place before the chest follows slowly, so that a body that sways is held back softly.
        const Vec3 actual = rotation_z(-stand_.heading) * (now.body.palm[side] - now.body.chest());
        Vec3& at = carried_.place[side];
        if (clock_ <= 0) at = actual;
        at += Vec3(now.dt / (now.dt + kFollowsAhead * slow), now.dt / (now.dt + kFollows * slow),
                   now.dt / (now.dt + kFollows * slow))
                  .cwiseProduct(actual - at);
        hand.frame = control::HandGoal::Frame::kChest;
        hand.at = at;
        hand.strength = kSoftArms;
      } else {
        hand.frame = control::HandGoal::Frame::kHolds;
        hand.velocity = thing.velocity_at(grip_[side]);
        hand.strength = kPullingArms;
      }
      hand.effort = Vec3(forces[side].x(), forces[side].y(), 0);
    }
    const double left = far + 0.3 * std::abs(task.turned ? wrap_angle(task.heading - yaw) : 0.0);
    stuck_ += now.dt;
    if (left < least_ - kProgress || clock_ < pull_up) {
      stuck_ = 0;
      least_ = left;
    }
    const bool there = far < kNearGoal && (!task.turned || std::abs(turn) < kNearTurn);
    const bool slipped =
        now.body.holds[kLeft] != task.thing && now.body.holds[kRight] != task.thing;
    if (there || stuck_ > kStuckAfter * slow || slipped) {
      missed_ = far;
      for (const int side : {kLeft, kRight}) {
        orders_[side] = {HandOrder::Kind::kLetGo, task.thing, Vec3::Zero()};
        grip_[side] = now.body.palm[side];
        path_[side].begin(now.body.palm[side], 0.5 * slow);
      }
      const bool nearly =
          far < kNearlyThere * scale && (!task.turned || std::abs(turn) < kNearlyTurned);
      if (there || (nearly && !slipped)) {
        next_stage();
      } else if (slipped || tries_ < kMostTries) {
        again();  // from where it stands now
      } else {
        failed("it does not move");
      }
    }
    return goal;
  }
  return withdraw(now);
}

}  // namespace promenade::behaviour::tasks
