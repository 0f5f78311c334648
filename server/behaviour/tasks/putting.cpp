// Putting down, and seeing that it stays there.
// Source: Coros2010 §5.4, "Lifting and moving a crate".
#include <algorithm>
#include <cmath>

#include "behaviour/tasks/load.h"
#include "behaviour/tasks/stand_before.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kPutBeforeToes = 0.1;  // m, that stay free before the toes
constexpr double kHeldOut = 0.15;       // of one's own mass: less is put down further off
constexpr double kStepBack = 0.4;       // m, from what something was taken from
constexpr int kStepsSeen = 4;           // places of that way ahead that are looked at
constexpr double kSteppedBack = 0.75;   // of that, when it is far enough
constexpr double kBackStance = 0.2;     // m
constexpr double kBackGain = 1.1;       // 1/s, of the way left
constexpr double kLeastBack = 0.12;     // m/s
constexpr double kComesUp = 0.5;        // s, in which it stands before
constexpr double kStepBackIn = 6;       // s, that this is given
constexpr double kAbove = 0.06;         // m, over its place, from where a thing is set down
constexpr double kInTheAir = 0.06;      // m, over what is there: it would fall
constexpr double kOver = 0.025;         // m, from there level, before it is lowered
constexpr double kOverIn = 3.5;         // s, that this is given
constexpr double kLateFrom = 0.9;       // of an arm, that it is stretched before it is late
constexpr double kOutOfStep = 0.06;     // likewise, by which one is later, at which they wait
constexpr double kSlowestStep = 0.1;    // of the usual pace, at which they wait
constexpr double kAtPlace = 0.03;       // m, from which on a hand is at its place
constexpr double kShiftGain = 0.8;      // 1/s, with which the hands go on
constexpr double kMostShift = 0.08;     // m
constexpr double kPress = 0.03;         // m, below its place, to where the hands go
constexpr double kRestsOn = 0.35;       // of the weight: less in the hands, and it stands
constexpr double kHoldOut = 1.8;        // s, in which a thing is held out over its place
constexpr double kSupportMoved = 0.1;   // m, by which what it is put on is not where it was
constexpr double kAtRest = 0.05, kAtRestTurning = 0.3;  // m/s, rad/s: slower ones rest
constexpr double kRestsFor = 0.25;                      // s, until that is believed
constexpr double kRestIn = 3;                           // s, that it is given
constexpr double kFellBy = 0.08;                        // m, below its place: it fell
constexpr double kStaysBy = 0.2;                        // m, of its place

}  // namespace

/// By how much slower the hands go on, up to 1, where one of them is stretched further than the
/// other: of arms that are not equally long the one would stay behind and what is between them
/// turn.
/// @param ends  of their paths, world
double Worker::in_step(const Now& now, const std::array<Vec3, 2>& ends) {
  std::array<double, 2> over{};
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 due =
        path_[side].move(control::HandGoal::Frame::kWorld, ends[side], Vec3::Zero(), 0).at;
    const double stretched = (due - now.body.shoulder[side]).norm() / now.body.arms[side];
    over[side] = std::max(0.0, stretched - kLateFrom);
  }
  return std::clamp(1 - std::abs(over[kLeft] - over[kRight]) / kOutOfStep, kSlowestStep, 1.0);
}

/// Whether nothing stands so near before it that it would be walked into by whoever sets out.
bool Worker::free_ahead(const Now& now, ThingId except) const {
  const Vec2 ahead = rotated(Vec2(1, 0), stand_.heading);
  for (int k = 1; k <= kStepsSeen; ++k) {
    const double far = now.body.toes + kStepBack * now.self.scale * k / kStepsSeen;
    if (now.place.height(now.body.feet + far * ahead, except) > now.body.sole + kLevel)
      return false;
  }
  return true;
}

/// Steps back slowly, from where it stands near something.
control::Goal Worker::step_back(const Now& now) const {
  const double slow = std::sqrt(now.self.scale);
  control::Goal goal;
  goal.heading = stand_.heading;
  goal.stand = clock_ < (carried_.thing == 0 ? kComesUp * slow : 0);
  goal.width = kBackStance;
  const double left = kStepBack * now.self.scale - (now.body.feet - stand_.place).norm();
  if (!goal.stand) goal.velocity = Vec2(-std::max(kLeastBack * slow, kBackGain / slow * left), 0);
  carry(now, &goal);
  return goal;
}

bool Worker::stepped_back(const Now& now) const {
  const double slow = std::sqrt(now.self.scale);
  return (now.body.feet - stand_.place).norm() > kSteppedBack * kStepBack * now.self.scale ||
         clock_ > kStepBackIn * slow;
}

