// Handing something over to somebody else, who takes it from the hands.
#include <algorithm>
#include <cmath>

#include "behaviour/steering.h"
#include "behaviour/tasks/box_sides.h"
#include "behaviour/tasks/load.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kArmAhead = 0.6;      // of the taker's arm, to where its hands are to take hold
constexpr double kNearerTaker = 0.35;  // of the half depth, by which they hold nearer to the taker
constexpr double kTakenHigh = 0.4;   // of the half height over the middle: below the giver's hands
constexpr double kMovedAway = 0.15;  // m, by which the taker may move before one follows
constexpr double kFacesFrom = 2.5;   // m, from where on the taker turns to who comes
constexpr double kFacingGiver = 0.35;   // rad
constexpr double kOfferedFor = 12;      // s
constexpr double kTakesHoldIn = 5;      // s
constexpr double kReleasedIn = 6;       // s, after that
constexpr double kFreesHandsIn = 0.6;   // s, before the taker draws it near
constexpr double kDrawnIn = 1.2;        // s
constexpr double kWaitsForTaker = 60;   // s, that is busy or down
constexpr double kWaitsForGiver = 120;  // s, for somebody to come
constexpr double kWaitsForReturn = 3;   // s, for who has come to come back
constexpr double kHandsAway = 0.5;      // s

}  // namespace

Takes Worker::takes_from(ThingId giver) const {
  if (shares_) return Takes::kNever;
  if (!has_work()) return Takes::kNow;
  const auto takes = [&](const Task& task) {
    return task.kind == TaskKind::kTakeOver && (task.somebody == 0 || task.somebody == giver);
  };
  if (takes(tasks_[current_]))
    return handing_.other == 0 || handing_.other == giver ? Takes::kNow : Takes::kLater;
  const std::size_t first = repeat_ ? 0 : current_;
  const bool later = std::any_of(tasks_.begin() + std::ptrdiff_t(first), tasks_.end(), takes);
  return later ? Takes::kLater : Takes::kNever;
}

ThingId Worker::asks() const {
  return carried_.thing != 0 && handing_.stage == Handing::Stage::kComes ? handing_.other : 0;
}

/// Why something cannot be handed over at all; null: it can.
const char* Worker::why_not_handed(const Now& now, const SomebodySeen& taker) const {
  if (!taker.works) return "they cannot take it";
  if (taker.takes == Takes::kNever) return "they are at something else";
  if (tries_ > kMostTries) return "they do not get hold of it";
  if (!taker.physical) return nullptr;
  const bool full = std::any_of(taker.holds.begin(), taker.holds.end(),
                                [&](ThingId held) { return held != 0 && held != carried_.thing; });
  if (full && taker.takes == Takes::kNow) return "their hands are full";
  if (carried_.mass > kMostOfMass * taker.mass) return "it is too heavy for them";
  ThingSeen thing;
  if (!now.place.see(carried_.thing, thing)) return "it is no longer in the hands";
  return nullptr;
}

/// Chooses the place to stand before who takes it, so that both reach it.
void Worker::place_before(const Now& now, const SomebodySeen& taker) {
  Vec2 from = now.body.feet - taker.feet;
  if (from.norm() < 1e-3) from = rotated(Vec2(-1, 0), now.self.heading);
  from.normalize();
  ThingSeen thing;
  now.place.see(carried_.thing, thing);
  const double depth = side_towards(thing, rotated(Vec2(1, 0), now.self.heading)).depth;
  const Vec3 beyond = thing.rotation * (thing.center - 0.5 * (carried_.grip[0] + carried_.grip[1]));
  const double middle = 0.5 * (carried_.place[kLeft].x() + carried_.place[kRight].x()) +
                        beyond.head<2>().dot(rotated(Vec2(1, 0), now.self.heading));
  const double between = middle + kNearerTaker * depth + kArmAhead * taker.arm;
  stand_.place = taker.feet + between * from;
  stand_.heading = std::atan2(-from.y(), -from.x());
  seen_ = taker.feet;
}

