#include "behaviour/tasks/kinds/put_down.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/load.h"
#include "behaviour/tasks/parts/stand_before.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

using Stage = PutDownStage;

constexpr double kPutBeforeToes = 0.1;  // m, that stay free before the toes
constexpr double kHeldOut = 0.15;       // of one's own mass: less is put down further off
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

/// The side of a thing along which its carrier faces.
BoxSide side_before(const Now& now, const ThingSeen& thing) {
  BoxSide side;
  side.way = rotated(Vec2(1, 0), now.self.heading);
  for (const BoxSide& one : sides_of(thing)) {
    if (one.way.dot(side.way) > 0.7) side.depth = one.depth;
  }
  return side;
}

}  // namespace

control::Goal PutDown::update(const Now& now, const Task& task, Work& work) {
  if (stage() >= Stage::kLeaves) return leave(now, work);
  ThingSeen thing;
  if (work.carried.thing == 0 || !now.place.see(work.carried.thing, thing)) {
    work.failed("nothing is carried");
    return stand_here(now);
  }
  // Feet, or somebody, may have moved what it is to be put on.
  if (support_moved(now, task)) {
    if (work.attempt.tries > kMostTries) {
      work.failed("what it is to be put on does not stay where it is");
      return stand_here(now);
    }
    again(work);
  }
  if (stage() == Stage::kBegins) {
    if (const char* why = choose_place(now, task, thing, work)) {
      work.failed(why);
      return stand_here(now);
    }
    work.walk.set_out(now);
    enter(Stage::kComes, work);
  }
  if (stage() == Stage::kComes) return come(now, task, work);
  return lower(now, task, thing, work);
}

bool PutDown::support_moved(const Now& now, const Task& task) const {
  ThingSeen support;
  return task.on != 0 && (stage() == Stage::kComes || stage() == Stage::kHoldsOut) &&
         now.place.see(task.on, support) &&
         (support.middle().head<2>() - middle_).norm() > kSupportMoved;
}

/// Sets where the middle of its box is to be.
/// @param depth  m, half extent of the thing along the way in which its carrier faces
/// @return why it cannot; null: it can
const char* PutDown::find_middle(const Now& now, const Task& task, double depth) {
  if (task.on != 0) {
    ThingSeen support;
    if (!now.place.see(task.on, support)) return "what it is to be put on is not there any more";
    middle_ = support.middle().head<2>();
  } else if (task.coordinates > 0) {
    middle_ = task.point.head<2>();
  } else {
    middle_ = now.body.feet + (now.body.toes + kBeforeToes * now.scale() + depth) *
                                  rotated(Vec2(1, 0), now.self.heading);
  }
  return nullptr;
}

/// Sets where to stand to put down what is carried, and where that will be.
/// @return why it cannot; null: it can
const char* PutDown::choose_place(const Now& now, const Task& task, const ThingSeen& thing,
                                  Work& work) {
  if (const char* why = find_middle(now, task, side_before(now, thing).depth)) return why;
  const double below = now.place.height(middle_, work.carried.thing);
  if (!choose_stand(now, task, thing, below, work)) return "there is no place to stand before it";
  const Vec3 between = now.body.palm[kLeft] - now.body.palm[kRight];
  const Vec3 held(
      middle_.x(), middle_.y(),
      below + 0.5 * (now.body.palm[kLeft] + now.body.palm[kRight]).z() - lowest_of(thing));
  if (too_low(now, work.walk.stand(), held, between.norm())) return "it is too low";
  shift_.setZero();
  return nullptr;
}

