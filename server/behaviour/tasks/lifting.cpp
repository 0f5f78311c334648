// Picking up. Source: Coros2010 §5.4, "Lifting and moving a crate".
#include <algorithm>
#include <cmath>

#include "behaviour/tasks/box_sides.h"
#include "behaviour/tasks/load.h"
#include "behaviour/tasks/stand_before.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kHeavy = 0.25;        // of one's own mass: more is not held far out
constexpr double kOverSupport = 0.06;  // m, over what it stood on, where it is held at first
constexpr double kOwnRoom = 0.3;       // m before the chest, that a walker keeps free anyhow
constexpr double kFarOff = 1.5;        // m, from where on the way there turns it
constexpr double kShortBy = 0.1;       // m, by which the feet may stay behind their place before it
constexpr double kMoved = 0.03;        // m: it does not stand any more where it stood
constexpr double kGripHeight = 0.75;   // of the half height over the middle, where hands grip
constexpr double kBesideSide = 0.07;   // m, from a side, where a hand waits before it grips
constexpr double kGripFrom = 0.035;    // m, from which a hand grips
constexpr double kStill = 0.04;        // m/s, of a body whose hands may grip
constexpr double kGripIn = 4;          // s, that gripping is given
constexpr double kLiftTime = 1.4;      // s
constexpr double kBeforeLift = 0.9;    // of the weight, before it is lifted
constexpr double kSteady = 0.3;        // s, then
constexpr double kDrawnTo = 0.02;      // m, that stay free between the toes and what is drawn near
constexpr double kMostDrawn = 0.4;     // of the arm, by which it is drawn
constexpr double kDrawSpeed = 0.15;    // m/s

}  // namespace

/// The side from which it is picked up with the least way and turning: sets where to stand and
/// where the hands grip.
bool Worker::choose_side(const Now& now, const ThingSeen& thing, Stand* stand,
                         std::array<Vec3, 2>* grip) const {
  double least = 1e9;
  const double scale = now.self.scale;
  const bool raised =
      on_stack(now.body, lowest_of(thing), scale) && thing.mass < kLight * now.body.mass;
  const double before = raised ? kBeforeStack : kBeforeToes;
  for (const BoxSide& side : sides_of(thing)) {
    if (side.width > kTooWide * now.body.arm) continue;
    Stand at;
    if (!stand_before(now.place, now.body, scale, thing.middle().head<2>(), side, 0, before, &at))
      continue;
    const Vec2 way = at.place - now.self.position;
    // Who comes from behind it walks round it.
    const double round = way.norm() > 0.3 && way.normalized().dot(side.way) < 0 ? 1.0 : 0;
    // Who comes from far off has turned to it on the way.
    const double comes =
        way.norm() > kFarOff * scale ? std::atan2(way.y(), way.x()) : now.self.heading;
    const double turn = std::abs(wrap_angle(at.heading - comes));
    const double cost = way.norm() + round + 0.3 * turn;
    if (cost >= least) continue;
    least = cost;
    *stand = at;
    const Vec3 height = kGripHeight * side.height * side.up;
    const Vec3 aside = (side.width + now.body.hand) * side.left;
    (*grip)[kLeft] = thing.center + height + aside;
    (*grip)[kRight] = thing.center + height - aside;
  }
  return least < 1e9;
}

/// Whether the deepest stoop does not bring the hands down to a place before where one stands.
/// @param middle  between the palms
/// @param apart   m, of the palms
bool Worker::too_low(const Now& now, const Vec3& middle, double apart) const {
  const double far = (middle.head<2>() - stand_.place).dot(rotated(Vec2(1, 0), stand_.heading));
  const double high = middle.z() - now.place.ground(stand_.place);
  const Vec2 way = Vec2(far, high) - now.body.low_shoulders;
  const double aside = 0.5 * (apart - (now.body.shoulder[0] - now.body.shoulder[1]).norm());
  return way.y() < 0 && Vec3(way.x(), way.y(), aside).norm() > now.body.arm;
}

/// Sets where the palms are to be, from the chest, with what they hold.
/// @param least  m, that they are to be above the soles
void Worker::hold_before(const Now& now, const ThingSeen& thing, double least) {
  const double width = 0.5 * (thing.rotation * (grip_[kLeft] - grip_[kRight])).norm();
  const double depth = side_towards(thing, rotated(Vec2(1, 0), stand_.heading)).depth;
  const double down = 0.5 * now.body.arm;
  const double shoulder = 0.5 * (now.body.shoulder[0] - now.body.shoulder[1]).norm();
  const double reach = 0.93 * now.body.arm;
  const double most = std::sqrt(
      std::max(0.01, reach * reach - down * down - (width - shoulder) * (width - shoulder)));
  const double ahead = std::min(most, 0.18 * now.self.scale + depth);
  carried_.ahead = std::max(0.0, ahead + depth - kOwnRoom * now.self.scale);
  for (const int side : {kLeft, kRight})
    carried_.place[side] = Vec3(ahead, side == kLeft ? width : -width,
                                std::max(-down, least - now.body.shoulder_height));
}

