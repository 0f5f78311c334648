#include "behaviour/tasks/kinds/reach.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/grasp.h"
#include "behaviour/tasks/parts/reach_place.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

using Stage = ReachStage;

}  // namespace

control::Goal Reach::update(const Now& now, const Task& task, Work& work) {
  const v1::ReachParameters& p = now.parameters.reach();
  ThingSeen thing;
  if (task.thing != 0 && !now.place.see_link(task.thing, task.link, thing)) {
    work.failed("it is not there any more");
    return stand_here(now);
  }
  if (stage() == Stage::kBegins && !begin(now, task, thing, work)) return stand_here(now);
  const ReachTarget to = look(now, task, thing);
  if (to.follows && stage() < Stage::kHolds) {
    followed_ += now.dt;
    if (followed_ > p.most_followed_s() * now.slow()) {
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
    hold(now, task, hands.missing, work);
  }
  return goal;
}

/// @return it has set out
bool Reach::begin(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  if (work.attempt.tries == 0) followed_ = 0;
  drift_ = thing.velocity.head<2>();
  points_.choose(now, task, thing, drift_);
  const Vec3 at = points_.target(now, task, thing).middle;
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
  const v1::ReachParameters& p = now.parameters.reach();
  const bool both = points_.both();
  for (const std::size_t side : {kLeft, kRight}) {
    if (points_.uses(side) && now.body.holds[side] != 0 && now.body.holds[side] != task.thing)
      return both ? "the hands are not both empty" : "that hand is full";
  }
  // With both hands up no shoulder is raised over the other, and the arms lean inwards.
  const double arm = now.parameters.abilities().highest() * now.body.arm,
               out = half_shoulders(now.body);
  const double over = both ? std::sqrt(std::max(0.0, arm * arm - out * out))
                           : arm + now.parameters.abilities().shoulder_raised() * out;
  if (at.z() > now.body.sole + now.body.shoulder_height + over) return "it is too high";
  if (at.z() < now.body.sole - p.below_sole_m() * now.scale()) return "it is too low";
  if (work.attempt.tries > now.parameters.tries().most_tries()) return "it is out of reach";
  return nullptr;
}

/// Where the points are, and whether they move.
ReachTarget Reach::look(const Now& now, const Task& task, const ThingSeen& thing) {
  const v1::ReachParameters& p = now.parameters.reach();
  const bool moves = rolls(now, thing) || thing.velocity.head<2>().norm() > p.moves_from_mps();
  if (task.thing != 0 && task.coordinates == 0 && task.hand != HandChoice::kBoth &&
      ((moves && stage() == Stage::kComes) || (rolls(now, thing) && stage() == Stage::kReaches)))
    points_.take_near_side(now, thing);
  ReachTarget to = points_.target(now, task, thing);
  // What somebody carries swings with every step.
  drift_ += (to.velocity - drift_) * now.dt / (now.dt + p.steps_smoothed_s() * now.slow());
  to.velocity = drift_;
  to.follows = drift_.norm() > p.moves_from_mps();
  if (to.follows && stage() == Stage::kComes) points_.choose_hand(now, task, thing, drift_, true);
  return to;
}

/// Sets where to stand, and facing where: before the point, or beside one that moves along.
void Reach::choose_stand(const Now& now, const ReachTarget& to, Work& work) const {
  const v1::ReachParameters& p = now.parameters.reach();
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
  if (stage() > Stage::kComes ||
      (now.body.feet - stand.place).norm() > p.looks_from_m() * now.scale())
    return;
  stand_on_free_ground(now, at, ahead_and_left, stand);
}

/// Faces along with what moves, or the point as it comes; near by it keeps facing that way.
void Reach::face(const Now& now, const ReachTarget& to, double distance, Work& work) const {
  const v1::ReachParameters& p = now.parameters.reach();
  Stand& stand = work.walk.stand();
  if (to.velocity.norm() > beside_from(now)) {
    stand.heading = std::atan2(to.velocity.y(), to.velocity.x());
  } else if (stage() < Stage::kReaches) {
    const Vec2 way = to.middle.head<2>() - now.body.feet;
    const bool begins = work.attempt.clock <= now.dt;
    if (way.norm() > p.face_from_m() * now.scale() ||
        (begins && way.norm() > p.far_for() * distance))
      stand.heading = std::atan2(way.y(), way.x());
    else if (begins)
      stand.heading = now.self.heading;
  }
}

/// Walks along with what is reached for, or steps after it.
control::Goal Reach::follow(const Now& now, const ReachTarget& to, const Stand& stand) const {
  const v1::ReachParameters& p = now.parameters.reach();
  const double scale = now.scale(), slow = now.slow();
  control::Goal goal = stand_facing(now, stand.heading);
  const Vec2 missing = stand.place - now.body.feet;
  const bool slowly = to.velocity.norm() < p.stands_below_mps() * slow;
  const double enough = (now.body.standing ? p.stays_within_m() : p.stops_within_m()) * scale;
  if (slowly && missing.norm() < enough) return goal;
  goal.stand = false;
  Vec2 wish =
      rotated(Vec2(to.velocity + p.follow_gain() / slow * (stand.place - now.self.position)),
              -stand.heading);
  wish.x() = std::clamp(wish.x(), -p.most_aside_mps() * slow, p.most_ahead_mps() * slow);
  wish.y() = std::clamp(wish.y(), -p.most_aside_mps() * slow, p.most_aside_mps() * slow);
  goal.velocity = wish;
  return goal;
}

/// Walks to where one stands to reach it, or along with it, and begins to raise the hands there.
control::Goal Reach::come(const Now& now, const Task& task, const ThingSeen& thing,
                          const ReachTarget& to, Work& work) {
  const v1::ReachParameters& p = now.parameters.reach();
  const double scale = now.scale(), slow = now.slow();
  Stand& stand = work.walk.stand();
  const double off = (stand.place - now.body.feet).norm();
  const bool near = off < p.there_from_m() * scale &&
                    std::abs(wrap_angle(stand.heading - now.self.heading)) < p.faces_it_rad();
  // Where to stand follows a thing that moves.
  const double speed = to.follows ? std::max(task.speed > 0 ? task.speed : now.self.cruise_speed,
                                             to.velocity.norm() + p.spare_mps() * slow)
                                  : task.speed;
  const Vec2 place = stand.place;
  stand.place += p.leads_by_s() * slow * to.velocity;
  const bool beside = to.velocity.norm() > beside_from(now) && off < p.beside_from_m() * scale;
  control::Goal goal = to.follows && (near || beside) ? follow(now, to, stand)
                                                      : work.walk_on(now, speed, task.thing);
  stand.place = place;
  const bool there =
      to.follows ? near
                 : work.walk.arrived() ||
                       (work.walk.missing() < p.near_enough_m() * scale && now.body.standing);
  if (there) {
    points_.let_palms_meet(now, task, thing, stand.heading);
    for (const std::size_t side : {kLeft, kRight}) {
      if (!points_.uses(side)) continue;
      const double far = (to.at[side] - now.body.palm[side]).norm();
      path_[side].begin(now.body.palm[side], time_of_way(now.parameters.hand_path(), far, scale));
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
        path_[side].move(now.parameters.hand_path(), control::HandGoal::Frame::kWorld, to.at[side],
                         to.moves[side], now.dt);
    out.missing = std::max(out.missing, (now.body.palm[side] - to.at[side]).norm());
    out.arrived = out.arrived && path_[side].arrived();
    out.holds = out.holds && now.body.holds[side] == task.thing;
  }
  return out;
}

/// Waits until the palms are at their points, and grips there.
void Reach::settle(const Now& now, const Task& task, const ThingSeen& thing, const ReachTarget& to,
                   const Hands& hands, Work& work) {
  const v1::ReachParameters& p = now.parameters.reach();
  const double scale = now.scale(), slow = now.slow();
  const double off = (work.walk.stand().place - now.body.feet).norm();
  // While the body still sinks or rises the palm only passes its point.
  const bool touches = to.follows || (points_.both() && task.thing != 0);
  const double enough = touches ? p.touches_m() : p.palm_there_m();
  settled_ = hands.arrived && hands.missing < enough * scale ? settled_ + now.dt : 0;
  const double settled = to.follows ? p.moving_settled_s() : p.settled_s();
  if (settled_ > settled * slow || (hands.arrived && hands.holds)) {
    for (const std::size_t side : {kLeft, kRight}) {
      if (points_.uses(side) && task.grip && now.body.holds[side] != task.thing) {
        work.orders[side] = grip_here(now, side, task.thing, thing);
        work.orders[side].link = task.link;
      }
    }
    missed_ = hands.missing;
    enter(Stage::kHolds, work);
  } else if (followed_ > 0 && (to.follows ? off > p.lost_m() * scale : !now.body.standing)) {
    // It is further ahead, or has stopped: walks there.
    enter(Stage::kComes, work);
    work.walk.set_out(now);
  } else if (!to.follows && (work.attempt.clock > p.reach_in_s() * slow || !now.body.standing)) {
    again(work);
  }
}

void Reach::hold(const Now& now, const Task& task, double missing, Work& work) {
  const v1::ReachParameters& p = now.parameters.reach();
  // Of what may be moved it counts how near the palm was.
  missed_ = task.thing != 0 ? std::min(missed_, missing) : missing;
  const double longest = task.seconds > 0 ? task.seconds : p.usual_hold_s();
  if (work.attempt.clock >= longest) work.done(missed_);
}

void Reach::visit(StateVisitor& state) {
  StagedSkill::visit(state);
  points_.visit(state);
  for (HandPath& path : path_) path.visit(state);
  state(drift_, followed_, settled_, missed_);
}

}  // namespace promenade::behaviour::tasks
