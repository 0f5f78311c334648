#include "behaviour/tasks/kinds/pick_up.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/box_sides.h"
#include "behaviour/tasks/parts/leaving.h"
#include "behaviour/tasks/parts/load.h"
#include "behaviour/tasks/parts/stand_before.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

using Stage = PickUpStage;

}  // namespace

control::Goal PickUp::update(const Now& now, const Task& task, Work& work) {
  ThingSeen thing;
  if (!now.place.see(task.thing, thing)) {
    work.failed("it is not there any more");
    return stand_here(now);
  }
  if (stage() == Stage::kBegins) {
    begin(now, task, thing, work);
    if (!work.goes_on()) return stand_here(now);
  }
  if (stage() <= Stage::kGrips && now.place.taken_by(task.thing) != 0) {
    work.failed("somebody else has it");
    return stand_here(now);
  }
  return work_on(now, task, thing, work);
}

control::Goal PickUp::work_on(const Now& now, const Task& task, const ThingSeen& thing,
                              Work& work) {
  switch (stage()) {
    case Stage::kBegins:
    case Stage::kComes:
      return come(now, task, thing, work);
    case Stage::kWaitsBeside:
    case Stage::kGrips:
      return take_hold(now, task, thing, work);
    case Stage::kTakesWeight:
    case Stage::kLifts:
      return lift(now, task, thing, work);
    case Stage::kStepsBack:
    case Stage::kBringsDown:
      return leave(now, thing, work);
  }
  return stand_here(now);
}

void PickUp::begin(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const v1::PickUpParameters& p = now.parameters.pick_up();
  if (work.carried.thing == task.thing) {
    work.done(0);
    return;
  }
  if (const char* why = why_not(now, task, thing, work)) {
    work.failed(why);
    return;
  }
  // It can be drawn near, and who steps on might kick it or the stack that it stands on; but what
  // is high, or heavy and not on the ground, is out of balance when it is far off.
  const double over = (lowest_of(thing) - now.body.sole) / now.scale();
  const bool is_heavy = thing.mass > p.heavy() * now.body.mass;
  work.walk.stand().short_by =
      over > (is_heavy ? now.parameters.stand().raised_m() : now.parameters.stand().on_table_m())
          ? 0
          : p.short_by_m();
  seen_ = thing.middle().head<2>();
  work.walk.set_out(now);
  enter(Stage::kComes, work);
}

/// Why it cannot be picked up; null: it can, and where to stand and to grip is chosen.
const char* PickUp::why_not(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const char* why =
      why_not_taken(now, work, thing, task.thing, 0.5 * thing.mass * physics::kGravity);
  if (why) return why;
  if (thing.mass > now.parameters.abilities().most_load() * now.body.mass) return "it is too heavy";
  if (now.place.bears(task.thing)) return "something stands on it";
  if (!choose_side(now, thing, &work.walk.stand())) return "there is no place to stand before it";
  if (too_low(now, work.walk.stand(), grasp_.middle(thing), grasp_.apart())) return "it is too low";
  return nullptr;
}

/// The side from which it is picked up with the least way and turning: sets where to stand and
/// where the hands grip.
bool PickUp::choose_side(const Now& now, const ThingSeen& thing, Stand* stand) {
  const v1::PickUpParameters& p = now.parameters.pick_up();
  double least = 1e9;
  const double scale = now.scale();
  const bool raised = on_stack(now, lowest_of(thing)) &&
                      thing.mass < now.parameters.stand().light() * now.body.mass;
  const double before =
      raised ? now.parameters.stand().before_stack_m() : now.parameters.stand().before_toes_m();
  for (const BoxSide& side : sides_of(thing)) {
    if (side.width > now.parameters.abilities().widest() * now.body.arm) continue;
    Stand at;
    if (!stand_before(now, thing.middle().head<2>(), side, 0, before, &at)) continue;
    const Vec2 way = at.place - now.self.position;
    // A worker that comes from behind it walks round it.
    const double round = way.norm() > p.behind_from_m() && way.normalized().dot(side.way) < 0
                             ? p.round_costs_m()
                             : 0;
    // One that comes from far off has turned to it on the way.
    const double comes =
        way.norm() > p.far_off_m() * scale ? std::atan2(way.y(), way.x()) : now.self.heading;
    const double turn = std::abs(wrap_angle(at.heading - comes));
    const double cost = way.norm() + round + p.turn_costs_m() * turn;
    if (cost >= least) continue;
    least = cost;
    *stand = at;
    const Vec3 height = p.grip_height() * side.height * side.up;
    const Vec3 aside = (side.width + now.body.hand) * side.left;
    grasp_.at = {thing.center + height + aside, thing.center + height - aside};
  }
  return least < 1e9;
}