control::Goal Worker::hand_over(const Now& now, const Task& task) {
  const double scale = now.self.scale, slow = std::sqrt(scale);
  if (stage_ == 4) return withdraw(now);
  if (stage_ == 5) {
    if (stepped_back(now)) done(0);
    return step_back(now);
  }
  control::Goal goal = stand_here(now);
  goal.heading = stage_ > 1 ? stand_.heading : now.self.heading;
  carry(now, &goal);
  SomebodySeen taker;
  if (carried_.thing == 0) {
    failed("nothing is carried");
    return goal;
  }
  const char* why = "there is nobody";
  if (now.place.see_somebody(task.somebody, taker)) why = why_not_handed(now, taker);
  if (why) {
    handing_ = Handing{};
    failed(why);
    return goal;
  }
  const bool gone = taker.down || !taker.physical || taker.takes == Takes::kLater;
  if (stage_ == 0) {
    if (taker.takes == Takes::kNow)
      handing_ = {task.somebody, carried_.thing, Handing::Stage::kComes};
    if (gone) {
      if (clock_ > kWaitsForTaker) failed(taker.down ? "they are down" : "they do not come to it");
      return goal;
    }
    place_before(now, taker);
    set_out(now);
    next_stage();
  }
  if (stage_ == 1) {
    if (gone) {
      again();
      return goal;
    }
    if ((taker.feet - seen_).norm() > kMovedAway * scale) place_before(now, taker);
    goal = approach(now, task.speed, carried_.thing);
    if (approach_.arrived()) {
      handing_.stage = Handing::Stage::kOffers;
      next_stage();
    } else if (takes_too_long(now, task)) {
      failed("there is no way to them");
    }
    return goal;
  }
  const bool mine = taker.handing.thing == carried_.thing && !gone;
  const bool has = mine && taker.handing.stage == Handing::Stage::kHas;
  const bool holds = has || (mine && taker.handing.stage == Handing::Stage::kHolds);
  if (stage_ == 2) {
    if (holds) {
      next_stage();
    } else if (gone || clock_ > kOfferedFor * slow ||
               (taker.feet - seen_).norm() > 2 * kMovedAway * scale) {
      handing_.stage = Handing::Stage::kComes;
      again();
    }
    return goal;
  }
  if (!holds) {
    handing_.stage = Handing::Stage::kComes;
    again();
    return goal;
  }
  const double share = std::min(1.0, clock_ / (kTakeWeight * slow));
  for (const int side : {kLeft, kRight}) goal.hand[side].effort *= 1 - share;
  if (!has || share < 1) return goal;
  for (const int side : {kLeft, kRight}) {
    orders_[side] = {HandOrder::Kind::kLetGo, carried_.thing, Vec3::Zero()};
    grip_[side] = now.body.palm[side];
    path_[side].begin(now.body.palm[side], kHandsAway * slow);
  }
  missed_ = 0;
  carried_ = Carried{};
  handing_ = Handing{};
  stand_.place = now.body.feet;
  next_stage();
  return goal;
}

/// Sets where the hands take hold of what somebody holds from the other side.
void Worker::choose_grips_opposite(const Now& now, const ThingSeen& thing) {
  const Vec2 ahead = rotated(Vec2(1, 0), stand_.heading);
  const BoxSide side = side_towards(thing, ahead);
  const Vec3 middle =
      thing.center + kTakenHigh * side.height * side.up - kNearerTaker * side.depth * side.ahead;
  const Vec3 aside = (side.width + now.body.hand) * side.left;
  grip_ = {middle + aside, middle - aside};
}

/// Stands, and turns to who comes with something.
control::Goal Worker::wait_for_giver(const Now& now, const Task& task) {
  control::Goal goal = rest(now);
  const ThingId giver = now.place.giver();
  SomebodySeen from;
  ThingSeen thing;
  const bool comes = giver != 0 && (task.somebody == 0 || task.somebody == giver) &&
                     now.place.see_somebody(giver, from) && from.physical &&
                     now.place.see(from.handing.thing, thing);
  if (!comes) {
    const bool came = handing_.other != 0;
    handing_.thing = 0;
    handing_.stage = Handing::Stage::kNone;
    if (came && clock_ > kWaitsForReturn)
      failed("they do not hand it over any more");
    else if (clock_ > kWaitsForGiver)
      failed("nobody hands anything over");
    return goal;
  }
  clock_ = 0;
  handing_ = {giver, from.handing.thing, Handing::Stage::kNone};
  const Vec2 way = from.feet - now.body.feet;
  if (way.norm() > kFacesFrom * now.self.scale) return goal;
  rest_heading_ = std::atan2(way.y(), way.x());
  goal = goal_to_stand(now.self.heading, rest_heading_, turning_);
  const bool faces = std::abs(wrap_angle(rest_heading_ - now.self.heading)) < kFacingGiver;
  if (from.handing.stage != Handing::Stage::kOffers || !faces || !now.body.standing) return goal;
  stand_.heading = rest_heading_;
  stand_.place = now.body.feet;
  choose_grips_opposite(now, thing);
  const double width = 0.5 * (grip_[kLeft] - grip_[kRight]).norm();
  if (width > kTooWide * now.body.arm) {
    failed("it is too wide");
    return goal;
  }
  for (const int side : {kLeft, kRight}) {
    const double far = (thing.at(grip_[side]) - now.body.palm[side]).norm();
    path_[side].begin(now.body.palm[side], time_of_way(far, now.self.scale));
  }
  handing_.stage = Handing::Stage::kTakes;
  next_stage();
  return goal;
}

