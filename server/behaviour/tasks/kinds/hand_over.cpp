#include "behaviour/tasks/kinds/hand_over.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/box_sides.h"
#include "behaviour/tasks/parts/load.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

using Stage = HandOverStage;

/// The taker cannot take anything at present.
bool is_away(const SomebodySeen& taker) {
  return taker.down || !taker.physical || taker.takes == Takes::kLater;
}

/// Whether both hands of the taker have the thing, and have its weight.
bool takes_weight(const SomebodySeen& taker, ThingId thing, Handing::Stage from) {
  return taker.handing.thing == thing && !is_away(taker) && taker.handing.stage >= from;
}

/// Why something cannot be handed over at all; null: it can.
const char* why_not_handed(const Now& now, const SomebodySeen& taker, const Work& work) {
  const Carried& carried = work.carried;
  if (!taker.works) return "they cannot take it";
  if (taker.takes == Takes::kNever) return "they are at something else";
  if (work.attempt.tries > now.parameters.tries().most_tries()) return "they do not get hold of it";
  if (!taker.physical) return nullptr;
  const bool full = std::any_of(taker.holds.begin(), taker.holds.end(),
                                [&](ThingId held) { return held != 0 && held != carried.thing; });
  if (full && taker.takes == Takes::kNow) return "their hands are full";
  if (carried.mass > now.parameters.abilities().most_load() * taker.mass)
    return "it is too heavy for them";
  ThingSeen thing;
  if (!now.place.see(carried.thing, thing)) return "it is no longer in the hands";
  return nullptr;
}

}  // namespace

/// Chooses the place to stand before who takes it, so that both reach it.
void HandOver::place_before(const Now& now, const SomebodySeen& taker, Work& work) {
  const v1::HandOverParameters& p = now.parameters.hand_over();
  const Carried& carried = work.carried;
  Vec2 from = now.body.feet - taker.feet;
  if (from.norm() < 1e-3) from = rotated(Vec2(-1, 0), now.self.heading);
  from.normalize();
  ThingSeen thing;
  now.place.see(carried.thing, thing);
  const double depth = side_towards(thing, rotated(Vec2(1, 0), now.self.heading)).depth;
  const Vec3 beyond = thing.rotation * (thing.center - 0.5 * (carried.grip[0] + carried.grip[1]));
  const double middle = 0.5 * (carried.place[kLeft].x() + carried.place[kRight].x()) +
                        beyond.head<2>().dot(rotated(Vec2(1, 0), now.self.heading));
  const double between =
      middle + now.parameters.handing().nearer_taker() * depth + p.arm_ahead() * taker.arm;
  Stand& stand = work.walk.stand();
  stand.place = taker.feet + between * from;
  stand.heading = std::atan2(-from.y(), -from.x());
  seen_ = taker.feet;
}

control::Goal HandOver::update(const Now& now, const Task& task, Work& work) {
  if (stage() >= Stage::kLeaves) return leave(now, work);
  control::Goal goal = stand_here(now);
  if (stage() > Stage::kComes) goal.heading = work.walk.stand().heading;
  hold_carried(now, work.carried, &goal);
  SomebodySeen taker;
  if (work.carried.thing == 0) {
    work.failed("nothing is carried");
    return goal;
  }
  const char* why = "there is nobody";
  if (now.place.see_somebody(task.somebody, taker)) why = why_not_handed(now, taker, work);
  if (why) {
    handing_ = Handing{};
    work.failed(why);
    return goal;
  }
  if (stage() == Stage::kBegins && !begin(now, task, taker, work)) return goal;
  if (stage() == Stage::kComes) {
    if (is_away(taker)) {
      again(work);
      return goal;
    }
    return come(now, task, taker, work);
  }
  if (stage() == Stage::kOffers) {
    offer(now, taker, work);
  } else {
    release(now, taker, work, &goal);
  }
  return goal;
}

/// Sets out to the taker, or waits.
/// @return it has set out
bool HandOver::begin(const Now& now, const Task& task, const SomebodySeen& taker, Work& work) {
  const v1::HandOverParameters& p = now.parameters.hand_over();
  if (taker.takes == Takes::kNow)
    handing_ = {task.somebody, work.carried.thing, Handing::Stage::kComes};
  if (is_away(taker)) {
    if (work.attempt.clock > p.waits_for_taker_s())
      work.failed(taker.down ? "they are down" : "they do not come to it");
    return false;
  }
  place_before(now, taker, work);
  work.walk.set_out(now);
  enter(Stage::kComes, work);
  return true;
}

control::Goal HandOver::come(const Now& now, const Task& task, const SomebodySeen& taker,
                             Work& work) {
  const v1::HandOverParameters& p = now.parameters.hand_over();
  if ((taker.feet - seen_).norm() > p.moved_away_m() * now.scale()) place_before(now, taker, work);
  control::Goal goal = work.walk_on(now, task.speed, work.carried.thing);
  if (work.walk.arrived()) {
    handing_.stage = Handing::Stage::kOffers;
    enter(Stage::kOffers, work);
  } else if (work.walks_too_long(now, task)) {
    work.failed("there is no way to them");
  }
  return goal;
}

void HandOver::come_again(Work& work) {
  handing_.stage = Handing::Stage::kComes;
  again(work);
}

void HandOver::offer(const Now& now, const SomebodySeen& taker, Work& work) {
  const v1::HandOverParameters& p = now.parameters.hand_over();
  if (takes_weight(taker, work.carried.thing, Handing::Stage::kHolds)) {
    enter(Stage::kReleases, work);
  } else if (is_away(taker) || work.attempt.clock > p.offered_for_s() * now.slow() ||
             (taker.feet - seen_).norm() > 2 * p.moved_away_m() * now.scale()) {
    come_again(work);
  }
}

/// Exerts as much less as the taker exerts more, and lets go once they have the weight.
void HandOver::release(const Now& now, const SomebodySeen& taker, Work& work, control::Goal* goal) {
  const ThingId thing = work.carried.thing;
  if (!takes_weight(taker, thing, Handing::Stage::kHolds)) {
    come_again(work);
    return;
  }
  const double share =
      std::min(1.0, work.attempt.clock / (now.parameters.load().take_weight_s() * now.slow()));
  for (const int side : {kLeft, kRight}) goal->hand[side].effort *= 1 - share;
  if (!takes_weight(taker, thing, Handing::Stage::kHas) || share < 1) return;
  leaving_.let_go(now, now.parameters.handing().hands_away_s() * now.slow(), work);
  handing_ = Handing{};
  work.walk.stand().place = now.body.feet;
  enter(Stage::kLeaves, work);
}

/// The hands leave it, and it steps back.
control::Goal HandOver::leave(const Now& now, Work& work) {
  if (stage() == Stage::kStepsBack) {
    if (stepped_back(now, work)) {
      work.attempt.clock = 0;  // so that it stands
      work.done(0);
    }
    return step_back(now, work);
  }
  Stand& stand = work.walk.stand();
  control::Goal goal = stand_facing(now, stand.heading);
  if (leaving_.update(now, &goal)) {
    stand.place = now.body.feet;
    enter(Stage::kStepsBack, work);
  }
  return goal;
}

void HandOver::visit(StateVisitor& state) {
  StagedSkill::visit(state);
  handing_.visit(state);
  state(seen_);
  leaving_.visit(state);
}

}  // namespace promenade::behaviour::tasks