control::Goal PickUp::come(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const v1::PickUpParameters& p = now.parameters.pick_up();
  // Somebody, or the feet, may have moved it.
  if ((thing.middle().head<2>() - seen_).norm() > p.moved_m() * now.scale()) {
    seen_ = thing.middle().head<2>();
    choose_side(now, thing, &work.walk.stand());
  }
  control::Goal goal = work.walk_on(now, task.speed, task.thing);
  if (work.walk.arrived()) {
    if (now.place.bears(task.thing)) {
      work.failed("something stands on it");
      return goal;
    }
    grasp_.set_out(now, thing);
    enter(Stage::kWaitsBeside, work);
  } else if (work.walks_too_long(now, task)) {
    work.failed("there is no way to it");
  }
  return goal;
}

control::Goal PickUp::take_hold(const Now& now, const Task& task, const ThingSeen& thing,
                                Work& work) {
  const v1::PickUpParameters& p = now.parameters.pick_up();
  control::Goal goal = stand_facing(now, work.walk.stand().heading);
  const bool waits = stage() == Stage::kWaitsBeside;
  const bool ready = waits ? grasp_.wait_beside(now, thing, work.attempt.clock, &goal)
                           : grasp_.take_hold(now, thing, task.thing, work, &goal);
  if (ready && waits) {
    grasp_.begin(now, p.grip_way_s() * now.slow());
    enter(Stage::kGrips, work);
  } else if (ready) {
    Carried& carried = work.carried;
    carried.thing = task.thing;
    for (const int side : {kLeft, kRight}) carried.grip[side] = thing.in_link(now.body.palm[side]);
    carried.mass = thing.mass;
    carried.yaw = wrap_angle(heading_of(upright(thing)) - work.walk.stand().heading);
    draws_ = false;
    enter(Stage::kTakesWeight, work);
  } else if (work.attempt.clock > time_to_grip(now) || !now.body.standing) {
    work.let_go();
    again(work);
  }
  return goal;
}

/// Begins to draw it near to the toes.
void PickUp::begin_drawing(const Now& now, const ThingSeen& thing, Work& work) {
  const v1::PickUpParameters& p = now.parameters.pick_up();
  const Vec2 ahead = rotated(Vec2(1, 0), work.walk.stand().heading);
  const double gap = (thing.middle().head<2>() - now.body.feet).dot(ahead) - now.body.toes -
                     side_towards(thing, ahead).depth;
  const double drawn =
      std::clamp(gap - p.drawn_to_m() * now.scale(), 0.0, p.most_drawn() * now.body.arm);
  for (const int side : {kLeft, kRight}) {
    work.carried.place[side] = now.body.palm[side];
    work.carried.place[side].head<2>() -= drawn * ahead;
  }
  grasp_.begin(now, now.slow() * (p.steady_s() + drawn / (p.draw_mps() * now.scale())));
  draws_ = true;
}

