#include "behaviour/tasks/kinds/reach.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/abilities.h"
#include "behaviour/tasks/parts/grasp.h"
#include "behaviour/tasks/parts/reach_place.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

using Stage = ReachStage;

constexpr double kPalmThere = 0.022;  // m, from which on a palm is at its point
constexpr double kSettled = 0.3;      // s, that it has to be
constexpr double kFaceFrom = 1;       // m
constexpr double kReachIn = 5;        // s
constexpr double kUsualHold = 0.5;    // s
constexpr double kLooksFrom = 3;      // m, from the place, from where one looks for that

// Of what moves.
constexpr double kMovesFrom = 0.05;     // m/s, level, from which one goes after it
constexpr double kStepsSmoothed = 0.6;  // s
constexpr double kBesideFrom = 1.3;  // m, from the place beside it, where one begins to face along
constexpr double kLeadsBy = 1.2;     // s, by which the way to it leads
constexpr double kSpare = 0.4;       // m/s, more than its own speed, to get there
constexpr double kThereFrom = 0.5;   // m, from the place beside it, where the arm is raised
constexpr double kFacesIt = 0.5;     // rad, likewise
constexpr double kLost = 1.1;        // m, from that place, where it is lowered again
constexpr double kTouches =
    0.03;  // m, likewise, of a palm at what moves, or that a side of a box stops
constexpr double kMovingSettled = 0.1;  // s
constexpr double kMostFollowed = 45;    // s
constexpr double kFollowGain = 1.2;     // 1/s, with which the place beside it is kept
constexpr double kMostAhead = 1.3;      // m/s, that one follows at
constexpr double kMostAside = 0.4;      // m/s
constexpr double kStaysWithin = 0.15;   // m, from the place, where who stands need not step
constexpr double kStopsWithin = 0.06;   // m, where who steps stands
constexpr double kStandsBelow = 0.12;   // m/s: what is slower the arm follows, between steps

}  // namespace

control::Goal Reach::update(const Now& now, const Task& task, Work& work) {
  ThingSeen thing;
  if (task.thing != 0 && !now.place.see_link(task.thing, task.link, thing)) {
    work.failed("it is not there any more");
    return stand_here(now);
  }
  if (stage() == Stage::kBegins && !begin(now, task, thing, work)) return stand_here(now);
  const ReachTarget to = look(now, task, thing);
  if (to.follows && stage() < Stage::kHolds) {
    followed_ += now.dt;
    if (followed_ > kMostFollowed * now.slow()) {
      work.failed("it does not stay in reach");
      return stand_here(now);
    }
  }
  choose_stand(now, to, work);
  if (stage() == Stage::kComes) return come(now, task, thing, to, work);
  const Stand& stand = work.walk.stand();
  control::Goal goal = to.follows ? follow(now, to, stand) : stand_facing(now, stand.heading);
  const Hands hands = move_hands(now, task, to, &goal);
  if (stage() == Stage::kReaches) {
    settle(now, task, thing, to, hands, work);
  } else {
    hold(task, hands.missing, work);
  }
  return goal;
}

/// @return it has set out
bool Reach::begin(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  if (work.attempt.tries == 0) followed_ = 0;
  drift_ = thing.velocity.head<2>();
  points_.choose(now, task, thing, drift_);
  const Vec3 at = points_.target(task, thing).middle;
  if (const char* why = why_not(now, task, at, work)) {
    work.failed(why);
    return false;
  }
  work.walk.stand().place = at.head<2>();
  work.walk.set_out(now);
  enter(Stage::kComes, work);
  return true;
}

const char* Reach::why_not(const Now& now, const Task& task, const Vec3& at,
                           const Work& work) const {
  const bool both = points_.both();
  for (const std::size_t side : {kLeft, kRight}) {
    if (points_.uses(side) && now.body.holds[side] != 0 && now.body.holds[side] != task.thing)
      return both ? "the hands are not both empty" : "that hand is full";
  }
  // With both hands up no shoulder is raised over the other, and the arms lean inwards.
  const double arm = kHighest * now.body.arm, out = half_shoulders(now.body);
  const double over = both ? std::sqrt(std::max(0.0, arm * arm - out * out)) : arm + kTilt * out;
  if (at.z() > now.body.sole + now.body.shoulder_height + over) return "it is too high";
  if (at.z() < now.body.sole - 0.3 * now.scale()) return "it is too low";
  if (work.attempt.tries > kMostTries) return "it is out of reach";
  return nullptr;
}