/// Chooses where to stand: from where it comes, or where the heading says; else from any side.
/// @param below  m, height of what is at the place
bool PutDown::choose_stand(const Now& now, const Task& task, const ThingSeen& thing, double below,
                           Work& work) const {
  const Carried& carried = work.carried;
  const BoxSide side = side_before(now, thing);
  // A light thing must not come down on toes that stand too near; a heavy one is held close.
  const double share = carried.mass / now.body.mass;
  const double before = share < kLight && on_stack(now.body, below, now.scale()) ? kBeforeStack
                        : share < kHeldOut                                       ? kPutBeforeToes
                                                                                 : kBeforeToes;
  double least = 1e9;
  bool found = false;
  const double own = std::atan2(side.way.y(), side.way.x());
  const Vec2 from = middle_ - now.self.position;
  const double coming = from.norm() > 0.5 ? std::atan2(from.y(), from.x()) : own;
  for (int k = 0; k < 12; ++k) {
    const int sixths = (k % 2 == 0 ? 1 : -1) * ((k + 1) / 2);
    const double turn = sixths * kPi / 6;
    const double heading = task.turned ? task.heading - carried.yaw : coming + turn;
    BoxSide way = side;
    way.way = rotated(Vec2(1, 0), heading);
    Stand at;
    if (!stand_before(now.place, now.body, now.scale(), middle_, way, carried.thing, before, &at))
      continue;
    const double cost = (at.place - now.self.position).norm() + 0.5 * std::abs(turn);
    if (cost < least) {
      least = cost;
      work.walk.stand() = at;
      found = true;
    }
    if (task.turned || cost < least + 0.3) break;
  }
  return found;
}

control::Goal PutDown::come(const Now& now, const Task& task, Work& work) {
  control::Goal goal = work.walk_on(now, task.speed, work.carried.thing);
  if (work.walk.arrived()) {
    const double slowly = now.slow() * heaviness(now.body, work.carried.mass);
    for (const std::size_t side : {kLeft, kRight})
      path_[side].begin(now.body.palm[side], kHoldOut * slowly);
    enter(Stage::kHoldsOut, work);
  } else if (work.walks_too_long(now, task)) {
    work.failed("there is no way to it");
  }
  return goal;
}

PutDown::Target PutDown::target_of(const Now& now, const Task& task, const ThingSeen& thing,
                                   const Work& work) const {
  Target out;
  const Quat level = upright(thing);
  const double yaw = wrap_angle(work.walk.stand().heading + work.carried.yaw - heading_of(level));
  out.turned = rotation_z(yaw) * level;
  out.box = out.turned.toRotationMatrix().cwiseAbs() * thing.half;
  out.under = now.place.height(middle_, work.carried.thing);
  for (const double x : {-0.8, 0.8}) {
    for (const double y : {-0.8, 0.8}) {
      const Vec2 corner = middle_ + Vec2(x * out.box.x(), y * out.box.y());
      out.under = std::max(out.under, now.place.height(corner, work.carried.thing));
    }
  }
  out.rests = task.coordinates == 3 ? std::max(out.under, task.point.z()) : out.under;
  out.at = Vec3(middle_.x(), middle_.y(), out.rests + out.box.z()) - out.turned * thing.center;
  return out;
}

/// By how much slower the hands go on, up to 1, where one of them is stretched further than the
/// other: of arms that are not equally long the one would stay behind and what is between them
/// turn.
/// @param ends  of their paths, world
double PutDown::in_step(const Now& now, const std::array<Vec3, 2>& ends) {
  std::array<double, 2> over{};
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 due =
        path_[side].move(control::HandGoal::Frame::kWorld, ends[side], Vec3::Zero(), 0).at;
    const double stretched = (due - now.body.shoulder[side]).norm() / now.body.arms[side];
    over[side] = std::max(0.0, stretched - kLateFrom);
  }
  return std::clamp(1 - std::abs(over[kLeft] - over[kRight]) / kOutOfStep, kSlowestStep, 1.0);
}

/// Brings the hands on their way to where they hold the thing at its place.
/// @param height  m, over that
/// @return N, that the hands hold up
double PutDown::move_hands(const Now& now, const Target& target, double height, const Work& work,
                           control::Goal* goal) {
  const double weight = work.carried.mass * physics::kGravity;
  double held = 0;
  std::array<Vec3, 2> ends;
  for (const std::size_t side : {kLeft, kRight}) {
    ends[side] = target.at + target.turned * work.carried.grip[side] + shift_ + Vec3(0, 0, height);
  }
  const double dt = now.dt * in_step(now, ends);
  for (const std::size_t side : {kLeft, kRight}) {
    control::HandGoal& hand = goal->hand[side];
    hand = path_[side].move(control::HandGoal::Frame::kWorld, ends[side], Vec3::Zero(), dt);
    hand.expected = 0.5 * weight;
    hand.effort = Vec3(0, 0, 0.5 * weight);
    held -= now.body.force[side].z();
  }
  return held;
}

