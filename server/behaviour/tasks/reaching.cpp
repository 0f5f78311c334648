// Bringing a palm, or both, to a point. Source: Coros2010 §5.4, "Reaching".
#include <algorithm>
#include <cmath>

#include "behaviour/tasks/box_sides.h"
#include "behaviour/tasks/load.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kUsualReach =
    0.72;                            // of the arm's length, from shoulder to point, where one stops
constexpr double kLowAhead = 0.62;   // likewise for what is at the feet: level distance to the feet
constexpr double kFreeToes = 0.08;   // m, that stay free
constexpr double kStretched = 0.16;  // of the arm: level distance to what is as high as one reaches
constexpr double kBegin = 0.9;       // m, from the place to stand, from where on the arm is raised
constexpr double kPalmThere = 0.022;   // m, from which on a palm is at its point
constexpr double kSettled = 0.3;       // s, that it has to be
constexpr double kFaceFrom = 1;        // m
constexpr double kReachIn = 5;         // s
constexpr double kUsualHold = 0.5;     // s
constexpr double kSideHeight = 0.75;   // of a half height over the middle, for palms at two sides
constexpr double kPalmsOut = 0.85;     // of the arm, from the shoulders to palms at two sides
constexpr double kStandsEvery = 0.05;  // m, between places to stand that are tried
constexpr double kLargestStep = 0.25;  // m, of the ground where one would stand
constexpr double kHalfStance = 0.14;   // m, that stays free to both sides of the feet
constexpr double kLooksFrom = 3;       // m, from the place, from where one looks for that
constexpr double kTurnEvery = 0.25;    // rad, between ways to come that are tried
constexpr int kTurnsTried = 12;

// Of what moves.
constexpr double kMovesFrom = 0.05;     // m/s, level, from which one goes after it
constexpr double kStepsSmoothed = 0.6;  // s
constexpr double kWalksBeside = 0.3;    // m/s, from which one walks beside it, and does not face it
constexpr double kBesideAhead = 0.4;    // of the level reach: point before the shoulder, beside it
constexpr double kBesideAside = 0.8;    // likewise, outside of it
constexpr double kBesideFrom = 1.3;   // m, from the place beside it, where one begins to face along
constexpr double kAsideBefore = 0.3;  // m, to its other side, before one changes the hand
constexpr double kRolls = 0.5;        // rad/s, from which its near side is not one point of it
constexpr double kLeadsBy = 1.2;      // s, by which the way to it leads
constexpr double kSpare = 0.4;        // m/s, more than its own speed, to get there
constexpr double kThereFrom = 0.5;    // m, from the place beside it, where the arm is raised
constexpr double kFacesIt = 0.5;      // rad, likewise
constexpr double kLost = 1.1;         // m, from that place, where it is lowered again
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

double half_shoulders(const BodySeen& body) {
  return 0.5 * (body.shoulder[0] - body.shoulder[1]).head<2>().norm();
}

/// The nearest point of a thing, link frame.
Vec3 nearest_of(const ThingSeen& thing, const Vec3& world) {
  const Vec3 from = thing.in_link(world);
  if (thing.round) return thing.center + thing.half.x() * (from - thing.center).normalized();
  return from.cwiseMax(thing.center - thing.half).cwiseMin(thing.center + thing.half);
}

}  // namespace

void Worker::choose_hand(const Now& now, const Task& task, const ThingSeen& thing) {
  if (task.hand != HandChoice::kEither) {
    const bool both = task.hand == HandChoice::kBoth;
    uses_ = {both || task.hand == HandChoice::kLeft, both || task.hand == HandChoice::kRight};
    return;
  }
  const bool left_full = now.body.holds[kLeft] != 0, right_full = now.body.holds[kRight] != 0;
  const Vec3 at = task.thing != 0 ? thing.at(grip_[0]) : grip_[0];
  const bool beside = drift_.norm() > kWalksBeside * std::sqrt(now.self.scale);
  // Beside what moves along: the hand on whose side it is already.
  const double faces = beside ? std::atan2(drift_.y(), drift_.x()) : now.self.heading;
  const Vec2 way = rotated(Vec2(at.head<2>() - now.self.position), -faces);
  if (beside && stage_ > 0 && std::abs(way.y()) < kAsideBefore * now.self.scale) return;
  const bool left = left_full != right_full ? right_full : way.y() > 0;
  uses_ = {left, !left};
}

/// Whether nothing is there that is higher or lower than a step.
/// @param ahead  where it would face, unit length
bool Worker::free_to_stand(const Now& now, const Vec2& feet, const Vec2& ahead) const {
  const double scale = now.self.scale;
  const Vec2 left(-ahead.y(), ahead.x());
  for (const double forwards : {0.0, now.body.toes}) {
    for (const double aside : {-kHalfStance * scale, kHalfStance * scale}) {
      const Vec2 at = feet + forwards * ahead + aside * left;
      if (std::abs(now.place.height(at, 0) - now.body.sole) > kLargestStep * scale) return false;
    }
  }
  return true;
}