/// Brings the hands beside the places where they are to hold a thing, or to them, where they grip.
/// @return they are there, or hold it
bool Worker::bring_hands(const Now& now, const ThingSeen& thing, ThingId id, bool beside,
                         control::Goal* goal) {
  const double scale = now.self.scale, slow = std::sqrt(scale);
  bool ready = true;
  for (const int side : {kLeft, kRight}) {
    const Vec3 at = thing.at(grip_[side]);
    const Vec3 out = (at - thing.at(grip_[1 - side])).normalized();
    const Vec3 away = beside ? Vec3(kBesideSide * scale * out) : Vec3(Vec3::Zero());
    goal->hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, at + away,
                                        thing.velocity_at(grip_[side]), now.dt);
    const double missing = (now.body.palm[side] - at).norm();
    goal->hand[side].expected = 0.5 * thing.mass * physics::kGravity;
    if (beside) {
      // A body that still bends would push what it holds with stretched arms.
      const double sways = (now.self.velocity - thing.velocity_at(grip_[side]).head<2>()).norm();
      ready =
          ready && path_[side].arrived() &&
          ((missing < 2 * kBesideSide * scale && sways < kStill * slow) || clock_ > kGripIn * slow);
    } else {
      const bool holds = now.body.holds[side] == id;
      if (!holds && path_[side].arrived() && missing < kGripFrom * scale)
        orders_[side] = grip_here(now, side, id, thing);
      ready = ready && holds;
    }
  }
  return ready;
}

/// Brings what is carried before the chest.
/// @param dt  s, by which it goes on; 0: it is held where it is
void Worker::draw_near(const Now& now, double dt, control::Goal* goal) {
  carry(now, goal);
  for (const int side : {kLeft, kRight}) {
    const control::HandGoal on_way =
        path_[side].move(control::HandGoal::Frame::kChest, carried_.place[side], Vec3::Zero(), dt);
    control::HandGoal& hand = goal->hand[side];
    if (hand.frame == control::HandGoal::Frame::kChest) hand.at = on_way.at;
  }
}

