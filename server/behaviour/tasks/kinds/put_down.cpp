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
    if (work.attempt.tries > now.parameters.tries().most_tries()) {
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
  const v1::PutDownParameters& p = now.parameters.put_down();
  ThingSeen support;
  return task.on != 0 && (stage() == Stage::kComes || stage() == Stage::kHoldsOut) &&
         now.place.see(task.on, support) &&
         (support.middle().head<2>() - middle_).norm() > p.support_moved_m();
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
    middle_ = now.body.feet +
              (now.body.toes + now.parameters.stand().before_toes_m() * now.scale() + depth) *
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
  const v1::PutDownParameters& p = now.parameters.put_down();
  const Carried& carried = work.carried;
  const BoxSide side = side_before(now, thing);
  // A light thing must not come down on toes that stand too near; a heavy one is held close.
  const double share = carried.mass / now.body.mass;
  const double before = share < now.parameters.stand().light() && on_stack(now, below)
                            ? now.parameters.stand().before_stack_m()
                        : share < p.held_out() ? p.before_toes_m()
                                               : now.parameters.stand().before_toes_m();
  double least = 1e9;
  bool found = false;
  const double own = std::atan2(side.way.y(), side.way.x());
  const Vec2 from = middle_ - now.self.position;
  const double coming = from.norm() > p.comes_from_m() ? std::atan2(from.y(), from.x()) : own;
  for (int k = 0; k < 12; ++k) {
    const int sixths = (k % 2 == 0 ? 1 : -1) * ((k + 1) / 2);
    const double turn = sixths * kPi / 6;
    const double heading = task.turned ? task.heading - carried.yaw : coming + turn;
    BoxSide way = side;
    way.way = rotated(Vec2(1, 0), heading);
    Stand at;
    if (!stand_before(now, middle_, way, carried.thing, before, &at)) continue;
    const double cost = (at.place - now.self.position).norm() + p.turn_costs_m() * std::abs(turn);
    if (cost < least) {
      least = cost;
      work.walk.stand() = at;
      found = true;
    }
    if (task.turned || cost < least + p.good_enough_m()) break;
  }
  return found;
}

control::Goal PutDown::come(const Now& now, const Task& task, Work& work) {
  const v1::PutDownParameters& p = now.parameters.put_down();
  control::Goal goal = work.walk_on(now, task.speed, work.carried.thing);
  if (work.walk.arrived()) {
    const double slowly = now.slow() * heaviness(now, work.carried.mass);
    for (const std::size_t side : {kLeft, kRight})
      path_[side].begin(now.body.palm[side], p.hold_out_s() * slowly);
    enter(Stage::kHoldsOut, work);
  } else if (work.walks_too_long(now, task)) {
    work.failed("there is no way to it");
  }
  return goal;
}

PutDown::Target PutDown::target_of(const Now& now, const Task& task, const ThingSeen& thing,
                                   const Work& work) const {
  const v1::PutDownParameters& p = now.parameters.put_down();
  Target out;
  const Quat level = upright(thing);
  const double yaw = wrap_angle(work.walk.stand().heading + work.carried.yaw - heading_of(level));
  out.turned = rotation_z(yaw) * level;
  out.box = out.turned.toRotationMatrix().cwiseAbs() * thing.half;
  out.under = now.place.height(middle_, work.carried.thing);
  for (const double x : {-p.corners(), p.corners()}) {
    for (const double y : {-p.corners(), p.corners()}) {
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
  const v1::PutDownParameters& p = now.parameters.put_down();
  std::array<double, 2> over{};
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 due = path_[side]
                         .move(now.parameters.hand_path(), control::HandGoal::Frame::kWorld,
                               ends[side], Vec3::Zero(), 0)
                         .at;
    const double stretched = (due - now.body.shoulder[side]).norm() / now.body.arms[side];
    over[side] = std::max(0.0, stretched - p.late_from());
  }
  return std::clamp(1 - std::abs(over[kLeft] - over[kRight]) / p.out_of_step(), p.slowest_step(),
                    1.0);
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
    hand = path_[side].move(now.parameters.hand_path(), control::HandGoal::Frame::kWorld,
                            ends[side], Vec3::Zero(), dt);
    hand.expected = 0.5 * weight;
    hand.effort = Vec3(0, 0, 0.5 * weight);
    held -= now.body.force[side].z();
  }
  return held;
}

/// Brings the thing over its place, and then begins to lower it.
void PutDown::hold_out(const Now& now, const ThingSeen& thing, Work& work,
                       const control::Goal& goal) {
  const v1::PutDownParameters& p = now.parameters.put_down();
  const double scale = now.scale(), slow = now.slow();
  const double slowly = slow * heaviness(now, work.carried.mass);
  const double off = (thing.middle().head<2>() - middle_).norm();
  // What hangs askew in the hands is beside its place although they are at theirs.
  bool there = path_[kLeft].arrived();
  for (const std::size_t side : {kLeft, kRight})
    there = there && (goal.hand[side].at - now.body.palm[side]).norm() < p.at_place_m() * scale;
  if (there || (work.carried.handed && path_[kLeft].arrived())) {
    const Vec2 missing = middle_ - thing.middle().head<2>();
    shift_.head<2>() += p.shift_gain() * now.dt / slow * missing;
    const double far = shift_.norm(), most = p.most_shift_m() * scale;
    if (far > most) shift_ *= most / far;
  }
  if (path_[kLeft].arrived() &&
      (off < p.over_m() * scale || work.attempt.clock > p.over_in_s() * slowly)) {
    for (const std::size_t side : {kLeft, kRight})
      path_[side].begin(now.body.palm[side], now.parameters.load().lower_s() * slowly);
    enter(Stage::kLowers, work);
  }
}

/// Holds what is carried over its place, and then lowers it until it stands.
control::Goal PutDown::lower(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const v1::PutDownParameters& p = now.parameters.put_down();
  const double scale = now.scale(), slow = now.slow();
  const bool holds_out = stage() == Stage::kHoldsOut;
  control::Goal goal = stand_facing(now, work.walk.stand().heading);
  const Target target = target_of(now, task, thing, work);
  if (holds_out && task.coordinates == 3 && task.point.z() > target.under + p.in_the_air_m()) {
    work.failed("there is nothing to put it on at that height");
    hold_carried(now, work.carried, &goal);
    return goal;
  }
  // A worker that has to step comes up again with it.
  if (!now.body.standing) {
    if (work.attempt.tries > now.parameters.tries().most_tries()) {
      work.failed("it cannot be put down there");
    } else {
      again(work);
    }
    hold_carried(now, work.carried, &goal);
    return goal;
  }
  const double held =
      move_hands(now, target, holds_out ? p.above_m() * scale : -p.press_m() * scale, work, &goal);
  if (holds_out) {
    hold_out(now, thing, work, goal);
    return goal;
  }
  const double lowest = thing.middle().z() - target.box.z();
  const bool low = lowest < target.rests + p.low_m() * scale;
  const bool stands = low && held < p.rests_on() * work.carried.mass * physics::kGravity;
  const double slowly = slow * heaviness(now, work.carried.mass);
  if (!stands && work.attempt.clock <= p.lowers_anyhow() * now.parameters.load().lower_s() * slowly)
    return goal;
  put_.put(now, work.carried.thing, task.on, Vec3(middle_.x(), middle_.y(), target.rests));
  leaving_.let_go(now, p.hands_away_s() * slow, work);
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
