// Bringing a palm to a point. Source: Coros2010 §5.4, "Reaching".
#include <algorithm>
#include <cmath>

#include "behaviour/tasks/worker.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kUsualReach =
    0.72;                            // of the arm's length, from shoulder to point, where one stops
constexpr double kLowAhead = 0.62;   // likewise for what is at the feet: level distance to the feet
constexpr double kFreeToes = 0.08;   // m, that stay free
constexpr double kHighest = 0.97;    // of the arm's length over the shoulder
constexpr double kTilt = 0.35;       // of half the width of the shoulders: by which one is raised
constexpr double kStretched = 0.16;  // of the arm: level distance to what is as high as one reaches
constexpr double kBegin = 0.9;       // m, from the place to stand, from where on the arm is raised
constexpr double kPalmThere = 0.022;  // m, from which on a palm is at its point
constexpr double kSettled = 0.3;      // s, that it has to be
constexpr double kFaceFrom = 1;       // m
constexpr double kReachIn = 5;        // s
constexpr double kUsualHold = 0.5;    // s

/// Level distance from the feet to a point of a height, where one stands to reach it.
double distance_for(const BodySeen& body, double height, double scale) {
  const double over = height - body.shoulder_height;
  const double usual = kUsualReach * body.arm;
  const double lowest = -usual;
  if (over < lowest) {
    // Stoops for it.
    const double low = std::clamp((lowest - over) / (body.shoulder_height - usual), 0.0, 1.0);
    return std::max(body.toes + kFreeToes * scale, std::lerp(0.3, kLowAhead, low) * body.arm);
  }
  const double level = std::sqrt(std::max(0.0, usual * usual - over * over));
  return std::max(over < 0 ? body.toes + kFreeToes * scale : kStretched * body.arm, level);
}

}  // namespace

void Worker::choose_hand(const Now& now, const Task& task, const Vec3& at) {
  uses_ = {task.hand == HandChoice::kLeft, task.hand == HandChoice::kRight};
  if (task.hand != HandChoice::kEither) return;
  const bool left_full = now.body.holds[kLeft] != 0, right_full = now.body.holds[kRight] != 0;
  const Vec2 way = rotated(Vec2(at.head<2>() - now.self.position), -now.self.heading);
  const bool left = left_full != right_full ? right_full : way.y() > 0;
  uses_ = {left, !left};
}

control::Goal Worker::reach(const Now& now, const Task& task) {
  ThingSeen thing;
  if (task.thing != 0 && !now.place.see(task.thing, thing)) {
    failed("it is not there any more");
    return stand_here(now);
  }
  const double scale = now.self.scale, slow = std::sqrt(scale);
  if (stage_ == 0) {
    grip_[0] = task.point;
    if (task.thing != 0 && task.coordinates == 0) {
      // The nearest point of its box.
      const Vec3 from = thing.rotation.conjugate() * (now.body.chest() - thing.position);
      grip_[0] = from.cwiseMax(thing.center - thing.half).cwiseMin(thing.center + thing.half);
    }
  }
  const Vec3 at = task.thing != 0 ? thing.at(grip_[0]) : grip_[0];
  const Vec3 moves = task.thing != 0 ? thing.velocity_at(grip_[0]) : Vec3(Vec3::Zero());
  const double out = 0.5 * (now.body.shoulder[0] - now.body.shoulder[1]).head<2>().norm();
  if (stage_ == 0) {
    choose_hand(now, task, at);
    const int side = uses_[kLeft] ? kLeft : kRight;
    const char* why = nullptr;
    const double highest =
        now.body.sole + now.body.shoulder_height + kHighest * now.body.arm + kTilt * out;
    if (now.body.holds[side] != 0 && now.body.holds[side] != task.thing)
      why = "that hand is full";
    else if (at.z() > highest)
      why = "it is too high";
    else if (at.z() < now.body.sole - 0.3 * scale)
      why = "it is too low";
    else if (tries_ > kMostTries)
      why = "it is out of reach";
    if (why) {
      failed(why);
      return stand_here(now);
    }
    stand_.place = at.head<2>();
    set_out(now);
    next_stage();
  }
  const int side = uses_[kLeft] ? kLeft : kRight;
  if (stage_ == 1) {
    // Where to stand follows a thing that moves.
    const Vec2 way = at.head<2>() - now.body.feet;
    const double distance = distance_for(now.body, at.z() - now.body.sole, scale);
    // It faces the point as it comes, and near by keeps facing that way.
    const bool begins = clock_ <= now.dt;
    if (way.norm() > kFaceFrom * scale || (begins && way.norm() > 1.3 * distance)) {
      stand_.heading = std::atan2(way.y(), way.x());
    } else if (begins) {
      stand_.heading = now.self.heading;
    }
    const Vec2 left = rotated(Vec2(0, 1), stand_.heading);
    const Vec2 ahead = rotated(Vec2(1, 0), stand_.heading);
    stand_.place = at.head<2>() - distance * ahead - (side == kLeft ? out : -out) * left;
    control::Goal goal = approach(now, task.speed, task.thing);
    if (approach_.arrived() || (approach_.missing() < 0.15 * scale && now.body.standing)) {
      const double far = (at - now.body.palm[side]).norm();
      path_[side].begin(now.body.palm[side], time_of_way(far, scale));
      settled_ = 0;
      next_stage();
    } else if (takes_too_long(now, task)) {
      failed("there is no way to it");
    }
    return goal;
  }
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  goal.hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, at, moves, now.dt);
  const double missing = (now.body.palm[side] - at).norm();
  const bool holds = task.thing != 0 && now.body.holds[side] == task.thing;
  if (stage_ == 2) {
    // While the body still sinks or rises the palm only passes its point.
    settled_ = path_[side].arrived() && missing < kPalmThere * scale ? settled_ + now.dt : 0;
    if (settled_ > kSettled * slow || (path_[side].arrived() && holds)) {
      if (task.grip && task.thing != 0 && !holds) {
        orders_[side] = grip_here(now, side, task.thing, thing);
      }
      missed_ = missing;
      next_stage();
    } else if (clock_ > kReachIn * slow || !now.body.standing) {
      again();
    }
    return goal;
  }
  missed_ = missing;
  const double hold = task.seconds > 0 ? task.seconds : kUsualHold;
  if (clock_ >= hold) done(missed_);
  return goal;
}

}  // namespace promenade::behaviour::tasks