/// Where the points are, and whether they move.
ReachTarget Reach::look(const Now& now, const Task& task, const ThingSeen& thing) {
  const bool moves = rolls(thing) || thing.velocity.head<2>().norm() > kMovesFrom;
  if (task.thing != 0 && task.coordinates == 0 && task.hand != HandChoice::kBoth &&
      ((moves && stage() == Stage::kComes) || (rolls(thing) && stage() == Stage::kReaches)))
    points_.take_near_side(now, thing);
  ReachTarget to = points_.target(task, thing);
  // What somebody carries swings with every step.
  drift_ += (to.velocity - drift_) * now.dt / (now.dt + kStepsSmoothed * now.slow());
  to.velocity = drift_;
  to.follows = drift_.norm() > kMovesFrom;
  if (to.follows && stage() == Stage::kComes) points_.choose_hand(now, task, thing, drift_, true);
  return to;
}

/// Sets where to stand, and facing where: before the point, or beside one that moves along.
void Reach::choose_stand(const Now& now, const ReachTarget& to, Work& work) const {
  Stand& stand = work.walk.stand();
  const bool both = points_.both(), left = points_.uses(kLeft);
  if (to.velocity.norm() > beside_from(now) && !both) {
    stand_beside(now, to, left, stand);
    return;
  }
  const Vec2 apart = (to.at[kLeft] - to.at[kRight]).head<2>();
  double distance = distance_for(now, to.middle.z() - now.body.sole);
  // The palms are to be at two sides of it.
  if (both && stage() < Stage::kReaches && apart.norm() > 1e-6) {
    const Vec2 ahead = Vec2(apart.y(), -apart.x()).normalized();
    stand.heading = std::atan2(ahead.y(), ahead.x());
    distance = points_.distance();
  } else {
    face(now, to, distance, work);
  }
  const double out = both ? 0 : half_shoulders(now.body) * (left ? 1 : -1);
  const Vec2 ahead_and_left(distance, out), at = to.middle.head<2>();
  stand.place = at - rotated(ahead_and_left, stand.heading);
  // Of the headings from which there is free ground before it the one nearest to that.
  if (stage() > Stage::kComes || (now.body.feet - stand.place).norm() > kLooksFrom * now.scale())
    return;
  stand_on_free_ground(now, at, ahead_and_left, stand);
}

/// Faces along with what moves, or the point as it comes; near by it keeps facing that way.
void Reach::face(const Now& now, const ReachTarget& to, double distance, Work& work) const {
  Stand& stand = work.walk.stand();
  if (to.velocity.norm() > beside_from(now)) {
    stand.heading = std::atan2(to.velocity.y(), to.velocity.x());
  } else if (stage() < Stage::kReaches) {
    const Vec2 way = to.middle.head<2>() - now.body.feet;
    const bool begins = work.attempt.clock <= now.dt;
    if (way.norm() > kFaceFrom * now.scale() || (begins && way.norm() > 1.3 * distance))
      stand.heading = std::atan2(way.y(), way.x());
    else if (begins)
      stand.heading = now.self.heading;
  }
}

/// Walks along with what is reached for, or steps after it.
control::Goal Reach::follow(const Now& now, const ReachTarget& to, const Stand& stand) const {
  const double scale = now.scale(), slow = now.slow();
  control::Goal goal = stand_facing(now, stand.heading);
  const Vec2 missing = stand.place - now.body.feet;
  const bool slowly = to.velocity.norm() < kStandsBelow * slow;
  const double enough = (now.body.standing ? kStaysWithin : kStopsWithin) * scale;
  if (slowly && missing.norm() < enough) return goal;
  goal.stand = false;
  Vec2 wish = rotated(Vec2(to.velocity + kFollowGain / slow * (stand.place - now.self.position)),
                      -stand.heading);
  wish.x() = std::clamp(wish.x(), -kMostAside * slow, kMostAhead * slow);
  wish.y() = std::clamp(wish.y(), -kMostAside * slow, kMostAside * slow);
  goal.velocity = wish;
  return goal;
}