/// How far from the middle between two palms one stands who comes along `side`, on free ground; 0:
/// nowhere.
/// @param aside  m, of the palms from there
double Worker::distance_before(const Now& now, const ThingSeen& thing, const BoxSide& side,
                               double aside) const {
  const double scale = now.self.scale, arm = kPalmsOut * now.body.arm;
  const double height = thing.middle().z() - now.body.sole;
  const double nearest = std::max(distance_for(now.body, height, scale),
                                  side.depth + now.body.toes + kFreeToes * scale);
  const double over = std::max(0.0, height - now.body.shoulder_height);
  const double outwards = aside - half_shoulders(now.body);
  const double furthest = std::sqrt(std::max(0.0, arm * arm - over * over - outwards * outwards));
  const int places = 1 + int(std::max(0.0, furthest - nearest) / (kStandsEvery * scale));
  for (int k = 0; k < places; ++k) {
    const double far = nearest + k * kStandsEvery * scale;
    const Vec2 feet = thing.middle().head<2>() - far * side.way;
    if (free_to_stand(now, feet, side.way)) return far;
  }
  return 0;
}

/// Two sides of a thing between which the palms can have it: the ones before which one stands with
/// the least way. Sets where the palms go.
void Worker::choose_two_sides(const Now& now, const ThingSeen& thing) {
  double least = 1e9;
  for (const BoxSide& side : sides_of(thing)) {
    if (side.width > kTooWide * now.body.arm) continue;
    const double far = distance_before(now, thing, side, side.width + now.body.hand);
    if (far == 0) continue;
    const Vec2 feet = thing.middle().head<2>() - far * side.way;
    const double heading = std::atan2(side.way.y(), side.way.x());
    const double turn = std::abs(wrap_angle(heading - now.self.heading));
    const double cost = (feet - now.self.position).norm() + 0.3 * turn;
    if (cost >= least) continue;
    least = cost;
    reach_ = far;
    // At the height of the chest, as far as it has that.
    const double up = (thing.in_link(now.body.chest()) - thing.center).dot(side.up);
    const double most = kSideHeight * side.height;
    const Vec3 high = std::clamp(up, -most, most) * side.up;
    const Vec3 aside = (side.width + now.body.hand) * side.left;
    grip_ = {thing.center + high + aside, thing.center + high - aside};
  }
}

/// Which hands go where: frame of the thing, or the world.
void Worker::choose_points(const Now& now, const Task& task, const ThingSeen& thing) {
  const bool nearest = task.thing != 0 && task.coordinates == 0;
  grip_[0] = nearest ? nearest_of(thing, now.body.chest()) : task.point;
  grip_[1] = grip_[0];
  choose_hand(now, task, thing);
  if (nearest && task.hand == HandChoice::kBoth) choose_two_sides(now, thing);
}

Worker::Reached Worker::reached(const Task& task, const ThingSeen& thing) const {
  Reached out;
  int hands = 0;
  for (const int side : {kLeft, kRight}) {
    out.at[side] = task.thing != 0 ? thing.at(grip_[side]) : grip_[side];
    if (task.thing != 0) {
      // The near side of what rolls stays where it is on its way.
      const bool rolls = task.coordinates == 0 && thing.omega.norm() > kRolls;
      out.moves[side] = rolls ? thing.velocity : thing.velocity_at(grip_[side]);
    }
    if (!uses_[side]) continue;
    out.middle += out.at[side];
    out.velocity += out.moves[side].head<2>();
    ++hands;
  }
  out.middle /= std::max(1, hands);
  out.velocity /= std::max(1, hands);
  return out;
}

const char* Worker::why_not_reached(const Now& now, const Task& task, const Vec3& at) const {
  const bool both = uses_[kLeft] && uses_[kRight];
  for (const int side : {kLeft, kRight}) {
    if (uses_[side] && now.body.holds[side] != 0 && now.body.holds[side] != task.thing)
      return both ? "the hands are not both empty" : "that hand is full";
  }
  // With both hands up no shoulder is raised over the other, and the arms lean inwards.
  const double arm = kHighest * now.body.arm, out = half_shoulders(now.body);
  const double over = both ? std::sqrt(std::max(0.0, arm * arm - out * out)) : arm + kTilt * out;
  if (at.z() > now.body.sole + now.body.shoulder_height + over) return "it is too high";
  if (at.z() < now.body.sole - 0.3 * now.self.scale) return "it is too low";
  if (tries_ > kMostTries) return "it is out of reach";
  return nullptr;
}