control::Goal Worker::take_over(const Now& now, const Task& task) {
  const double slow = std::sqrt(now.self.scale);
  const bool full = std::any_of(now.body.holds.begin(), now.body.holds.end(),
                                [&](ThingId held) { return held != 0 && held != handing_.thing; });
  if (full) {
    failed("the hands are full");
    return stand_here(now);
  }
  if (tries_ > kMostTries) {
    failed("it cannot be gripped");
    return stand_here(now);
  }
  if (stage_ == 0) return wait_for_giver(now, task);
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  ThingSeen thing;
  if (!now.place.see(handing_.thing, thing)) {
    let_go();
    failed("it is not there any more");
    return goal;
  }
  const double weight = thing.mass * physics::kGravity;
  const double slowly = slow * heaviness(now.body, thing.mass);
  const bool holds =
      now.body.holds[kLeft] == handing_.thing && now.body.holds[kRight] == handing_.thing;
  if (stage_ == 4) {  // it is in these hands alone
    draw_near(now, clock_ < kFreesHandsIn * slow ? 0 : now.dt, &goal);
    if (path_[kLeft].arrived()) {
      handing_ = Handing{};
      done(0);
    }
    return goal;
  }
  SomebodySeen from;
  const bool there = now.place.see_somebody(handing_.other, from) && from.physical;
  const bool in_their_hands =
      there && std::find(from.holds.begin(), from.holds.end(), handing_.thing) != from.holds.end();
  const bool offered = in_their_hands && from.handing.thing == handing_.thing &&
                       from.handing.stage == Handing::Stage::kOffers;
  const bool late = clock_ > (stage_ == 3 ? kTakeWeight + kReleasedIn : kTakesHoldIn) * slow;
  // Who is left alone with it keeps it, if both hands have it.
  if ((!offered && (in_their_hands || !holds)) || late) {
    let_go();
    handing_.stage = Handing::Stage::kNone;
    again();
    return goal;
  }
  if (stage_ < 3) {
    if (bring_hands(now, thing, handing_.thing, stage_ == 1, &goal)) {
      for (const int side : {kLeft, kRight}) {
        path_[side].begin(now.body.palm[side], kHandsAway * slow);
        carried_.grip[side] = thing.in_link(now.body.palm[side]);
      }
      if (stage_ == 2) handing_.stage = Handing::Stage::kHolds;
      next_stage();
    }
    return goal;
  }
  const double share = in_their_hands ? std::min(1.0, clock_ / (kTakeWeight * slow)) : 1;
  for (const int side : {kLeft, kRight}) {
    goal.hand[side].frame = control::HandGoal::Frame::kWorld;
    goal.hand[side].at = thing.at(carried_.grip[side]);
    goal.hand[side].expected = 0.5 * weight;
    goal.hand[side].effort = Vec3(0, 0, share * 0.5 * weight);
  }
  if (!holds) {
    let_go();
    again();
  } else if (share == 1) {
    handing_.stage = Handing::Stage::kHas;
    if (in_their_hands) return goal;
    carried_.thing = handing_.thing;
    carried_.mass = thing.mass;
    carried_.handed = true;
    carried_.yaw = wrap_angle(heading_of(upright(thing)) - stand_.heading);
    const Quat back = rotation_z(-now.self.heading);
    for (const int side : {kLeft, kRight})
      path_[side].begin(back * (now.body.palm[side] - now.body.chest()), kDrawnIn * slowly);
    hold_before(now, thing, 0);
    next_stage();
  }
  return goal;
}

}  // namespace promenade::behaviour::tasks