/// Sets where to stand to put down what is carried, and where that will be.
/// @return why it cannot; null: it can
const char* Worker::choose_place(const Now& now, const Task& task, const ThingSeen& thing) {
  const double scale = now.self.scale;
  ThingSeen support;
  BoxSide side;
  side.way = rotated(Vec2(1, 0), now.self.heading);
  for (const BoxSide& one : sides_of(thing)) {
    if (one.way.dot(side.way) > 0.7) side.depth = one.depth;
  }
  Vec2 middle;
  if (task.on != 0) {
    if (!now.place.see(task.on, support)) return "what it is to be put on is not there any more";
    middle = support.middle().head<2>();
  } else if (task.coordinates > 0) {
    middle = task.point.head<2>();
  } else {
    middle = now.body.feet + (now.body.toes + kBeforeToes * scale + side.depth) * side.way;
  }
  bool found = false;
  const double below = now.place.height(middle, carried_.thing);
  // A light thing must not come down on toes that stand too near; a heavy one is held close.
  const double share = carried_.mass / now.body.mass;
  const double before = share < kLight && on_stack(now.body, below, scale) ? kBeforeStack
                        : share < kHeldOut                                 ? kPutBeforeToes
                                                                           : kBeforeToes;
  double least = 1e9;
  // From where it comes, or where the heading says; else from any side.
  const double own = std::atan2(side.way.y(), side.way.x());
  Vec2 from = middle - now.self.position;
  const double coming = from.norm() > 0.5 ? std::atan2(from.y(), from.x()) : own;
  for (int k = 0; k < 12; ++k) {
    const int sixths = (k % 2 == 0 ? 1 : -1) * ((k + 1) / 2);
    const double turn = sixths * kPi / 6;
    const double heading = task.turned ? task.heading - carried_.yaw : coming + turn;
    BoxSide way = side;
    way.way = rotated(Vec2(1, 0), heading);
    Stand at;
    if (!stand_before(now.place, now.body, scale, middle, way, carried_.thing, before, &at))
      continue;
    const double cost = (at.place - now.self.position).norm() + 0.5 * std::abs(turn);
    if (cost < least) {
      least = cost;
      stand_ = at;
      found = true;
    }
    if (task.turned || cost < least + 0.3) break;
  }
  const Vec3 between = now.body.palm[kLeft] - now.body.palm[kRight];
  const Vec3 held(
      middle.x(), middle.y(),
      below + 0.5 * (now.body.palm[kLeft] + now.body.palm[kRight]).z() - lowest_of(thing));
  if (!found) return "there is no place to stand before it";
  if (too_low(now, held, between.norm())) return "it is too low";
  stand_.short_by = Stand{}.short_by;
  // For the stages to come grip_ holds the middle of its box on the ground when put down, and by
  // how much further the hands have to go.
  grip_ = {Vec3(middle.x(), middle.y(), 0), Vec3::Zero()};
  return nullptr;
}

control::Goal Worker::put_down(const Now& now, const Task& task) {
  if (stage_ == 4) return withdraw(now);
  if (stage_ == 5) {
    if (stepped_back(now)) next_stage();
    return step_back(now);
  }
  if (stage_ == 6) return see_it_rest(now);
  ThingSeen thing;
  if (carried_.thing == 0 || !now.place.see(carried_.thing, thing)) {
    failed("nothing is carried");
    return stand_here(now);
  }
  // Feet, or somebody, may have moved what it is to be put on.
  ThingSeen support;
  if (task.on != 0 && (stage_ == 1 || stage_ == 2) && now.place.see(task.on, support) &&
      (support.middle() - grip_[0]).head<2>().norm() > kSupportMoved) {
    if (tries_ > kMostTries) {
      failed("what it is to be put on does not stay where it is");
      return stand_here(now);
    }
    again();
  }
  if (stage_ == 0) {
    if (const char* why = choose_place(now, task, thing)) {
      failed(why);
      return stand_here(now);
    }
    set_out(now);
    next_stage();
  }
  if (stage_ == 1) {
    control::Goal goal = approach(now, task.speed, carried_.thing);
    if (approach_.arrived()) {
      const double slowly = std::sqrt(now.self.scale) * heaviness(now.body, carried_.mass);
      for (const int side : {kLeft, kRight})
        path_[side].begin(now.body.palm[side], kHoldOut * slowly);
      next_stage();
    } else if (takes_too_long(now, task)) {
      failed("there is no way to it");
    }
    return goal;
  }
  return lower(now, task, thing);
}