control::Goal Worker::pick_up(const Now& now, const Task& task) {
  ThingSeen thing;
  if (!now.place.see(task.thing, thing)) {
    failed("it is not there any more");
    return stand_here(now);
  }
  const double scale = now.self.scale, slow = std::sqrt(scale);
  const double weight = thing.mass * physics::kGravity;
  if (stage_ == 0) {
    if (carried_.thing == task.thing) {
      done(0);
      return stand_here(now);
    }
    const char* why = why_not_taken(now, thing, task.thing, 0.5 * weight);
    if (!why && thing.mass > kMostOfMass * now.body.mass)
      why = "it is too heavy";
    else if (!why && now.place.bears(task.thing))
      why = "something stands on it";
    else if (!why && !choose_side(now, thing, &stand_, &grip_))
      why = "there is no place to stand before it";
    else if (!why && too_low(now, thing.at(0.5 * (grip_[kLeft] + grip_[kRight])),
                             (grip_[kLeft] - grip_[kRight]).norm()))
      why = "it is too low";
    if (why) {
      failed(why);
      return stand_here(now);
    }
    // It can be drawn near, and who steps on might kick it or the stack that it stands on; but what
    // is high, or heavy and not on the ground, is out of balance when it is far off.
    const double over = (lowest_of(thing) - now.body.sole) / scale;
    const bool is_heavy = thing.mass > kHeavy * now.body.mass;
    stand_.short_by = over > (is_heavy ? kRaised : kOnTable) ? Stand{}.short_by : kShortBy;
    seen_ = thing.middle().head<2>();
    set_out(now);
    next_stage();
  }
  if (stage_ <= 3 && now.place.taken_by(task.thing) != 0) {
    failed("somebody else has it");
    return stand_here(now);
  }
  if (stage_ == 1) {
    // Somebody, or the feet, may have moved it.
    if ((thing.middle().head<2>() - seen_).norm() > kMoved * scale) {
      seen_ = thing.middle().head<2>();
      choose_side(now, thing, &stand_, &grip_);
    }
    control::Goal goal = approach(now, task.speed, task.thing);
    if (approach_.arrived()) {
      if (now.place.bears(task.thing)) {
        failed("something stands on it");
        return goal;
      }
      for (const int side : {kLeft, kRight}) {
        const double way = (thing.at(grip_[side]) - now.body.palm[side]).norm();
        path_[side].begin(now.body.palm[side], time_of_way(way, scale));
      }
      next_stage();
    } else if (takes_too_long(now, task)) {
      failed("there is no way to it");
    }
    return goal;
  }
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  if (stage_ == 2 || stage_ == 3) {
    const bool ready = bring_hands(now, thing, task.thing, stage_ == 2, &goal);
    if (ready && stage_ == 2) {
      for (const int side : {kLeft, kRight}) path_[side].begin(now.body.palm[side], 0.5 * slow);
      next_stage();
    } else if (ready) {
      carried_.thing = task.thing;
      for (const int side : {kLeft, kRight})
        carried_.grip[side] = thing.in_link(now.body.palm[side]);
      carried_.mass = thing.mass;
      carried_.yaw = wrap_angle(heading_of(upright(thing)) - stand_.heading);
      settled_ = -1;
      next_stage();
    } else if (clock_ > kGripIn * slow || !now.body.standing) {
      let_go();
      again();
    }
    return goal;
  }
  if (stage_ == 6) {
    goal = step_back(now);
    if (stepped_back(now)) {
      const double time = kLowerTime * slow * heaviness(now.body, thing.mass);
      for (const int side : {kLeft, kRight}) path_[side].begin(carried_.place[side], time);
      hold_before(now, thing, 0);
      next_stage();
    }
    return goal;
  }
  if (stage_ == 7) {  // what was held over a shelf comes down before the chest
    goal.heading = stand_.heading;
    draw_near(now, now.dt, &goal);
    if (path_[kLeft].arrived()) done(0);
    return goal;
  }
  // Takes the weight first, so that the balance shifts, draws it near to the toes, and then lifts
  // it.
  const bool lifts = stage_ == 5;
  const double share = lifts ? 1 : kBeforeLift * std::min(1.0, clock_ / (kTakeWeight * slow));
  if (!lifts && settled_ < 0 && clock_ > kTakeWeight * slow) {
    const Vec2 ahead = rotated(Vec2(1, 0), stand_.heading);
    const double gap = (thing.middle().head<2>() - now.body.feet).dot(ahead) - now.body.toes -
                       side_towards(thing, ahead).depth;
    settled_ = std::clamp(gap - kDrawnTo * scale, 0.0, kMostDrawn * now.body.arm);
    for (const int side : {kLeft, kRight}) {
      carried_.place[side] = now.body.palm[side];
      carried_.place[side].head<2>() -= settled_ * ahead;
      path_[side].begin(now.body.palm[side], slow * (kSteady + settled_ / (kDrawSpeed * scale)));
    }
  }
  for (const int side : {kLeft, kRight}) {
    if (lifts) {
      goal.hand[side] = path_[side].move(control::HandGoal::Frame::kChest, carried_.place[side],
                                         Vec3::Zero(), now.dt);
    } else if (settled_ >= 0) {
      goal.hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, carried_.place[side],
                                         Vec3::Zero(), now.dt);
    } else {
      goal.hand[side].frame = control::HandGoal::Frame::kWorld;
      goal.hand[side].at = thing.at(carried_.grip[side]);
    }
    goal.hand[side].expected = 0.5 * weight;
    goal.hand[side].effort = Vec3(0, 0, share * 0.5 * weight);
  }
  if (!lifts && settled_ >= 0 && path_[kLeft].arrived()) {
    const Quat back = rotation_z(-now.self.heading);
    const double time = kLiftTime * slow * heaviness(now.body, thing.mass);
    // Held high enough to come away from what it stood on.
    const Vec2 middle = thing.middle().head<2>();
    const double over = now.place.height(middle, task.thing) + kOverSupport * scale +
                        now.body.palm[kLeft].z() - lowest_of(thing);
    hold_before(now, thing, over - now.body.sole);
    for (const int side : {kLeft, kRight})
      path_[side].begin(back * (now.body.palm[side] - now.body.chest()), time);
    next_stage();
  }
  if (now.body.holds[kLeft] != task.thing || now.body.holds[kRight] != task.thing) {
    carried_ = Carried{};
    let_go();
    again();
  } else if (lifts && path_[kLeft].arrived() && now.body.stoop < 0.05) {
    if (free_ahead(now, task.thing)) {
      done(0);
    } else {
      stand_.place = now.body.feet;
      next_stage();
    }
  }
  return goal;
}

}  // namespace promenade::behaviour::tasks