/// Sets where to stand, and facing where: before the point, or beside one that moves along.
void Worker::stand_for_reach(const Now& now, const Reached& reached) {
  const double scale = now.self.scale;
  const bool both = uses_[kLeft] && uses_[kRight];
  const double out = both ? 0 : half_shoulders(now.body) * (uses_[kLeft] ? 1 : -1);
  const Vec2 to = reached.middle.head<2>();
  const Vec2 way = to - now.body.feet;
  double distance = distance_for(now.body, reached.middle.z() - now.body.sole, scale);
  const bool beside = reached.velocity.norm() > kWalksBeside * std::sqrt(scale);
  if (beside && !both) {
    const Vec2 ahead = reached.velocity.normalized(), left(-ahead.y(), ahead.x());
    const double hand = uses_[kLeft] ? 1 : -1;
    stand_.heading = std::atan2(ahead.y(), ahead.x());
    stand_.place =
        to - kBesideAhead * distance * ahead - (out + hand * kBesideAside * distance) * left;
    return;
  }
  const Vec2 apart = (reached.at[kLeft] - reached.at[kRight]).head<2>();
  // The palms are to be at two sides of it.
  if (both && stage_ < 2 && apart.norm() > 1e-6) {
    const Vec2 ahead = Vec2(apart.y(), -apart.x()).normalized();
    stand_.heading = std::atan2(ahead.y(), ahead.x());
    distance = reach_;
  } else if (beside) {
    stand_.heading = std::atan2(reached.velocity.y(), reached.velocity.x());
  } else if (stage_ < 2) {
    // It faces the point as it comes, and near by keeps facing that way.
    const bool begins = clock_ <= now.dt;
    if (way.norm() > kFaceFrom * scale || (begins && way.norm() > 1.3 * distance))
      stand_.heading = std::atan2(way.y(), way.x());
    else if (begins)
      stand_.heading = now.self.heading;
  }
  const auto place_for = [&](double heading) -> Vec2 {
    return to - rotated(Vec2(distance, out), heading);
  };
  stand_.place = place_for(stand_.heading);
  // Of the headings from which there is free ground before it the one nearest to that.
  if (stage_ > 1 || (now.body.feet - stand_.place).norm() > kLooksFrom * scale) return;
  for (int i = 0; i <= 2 * kTurnsTried; ++i) {
    const int turns = (i + 1) / 2 * (i % 2 ? 1 : -1);
    const double heading = stand_.heading + kTurnEvery * turns;
    const Vec2 place = place_for(heading);
    if (!free_to_stand(now, place, rotated(Vec2(1, 0), heading))) continue;
    stand_.heading = wrap_angle(heading);
    stand_.place = place;
    return;
  }
}

/// Walks along with what is reached for, or steps after it.
control::Goal Worker::follow(const Now& now, const Reached& reached) {
  const double scale = now.self.scale, slow = std::sqrt(scale);
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  const Vec2 missing = stand_.place - now.body.feet;
  const bool slowly = reached.velocity.norm() < kStandsBelow * slow;
  const double enough = (now.body.standing ? kStaysWithin : kStopsWithin) * scale;
  if (slowly && missing.norm() < enough) return goal;
  goal.stand = false;
  Vec2 wish =
      rotated(Vec2(reached.velocity + kFollowGain / slow * (stand_.place - now.self.position)),
              -stand_.heading);
  wish.x() = std::clamp(wish.x(), -kMostAside * slow, kMostAhead * slow);
  wish.y() = std::clamp(wish.y(), -kMostAside * slow, kMostAside * slow);
  goal.velocity = wish;
  return goal;
}

/// Walks to where one stands to reach it, or along with it, and begins to raise the hands there.
control::Goal Worker::come_to_reach(const Now& now, const Task& task, const ThingSeen& thing,
                                    const Reached& to) {
  const double scale = now.self.scale, slow = std::sqrt(scale);
  const double off = (stand_.place - now.body.feet).norm();
  const bool near = off < kThereFrom * scale &&
                    std::abs(wrap_angle(stand_.heading - now.self.heading)) < kFacesIt;
  // Where to stand follows a thing that moves.
  const double speed = to.follows ? std::max(task.speed > 0 ? task.speed : now.self.cruise_speed,
                                             to.velocity.norm() + kSpare * slow)
                                  : task.speed;
  const Vec2 place = stand_.place;
  stand_.place += kLeadsBy * slow * to.velocity;
  const bool beside = to.velocity.norm() > kWalksBeside * slow && off < kBesideFrom * scale;
  control::Goal goal =
      to.follows && (near || beside) ? follow(now, to) : approach(now, speed, task.thing);
  stand_.place = place;
  const bool there =
      to.follows ? near
                 : approach_.arrived() || (approach_.missing() < 0.15 * scale && now.body.standing);
  if (there) {
    const Vec3 left =
        Vec3::UnitZ().cross(Vec3(std::cos(stand_.heading), std::sin(stand_.heading), 0));
    for (const int side : {kLeft, kRight}) {
      if (!uses_[side]) continue;
      // At one point the palms meet.
      if (uses_[1 - side] && (to.at[kLeft] - to.at[kRight]).norm() < 1e-6) {
        const Vec3 apart = now.body.hand * (side == kLeft ? left : Vec3(-left));
        grip_[side] += task.thing != 0 ? Vec3(thing.rotation.conjugate() * apart) : apart;
      }
      const double far = (to.at[side] - now.body.palm[side]).norm();
      path_[side].begin(now.body.palm[side], time_of_way(far, scale));
    }
    settled_ = 0;
    next_stage();
  } else if (takes_too_long(now, task)) {
    failed("there is no way to it");
  }
  return goal;
}

