#include "behaviour/tasks/kinds/take_over.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/box_sides.h"
#include "behaviour/tasks/parts/load.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

using Stage = TakeOverStage;

}  // namespace

control::Goal TakeOver::update(const Now& now, const Task& task, Work& work) {
  const bool full = std::any_of(now.body.holds.begin(), now.body.holds.end(),
                                [&](ThingId held) { return held != 0 && held != handing_.thing; });
  if (full) {
    work.failed("the hands are full");
    return stand_here(now);
  }
  if (work.attempt.tries > now.parameters.tries().most_tries()) {
    work.failed("it cannot be gripped");
    return stand_here(now);
  }
  if (stage() == Stage::kWaits) return wait(now, task, work);
  ThingSeen thing;
  if (!now.place.see(handing_.thing, thing)) {
    work.let_go();
    work.failed("it is not there any more");
    return stand_facing(now, work.walk.stand().heading);
  }
  if (stage() == Stage::kDrawsNear) return draw(now, work);
  return take(now, look(now, thing), work);
}

/// Nobody comes with anything.
void TakeOver::give_up_waiting(const Now& now, Work& work) {
  const v1::TakeOverParameters& p = now.parameters.take_over();
  const bool came = handing_.other != 0;
  handing_.thing = 0;
  handing_.stage = Handing::Stage::kNone;
  if (came && work.attempt.clock > p.waits_for_return_s()) {
    work.failed("they do not hand it over any more");
  } else if (work.attempt.clock > p.waits_for_giver_s()) {
    work.failed("nobody hands anything over");
  }
}

/// Stands, and turns to who comes with something.
control::Goal TakeOver::wait(const Now& now, const Task& task, Work& work) {
  const v1::TakeOverParameters& p = now.parameters.take_over();
  control::Goal goal = work.stand_by(now);
  const ThingId giver = now.place.giver();
  SomebodySeen from;
  ThingSeen thing;
  const bool comes = giver != 0 && (task.somebody == 0 || task.somebody == giver) &&
                     now.place.see_somebody(giver, from) && from.physical &&
                     now.place.see(from.handing.thing, thing);
  if (!comes) {
    give_up_waiting(now, work);
    return goal;
  }
  work.attempt.clock = 0;
  handing_ = {giver, from.handing.thing, Handing::Stage::kNone};
  const Vec2 way = from.feet - now.body.feet;
  if (way.norm() > p.faces_from_m() * now.scale()) return goal;
  const double heading = std::atan2(way.y(), way.x());
  goal = work.rest.turn_to(now, heading);
  const bool faces = std::abs(wrap_angle(heading - now.self.heading)) < p.facing_rad();
  if (from.handing.stage == Handing::Stage::kOffers && faces && now.body.standing)
    set_about(now, thing, heading, work);
  return goal;
}

/// Begins to bring the hands to what is held out.
/// @param heading  rad, towards the giver
void TakeOver::set_about(const Now& now, const ThingSeen& thing, double heading, Work& work) {
  work.walk.stand().heading = heading;
  work.walk.stand().place = now.body.feet;
  choose_grips(now, thing, heading);
  if (0.5 * grasp_.apart() > now.parameters.abilities().widest() * now.body.arm) {
    work.failed("it is too wide");
    return;
  }
  grasp_.set_out(now, thing);
  handing_.stage = Handing::Stage::kTakes;
  enter(Stage::kWaitsBeside, work);
}

/// Sets where the hands take hold of what somebody holds from the other side.
void TakeOver::choose_grips(const Now& now, const ThingSeen& thing, double heading) {
  const v1::TakeOverParameters& p = now.parameters.take_over();
  const BoxSide side = side_towards(thing, rotated(Vec2(1, 0), heading));
  const Vec3 middle = thing.center + p.taken_high() * side.height * side.up -
                      now.parameters.handing().nearer_taker() * side.depth * side.ahead;
  const Vec3 aside = (side.width + now.body.hand) * side.left;
  grasp_.at = {middle + aside, middle - aside};
}

TakeOver::Offer TakeOver::look(const Now& now, const ThingSeen& thing) const {
  Offer out;
  out.thing = thing;
  out.holds = now.body.holds[kLeft] == handing_.thing && now.body.holds[kRight] == handing_.thing;
  SomebodySeen from;
  const bool there = now.place.see_somebody(handing_.other, from) && from.physical;
  out.in_their_hands =
      there && std::find(from.holds.begin(), from.holds.end(), handing_.thing) != from.holds.end();
  out.offered = out.in_their_hands && from.handing.thing == handing_.thing &&
                from.handing.stage == Handing::Stage::kOffers;
  return out;
}