/// Walks to where one stands to reach it, or along with it, and begins to raise the hands there.
control::Goal Reach::come(const Now& now, const Task& task, const ThingSeen& thing,
                          const ReachTarget& to, Work& work) {
  const double scale = now.scale(), slow = now.slow();
  Stand& stand = work.walk.stand();
  const double off = (stand.place - now.body.feet).norm();
  const bool near =
      off < kThereFrom * scale && std::abs(wrap_angle(stand.heading - now.self.heading)) < kFacesIt;
  // Where to stand follows a thing that moves.
  const double speed = to.follows ? std::max(task.speed > 0 ? task.speed : now.self.cruise_speed,
                                             to.velocity.norm() + kSpare * slow)
                                  : task.speed;
  const Vec2 place = stand.place;
  stand.place += kLeadsBy * slow * to.velocity;
  const bool beside = to.velocity.norm() > beside_from(now) && off < kBesideFrom * scale;
  control::Goal goal = to.follows && (near || beside) ? follow(now, to, stand)
                                                      : work.walk_on(now, speed, task.thing);
  stand.place = place;
  const bool there =
      to.follows ? near
                 : work.walk.arrived() || (work.walk.missing() < 0.15 * scale && now.body.standing);
  if (there) {
    points_.let_palms_meet(now, task, thing, stand.heading);
    for (const std::size_t side : {kLeft, kRight}) {
      if (!points_.uses(side)) continue;
      const double far = (to.at[side] - now.body.palm[side]).norm();
      path_[side].begin(now.body.palm[side], time_of_way(far, scale));
    }
    settled_ = 0;
    enter(Stage::kReaches, work);
  } else if (work.walks_too_long(now, task)) {
    work.failed("there is no way to it");
  }
  return goal;
}

Reach::Hands Reach::move_hands(const Now& now, const Task& task, const ReachTarget& to,
                               control::Goal* goal) {
  Hands out;
  out.holds = task.thing != 0;
  for (const std::size_t side : {kLeft, kRight}) {
    if (!points_.uses(side)) continue;
    goal->hand[side] =
        path_[side].move(control::HandGoal::Frame::kWorld, to.at[side], to.moves[side], now.dt);
    out.missing = std::max(out.missing, (now.body.palm[side] - to.at[side]).norm());
    out.arrived = out.arrived && path_[side].arrived();
    out.holds = out.holds && now.body.holds[side] == task.thing;
  }
  return out;
}

/// Waits until the palms are at their points, and grips there.
void Reach::settle(const Now& now, const Task& task, const ThingSeen& thing, const ReachTarget& to,
                   const Hands& hands, Work& work) {
  const double scale = now.scale(), slow = now.slow();
  const double off = (work.walk.stand().place - now.body.feet).norm();
  // While the body still sinks or rises the palm only passes its point.
  const bool touches = to.follows || (points_.both() && task.thing != 0);
  const double enough = touches ? kTouches : kPalmThere;
  settled_ = hands.arrived && hands.missing < enough * scale ? settled_ + now.dt : 0;
  const double settled = to.follows ? kMovingSettled : kSettled;
  if (settled_ > settled * slow || (hands.arrived && hands.holds)) {
    for (const std::size_t side : {kLeft, kRight}) {
      if (points_.uses(side) && task.grip && now.body.holds[side] != task.thing) {
        work.orders[side] = grip_here(now, side, task.thing, thing);
        work.orders[side].link = task.link;
      }
    }
    missed_ = hands.missing;
    enter(Stage::kHolds, work);
  } else if (followed_ > 0 && (to.follows ? off > kLost * scale : !now.body.standing)) {
    // It is further ahead, or has stopped: walks there.
    enter(Stage::kComes, work);
    work.walk.set_out(now);
  } else if (!to.follows && (work.attempt.clock > kReachIn * slow || !now.body.standing)) {
    again(work);
  }
}

void Reach::hold(const Task& task, double missing, Work& work) {
  // Of what may be moved it counts how near the palm was.
  missed_ = task.thing != 0 ? std::min(missed_, missing) : missing;
  const double longest = task.seconds > 0 ? task.seconds : kUsualHold;
  if (work.attempt.clock >= longest) work.done(missed_);
}

void Reach::visit(StateVisitor& state) {
  StagedSkill::visit(state);
  points_.visit(state);
  for (HandPath& path : path_) path.visit(state);
  state(drift_, followed_, settled_, missed_);
}

}  // namespace promenade::behaviour::tasks
