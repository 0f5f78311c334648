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

constexpr double kHandleHeight = 0.68;  // of the shoulders' height, where the hands take hold
constexpr double kBelowEdge = 0.05;     // m, from the upper edge
constexpr double kHandsApart = 0.2;     // m, half of the way between the hands
constexpr double kArmsOut = 0.62;       // of the arm, from the chest to the hands
constexpr double kHandleTouch = 0.04;   // m, from which a hand grips
constexpr double kHandleIn = 4;         // s
constexpr double kSpeed = 0.45;         // m/s
constexpr double kGain = 0.7;           // 1/s
constexpr double kThingTurnRate = 0.3;  // rad/s
constexpr double kThingTurnGain = 0.6;  // 1/s
constexpr double kAlongFrom = 1.0;      // m: further away the thing is turned the way that it goes
constexpr double kNearGoal = 0.1;       // m
constexpr double kNearTurn = 0.12;      // rad
constexpr double kNearlyThere = 0.2;    // m
constexpr double kStuckAfter = 7;       // s
constexpr double kProgress = 0.02;      // m
constexpr double kKeepUp = 1.2;         // 1/s, of the walker's own place before the thing
constexpr double kPullUp = 2.5;         // s, in which the hands pull with all that is needed

}  // namespace

/// The side at which it is taken hold of, so that it goes its way ahead of who pushes, or behind
/// who pulls: sets `stand_`, `grip_`, `offset_` and `yaw_`.
bool Worker::choose_face(const Now& now, const ThingSeen& thing, const Task& task) {
  const double scale = now.self.scale;
  const Vec2 middle = thing.middle().head<2>();
  const Vec2 way = task.point.head<2>() - thing.position.head<2>();
  double best = -1e9;
  for (const BoxSide& side : sides_of(thing)) {
    const double along = way.norm() > 0.2 ? way.normalized().dot(side.way) : 0;
    const double wanted = task.kind == TaskKind::kPullTo ? -along : along;
    const double gap = kArmsOut * now.body.arm;
    const Vec2 feet = middle - (side.depth + gap) * side.way;
    bool level = true;
    for (const double aside : {-0.2 * scale, 0.0, 0.2 * scale}) {
      const Vec2 at = feet + aside * Vec2(-side.way.y(), side.way.x());
      level = level && std::abs(now.place.height(at, 0) - now.body.sole) < 0.1;
    }
    if (!level) continue;
    const double value = wanted - 0.08 * (feet - now.self.position).norm();
    if (value <= best) continue;
    best = value;
    stand_ = {feet, std::atan2(side.way.y(), side.way.x())};
    const double bottom = thing.middle().z() - side.height - now.body.sole;
    const double top = bottom + 2 * side.height;
    const double height = std::min(top - kBelowEdge * scale,
                                   std::max(bottom, kHandleHeight * now.body.shoulder_height));
    const Vec3 up = (height - bottom - side.height) * side.up;
    const double apart = std::min(0.85 * side.width, kHandsApart * scale);
    grip_[kLeft] = thing.center - side.depth * side.ahead + apart * side.left + up;
    grip_[kRight] = thing.center - side.depth * side.ahead - apart * side.left + up;
    const double yaw = heading_of(upright(thing));
    yaw_ = wrap_angle(stand_.heading - yaw);
    offset_ = rotated(Vec2(feet - thing.position.head<2>()), -yaw);
  }
  return best > -1e8;
}