/// Begins to lift it, high enough to come away from what it stood on.
void PickUp::begin_lifting(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const v1::PickUpParameters& p = now.parameters.pick_up();
  const Quat back = rotation_z(-now.self.heading);
  const double time = p.lift_s() * now.slow() * heaviness(now, thing.mass);
  const Vec2 middle = thing.middle().head<2>();
  const double over = now.place.height(middle, task.thing) + p.over_support_m() * now.scale() +
                      now.body.palm[kLeft].z() - lowest_of(thing);
  work.carried.hold_before(now, thing, grasp_.at, work.walk.stand().heading, over - now.body.sole);
  for (const std::size_t side : {kLeft, kRight})
    grasp_.path[side].begin(back * (now.body.palm[side] - now.body.chest()), time);
  enter(Stage::kLifts, work);
}

/// Has the hands exert the weight: first where they hold the thing, then on their ways.
void PickUp::move_hands(const Now& now, const ThingSeen& thing, const Work& work,
                        control::Goal* goal) {
  const v1::PickUpParameters& p = now.parameters.pick_up();
  const Carried& carried = work.carried;
  const bool lifts = stage() == Stage::kLifts;
  const double weight = thing.mass * physics::kGravity;
  const double share =
      lifts ? 1
            : p.before_lift() *
                  std::min(1.0, work.attempt.clock /
                                    (now.parameters.load().take_weight_s() * now.slow()));
  for (const std::size_t side : {kLeft, kRight}) {
    control::HandGoal& hand = goal->hand[side];
    if (lifts || draws_) {
      const auto frame =
          lifts ? control::HandGoal::Frame::kChest : control::HandGoal::Frame::kWorld;
      hand = grasp_.path[side].move(now.parameters.hand_path(), frame, carried.place[side],
                                    Vec3::Zero(), now.dt);
    } else {
      hand.frame = control::HandGoal::Frame::kWorld;
      hand.at = thing.at(carried.grip[side]);
    }
    hand.expected = 0.5 * weight;
    hand.effort = Vec3(0, 0, share * 0.5 * weight);
  }
}

/// Takes the weight first, so that the balance shifts, draws it near to the toes, and then lifts
/// it.
control::Goal PickUp::lift(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const v1::PickUpParameters& p = now.parameters.pick_up();
  control::Goal goal = stand_facing(now, work.walk.stand().heading);
  const bool lifts = stage() == Stage::kLifts;
  if (!lifts && !draws_ && work.attempt.clock > now.parameters.load().take_weight_s() * now.slow())
    begin_drawing(now, thing, work);
  move_hands(now, thing, work, &goal);
  if (!lifts && draws_ && grasp_.path[kLeft].arrived()) begin_lifting(now, task, thing, work);
  if (now.body.holds[kLeft] != task.thing || now.body.holds[kRight] != task.thing) {
    work.carried = Carried{};
    work.let_go();
    again(work);
  } else if (lifts && grasp_.path[kLeft].arrived() && now.body.stoop < p.up_again()) {
    if (free_ahead(now, work.walk.stand(), task.thing)) {
      work.done(0);
    } else {
      work.walk.stand().place = now.body.feet;
      enter(Stage::kStepsBack, work);
    }
  }
  return goal;
}

/// Steps back from a shelf or a stack with what was held over it, and brings it before the chest.
control::Goal PickUp::leave(const Now& now, const ThingSeen& thing, Work& work) {
  if (stage() == Stage::kStepsBack) {
    control::Goal goal = step_back(now, work);
    if (stepped_back(now, work)) {
      const double time = now.parameters.load().lower_s() * now.slow() * heaviness(now, thing.mass);
      for (const std::size_t side : {kLeft, kRight})
        grasp_.path[side].begin(work.carried.place[side], time);
      work.carried.hold_before(now, thing, grasp_.at, work.walk.stand().heading, 0);
      enter(Stage::kBringsDown, work);
    }
    return goal;
  }
  control::Goal goal = stand_facing(now, work.walk.stand().heading);
  draw_near(now, work.carried, now.dt, &grasp_.path, &goal);
  if (grasp_.path[kLeft].arrived()) work.done(0);
  return goal;
}

void PickUp::visit(StateVisitor& state) {
  StagedSkill::visit(state);
  grasp_.visit(state);
  state(seen_, draws_);
}

}  // namespace promenade::behaviour::tasks