control::Goal TakeOver::take(const Now& now, const Offer& offer, Work& work) {
  const v1::TakeOverParameters& p = now.parameters.take_over();
  control::Goal goal = stand_facing(now, work.walk.stand().heading);
  const double longest = stage() == Stage::kTakesWeight
                             ? now.parameters.load().take_weight_s() + p.released_in_s()
                             : p.takes_hold_in_s();
  const bool late = work.attempt.clock > longest * now.slow();
  // A worker that is left alone with it keeps it, if both hands have it.
  if ((!offer.offered && (offer.in_their_hands || !offer.holds)) || late) {
    work.let_go();
    handing_.stage = Handing::Stage::kNone;
    again(work);
    return goal;
  }
  if (stage() == Stage::kTakesWeight) {
    take_weight(now, offer, work, &goal);
  } else {
    bring_hands(now, offer, work, &goal);
  }
  return goal;
}

void TakeOver::bring_hands(const Now& now, const Offer& offer, Work& work, control::Goal* goal) {
  const ThingSeen& thing = offer.thing;
  const bool waits = stage() == Stage::kWaitsBeside;
  const bool ready = waits ? grasp_.wait_beside(now, thing, work.attempt.clock, goal)
                           : grasp_.take_hold(now, thing, handing_.thing, work, goal);
  if (!ready) return;
  grasp_.begin(now, now.parameters.handing().hands_away_s() * now.slow());
  for (const std::size_t side : {kLeft, kRight}) held_[side] = thing.in_link(now.body.palm[side]);
  if (!waits) handing_.stage = Handing::Stage::kHolds;
  enter(waits ? Stage::kGrips : Stage::kTakesWeight, work);
}

/// Exerts more and more of the weight, until the giver lets go.
void TakeOver::take_weight(const Now& now, const Offer& offer, Work& work, control::Goal* goal) {
  const double weight = offer.thing.mass * physics::kGravity;
  const double share =
      offer.in_their_hands
          ? std::min(1.0, work.attempt.clock / (now.parameters.load().take_weight_s() * now.slow()))
          : 1;
  for (const std::size_t side : {kLeft, kRight}) {
    control::HandGoal& hand = goal->hand[side];
    hand.frame = control::HandGoal::Frame::kWorld;
    hand.at = offer.thing.at(held_[side]);
    hand.expected = 0.5 * weight;
    hand.effort = Vec3(0, 0, share * 0.5 * weight);
  }
  if (!offer.holds) {
    work.let_go();
    again(work);
  } else if (share == 1) {
    handing_.stage = Handing::Stage::kHas;
    if (!offer.in_their_hands) keep(now, offer.thing, work);
  }
}

/// The giver has let go: it is carried now.
void TakeOver::keep(const Now& now, const ThingSeen& thing, Work& work) {
  const v1::TakeOverParameters& p = now.parameters.take_over();
  Carried& carried = work.carried;
  const double heading = work.walk.stand().heading;
  carried.thing = handing_.thing;
  carried.grip = held_;
  carried.mass = thing.mass;
  carried.handed = true;
  carried.yaw = wrap_angle(heading_of(upright(thing)) - heading);
  const double slowly = now.slow() * heaviness(now, thing.mass);
  const Quat back = rotation_z(-now.self.heading);
  for (const std::size_t side : {kLeft, kRight})
    grasp_.path[side].begin(back * (now.body.palm[side] - now.body.chest()),
                            p.drawn_in_s() * slowly);
  carried.hold_before(now, thing, grasp_.at, heading, 0);
  enter(Stage::kDrawsNear, work);
}

control::Goal TakeOver::draw(const Now& now, Work& work) {
  const v1::TakeOverParameters& p = now.parameters.take_over();
  control::Goal goal = stand_facing(now, work.walk.stand().heading);
  const bool frees_hands = work.attempt.clock < p.frees_hands_in_s() * now.slow();
  draw_near(now, work.carried, frees_hands ? 0 : now.dt, &grasp_.path, &goal);
  if (grasp_.path[kLeft].arrived()) work.done(0);
  return goal;
}

void TakeOver::visit(StateVisitor& state) {
  StagedSkill::visit(state);
  handing_.visit(state);
  grasp_.visit(state);
  state(held_);
}

}  // namespace promenade::behaviour::tasks