control::Goal Worker::reach(const Now& now, const Task& task) {
  ThingSeen thing;
  if (task.thing != 0 && !now.place.see_link(task.thing, task.link, thing)) {
    failed("it is not there any more");
    return stand_here(now);
  }
  const double scale = now.self.scale, slow = std::sqrt(scale);
  if (stage_ == 0) {
    if (tries_ == 0) stuck_ = 0;
    drift_ = thing.velocity.head<2>();
    choose_points(now, task, thing);
    const Vec3 at = reached(task, thing).middle;
    if (const char* why = why_not_reached(now, task, at)) {
      failed(why);
      return stand_here(now);
    }
    stand_.place = at.head<2>();
    set_out(now);
    next_stage();
  }
  // The near side of what moves is another one after a while.
  const bool rolls = thing.omega.norm() > kRolls;
  const bool moves = rolls || thing.velocity.head<2>().norm() > kMovesFrom;
  if (task.thing != 0 && task.coordinates == 0 && task.hand != HandChoice::kBoth &&
      ((moves && stage_ == 1) || (rolls && stage_ == 2)))
    grip_[0] = grip_[1] = nearest_of(thing, now.body.chest());
  Reached to = reached(task, thing);
  // What somebody carries swings with every step.
  drift_ += (to.velocity - drift_) * now.dt / (now.dt + kStepsSmoothed * slow);
  to.velocity = drift_;
  to.follows = drift_.norm() > kMovesFrom;
  if (to.follows && stage_ == 1) choose_hand(now, task, thing);
  if (to.follows && stage_ < 3) {
    stuck_ += now.dt;
    if (stuck_ > kMostFollowed * slow) {
      failed("it does not stay in reach");
      return stand_here(now);
    }
  }
  stand_for_reach(now, to);
  if (stage_ == 1) return come_to_reach(now, task, thing, to);
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  if (to.follows) goal = follow(now, to);
  double missing = 0;  // of the hand that misses by more
  bool arrived = true, holds = task.thing != 0;
  for (const int side : {kLeft, kRight}) {
    if (!uses_[side]) continue;
    goal.hand[side] =
        path_[side].move(control::HandGoal::Frame::kWorld, to.at[side], to.moves[side], now.dt);
    missing = std::max(missing, (now.body.palm[side] - to.at[side]).norm());
    arrived = arrived && path_[side].arrived();
    holds = holds && now.body.holds[side] == task.thing;
  }
  if (stage_ == 2) {
    // While the body still sinks or rises the palm only passes its point.
    const bool touches = to.follows || (uses_[kLeft] && uses_[kRight] && task.thing != 0);
    const double enough = touches ? kTouches : kPalmThere;
    settled_ = arrived && missing < enough * scale ? settled_ + now.dt : 0;
    const double settled = to.follows ? kMovingSettled : kSettled;
    if (settled_ > settled * slow || (arrived && holds)) {
      for (const int side : {kLeft, kRight}) {
        if (uses_[side] && task.grip && now.body.holds[side] != task.thing) {
          orders_[side] = grip_here(now, side, task.thing, thing);
          orders_[side].link = task.link;
        }
      }
      missed_ = missing;
      next_stage();
    } else if (stuck_ > 0 && (to.follows ? (stand_.place - now.body.feet).norm() > kLost * scale
                                         : !now.body.standing)) {
      // It is further ahead, or has stopped: walks there.
      stage_ = 1;
      clock_ = 0;
      set_out(now);
    } else if (!to.follows && (clock_ > kReachIn * slow || !now.body.standing)) {
      again();
    }
    return goal;
  }
  // Of what may be moved it counts how near the palm was.
  missed_ = task.thing != 0 ? std::min(missed_, missing) : missing;
  const double hold = task.seconds > 0 ? task.seconds : kUsualHold;
  if (clock_ >= hold) done(missed_);
  return goal;
}

}  // namespace promenade::behaviour::tasks