/// Brings the thing over its place, and then begins to lower it.
void PutDown::hold_out(const Now& now, const ThingSeen& thing, Work& work,
                       const control::Goal& goal) {
  const double scale = now.scale(), slow = now.slow();
  const double slowly = slow * heaviness(now.body, work.carried.mass);
  const double off = (thing.middle().head<2>() - middle_).norm();
  // What hangs askew in the hands is beside its place although they are at theirs.
  bool there = path_[kLeft].arrived();
  for (const std::size_t side : {kLeft, kRight})
    there = there && (goal.hand[side].at - now.body.palm[side]).norm() < kAtPlace * scale;
  if (there || (work.carried.handed && path_[kLeft].arrived())) {
    const Vec2 missing = middle_ - thing.middle().head<2>();
    shift_.head<2>() += kShiftGain * now.dt / slow * missing;
    const double far = shift_.norm(), most = kMostShift * scale;
    if (far > most) shift_ *= most / far;
  }
  if (path_[kLeft].arrived() && (off < kOver * scale || work.attempt.clock > kOverIn * slowly)) {
    for (const std::size_t side : {kLeft, kRight})
      path_[side].begin(now.body.palm[side], kLowerTime * slowly);
    enter(Stage::kLowers, work);
  }
}

/// Holds what is carried over its place, and then lowers it until it stands.
control::Goal PutDown::lower(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const double scale = now.scale(), slow = now.slow();
  const bool holds_out = stage() == Stage::kHoldsOut;
  control::Goal goal = stand_facing(now, work.walk.stand().heading);
  const Target target = target_of(now, task, thing, work);
  if (holds_out && task.coordinates == 3 && task.point.z() > target.under + kInTheAir) {
    work.failed("there is nothing to put it on at that height");
    hold_carried(now, work.carried, &goal);
    return goal;
  }
  // Who has to step comes up again with it.
  if (!now.body.standing) {
    if (work.attempt.tries > kMostTries) {
      work.failed("it cannot be put down there");
    } else {
      again(work);
    }
    hold_carried(now, work.carried, &goal);
    return goal;
  }
  const double held =
      move_hands(now, target, holds_out ? kAbove * scale : -kPress * scale, work, &goal);
  if (holds_out) {
    hold_out(now, thing, work, goal);
    return goal;
  }
  const double lowest = thing.middle().z() - target.box.z();
  const bool low = lowest < target.rests + 0.04 * scale;
  const bool stands = low && held < kRestsOn * work.carried.mass * physics::kGravity;
  const double slowly = slow * heaviness(now.body, work.carried.mass);
  if (!stands && work.attempt.clock <= 3 * kLowerTime * slowly) return goal;
  put_.put(now, work.carried.thing, task.on, Vec3(middle_.x(), middle_.y(), target.rests));
  leaving_.let_go(now, 0.5 * slow, work);
  enter(Stage::kLeaves, work);
  return goal;
}

/// The hands leave it, it steps back where there is no room, and sees it rest.
control::Goal PutDown::leave(const Now& now, Work& work) {
  if (stage() == Stage::kStepsBack) {
    // The clock begins anew, so that it stands.
    if (stepped_back(now, work)) enter(Stage::kSeesItRest, work);
    return step_back(now, work);
  }
  Stand& stand = work.walk.stand();
  control::Goal goal = stand_facing(now, stand.heading);
  if (stage() == Stage::kSeesItRest) {
    put_.see_it_rest(now, work);
    return goal;
  }
  if (!leaving_.update(now, &goal)) return goal;
  // Nobody has to step back where there is room.
  enter(free_ahead(now, stand, 0) ? Stage::kSeesItRest : Stage::kStepsBack, work);
  stand.place = now.body.feet;
  return goal;
}

void PutDown::visit(StateVisitor& state) {
  StagedSkill::visit(state);
  state(middle_, shift_);
  for (HandPath& path : path_) path.visit(state);
  leaving_.visit(state);
  put_.visit(state);
}

}  // namespace promenade::behaviour::tasks