/// Holds what is carried over its place, and then lowers it until it stands.
control::Goal Worker::lower(const Now& now, const Task& task, const ThingSeen& thing) {
  const double scale = now.self.scale, slow = std::sqrt(scale);
  const double slowly = slow * heaviness(now.body, carried_.mass);
  const Quat level = upright(thing);
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  const double yaw = wrap_angle(stand_.heading + carried_.yaw - heading_of(level));
  const Quat turned = rotation_z(yaw) * level;
  const Vec2 middle = grip_[0].head<2>();
  const Vec3 box = (turned.toRotationMatrix().cwiseAbs() * thing.half);
  double under = now.place.height(middle, carried_.thing);
  for (const double x : {-0.8, 0.8}) {
    for (const double y : {-0.8, 0.8}) {
      under = std::max(under,
                       now.place.height(middle + Vec2(x * box.x(), y * box.y()), carried_.thing));
    }
  }
  if (stage_ == 2 && task.coordinates == 3 && task.point.z() > under + kInTheAir) {
    failed("there is nothing to put it on at that height");
    carry(now, &goal);
    return goal;
  }
  const double rests = task.coordinates == 3 ? std::max(under, task.point.z()) : under;
  const Vec3 target = Vec3(middle.x(), middle.y(), rests + box.z()) - turned * thing.center;
  const double height = stage_ == 2 ? kAbove * scale : -kPress * scale;
  const double weight = carried_.mass * physics::kGravity;
  // Who has to step comes up again with it.
  if (!now.body.standing) {
    if (tries_ > kMostTries) {
      failed("it cannot be put down there");
    } else {
      again();
    }
    carry(now, &goal);
    return goal;
  }
  double held = 0;
  std::array<Vec3, 2> ends;
  for (const int side : {kLeft, kRight})
    ends[std::size_t(side)] = target + turned * carried_.grip[side] + grip_[1] + Vec3(0, 0, height);
  const double dt = now.dt * in_step(now, ends);
  for (const int side : {kLeft, kRight}) {
    goal.hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, ends[std::size_t(side)],
                                       Vec3::Zero(), dt);
    goal.hand[side].expected = 0.5 * weight;
    goal.hand[side].effort = Vec3(0, 0, 0.5 * weight);
    held -= now.body.force[side].z();
  }
  if (stage_ == 2) {
    const double off = (thing.middle().head<2>() - middle).norm();
    // What hangs askew in the hands is beside its place although they are at theirs.
    bool there = path_[kLeft].arrived();
    for (const int side : {kLeft, kRight})
      there = there && (goal.hand[side].at - now.body.palm[side]).norm() < kAtPlace * scale;
    if (there || (carried_.handed && path_[kLeft].arrived())) {
      const Vec2 missing = middle - thing.middle().head<2>();
      grip_[1].head<2>() += kShiftGain * now.dt / slow * missing;
      const double far = grip_[1].norm(), most = kMostShift * scale;
      if (far > most) grip_[1] *= most / far;
    }
    if (path_[kLeft].arrived() && (off < kOver * scale || clock_ > kOverIn * slowly)) {
      for (const int side : {kLeft, kRight})
        path_[side].begin(now.body.palm[side], kLowerTime * slowly);
      next_stage();
    }
    return goal;
  }
  const double lowest = thing.middle().z() - box.z();
  const bool low = lowest < rests + 0.04 * scale;
  const bool stands = low && held < kRestsOn * weight;
  if (!stands && clock_ <= 3 * kLowerTime * slowly) return goal;
  for (const int side : {kLeft, kRight}) {
    orders_[side] = {HandOrder::Kind::kLetGo, carried_.thing, Vec3::Zero()};
    grip_[side] = now.body.palm[side];
    path_[side].begin(now.body.palm[side], 0.5 * slow);
  }
  put_ = {carried_.thing, task.on, Vec3(middle.x(), middle.y(), rests), Vec3::Zero()};
  ThingSeen support;
  if (task.on != 0 && now.place.see(task.on, support)) put_.support = support.position;
  carried_ = Carried{};
  settled_ = 0;
  next_stage();
  return goal;
}

/// It is put down once it rests where it was put.
control::Goal Worker::see_it_rest(const Now& now) {
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  ThingSeen thing, support;
  if (!now.place.see(put_.thing, thing)) {
    failed("it is not there any more");
    return goal;
  }
  // What it was put on may move, and it with that.
  Vec3 place = put_.place, velocity = Vec3::Zero();
  if (put_.on != 0 && now.place.see(put_.on, support)) {
    place += support.position - put_.support;
    velocity = support.velocity;
  }
  const bool rests = (thing.velocity - velocity).norm() < kAtRest &&
                     (thing.omega - support.omega).norm() < kAtRestTurning;
  settled_ = rests ? settled_ + now.dt : 0;
  const double beside = (thing.middle() - place).head<2>().norm();
  if (lowest_of(thing) < place.z() - kFellBy) {
    failed("it did not stay there: it fell down");
  } else if (beside > kStaysBy) {
    failed("it did not stay there: it moved away");
  } else if (settled_ > kRestsFor) {
    done(beside);
  } else if (clock_ > kRestIn) {
    failed("it does not come to rest there");
  }
  return goal;
}

/// Takes the hands away from what they have let go of, to the sides and up.
control::Goal Worker::withdraw(const Now& now) {
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  const double scale = now.self.scale;
  const Vec3 apart = (grip_[kLeft] - grip_[kRight]).normalized();
  for (const int side : {kLeft, kRight}) {
    const Vec3 away = (side == kLeft ? 0.1 : -0.1) * scale * apart + Vec3(0, 0, 0.08 * scale);
    goal.hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, grip_[side] + away,
                                       Vec3::Zero(), now.dt);
  }
  if (!path_[kLeft].arrived()) return goal;
  // Nobody has to step back where there is room.
  if (tasks_[current_].kind != TaskKind::kHandOver && free_ahead(now, 0)) next_stage();
  stand_.place = now.body.feet;
  next_stage();
  return goal;
}

}  // namespace promenade::behaviour::tasks