control::Goal Worker::move_thing(const Now& now, const Task& task) {
  ThingSeen thing;
  if (!now.place.see(task.thing, thing)) {
    failed(task, "it is not there any more");
    return stand_here(now);
  }
  const double scale = now.self.scale, slow = std::sqrt(scale);
  const double drag = thing.friction * thing.mass * physics::kGravity;
  if (stage_ == 0) {
    const char* why = nullptr;
    if (carried_.thing != 0)
      why = "the hands are full";
    else if (thing.character)
      why = "it is somebody";
    else if (thing.fixed)
      why = "it is fixed";
    else if (0.5 * drag > kHandForce)
      why = "it is too heavy";
    else if (tries_ > kMostTries)
      why = "it cannot be gripped";
    else if (!choose_face(now, thing, task))
      why = "there is no place to stand before it";
    if (why) {
      failed(task, why);
      return stand_here(now);
    }
    approach_.begin();
    next_stage();
  }
  if (stage_ == 1) {
    control::Goal goal = approach(now, task.speed, task.thing);
    if (approach_.arrived()) {
      for (const int side : {kLeft, kRight}) {
        const double way = (thing.at(grip_[side]) - now.body.palm[side]).norm();
        path_[side].begin(now.body.palm[side], time_of_way(way, scale));
      }
      next_stage();
    } else if (clock_ > 60 * slow) {
      failed(task, "there is no way to it");
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
      const double yaw = heading_of(upright(thing));
      yaw_ = wrap_angle(now.self.heading - yaw);
      offset_ = rotated(Vec2(now.body.feet - thing.position.head<2>()), -yaw);
      const Quat back = rotation_z(-now.self.heading);
      for (const int side : {kLeft, kRight})
        carried_.place[side] = back * (now.body.palm[side] - now.body.chest());
      next_stage();
    } else if (clock_ > kHandleIn * slow) {
      let_go();
      again();
    }
    return goal;
  }
  if (stage_ == 3) {
    // Moves it.
    const double yaw = heading_of(upright(thing));
    const Vec2 missing = task.point.head<2>() - thing.position.head<2>();
    const double far = missing.norm();
    double wanted = task.turned ? task.heading : yaw;
    if (far > kAlongFrom * scale) {
      const double way = std::atan2(missing.y(), missing.x());
      wanted = way - yaw_ + (task.kind == TaskKind::kPullTo ? kPi : 0);
    }
    const double turn = wrap_angle(wanted - yaw);
    const double rate = std::clamp(kThingTurnGain * turn, -kThingTurnRate, kThingTurnRate) / slow;
    const double fastest = task.speed > 0 ? task.speed : kSpeed * slow;
    Vec2 velocity = kGain / slow * missing;
    if (velocity.norm() > fastest) velocity *= fastest / velocity.norm();
    velocity *= std::clamp(1.4 - std::abs(turn) / 0.5, 0.15, 1.0);
    const Vec2 offset = rotated(offset_, yaw);
    const Vec2 place = thing.position.head<2>() + offset;
    const Vec2 own =
        velocity + rate * Vec2(-offset.y(), offset.x()) + kKeepUp / slow * (place - now.body.feet);
    goal.stand = false;
    goal.heading = wrap_angle(yaw + yaw_ + 0.4 * rate);
    goal.velocity = rotated(own, -goal.heading);
    const double share = std::min(1.0, clock_ / (kPullUp * slow));
    const Vec2 pull = velocity.norm() > 0.05 ? Vec2(share * 0.5 * drag * velocity.normalized())
                                             : Vec2(Vec2::Zero());
    for (const int side : {kLeft, kRight}) {
      control::HandGoal& hand = goal.hand[side];
      hand.frame = control::HandGoal::Frame::kChest;
      hand.at = carried_.place[side];
      hand.effort = Vec3(pull.x(), pull.y(), 0);
    }
    const double left = far + 0.3 * std::abs(task.turned ? wrap_angle(task.heading - yaw) : 0.0);
    stuck_ = left < least_ - kProgress ? 0 : stuck_ + now.dt;
    least_ = std::min(least_, left);
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
      if (slipped) {
        again();
      } else if (there || far < kNearlyThere) {
        next_stage();
      } else {
        failed(task, "it does not move");
      }
    }
    return goal;
  }
  return withdraw(now, task);
}

}  // namespace promenade::behaviour::tasks
