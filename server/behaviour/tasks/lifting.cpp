// Picking up and putting down. Source: Coros2010 §5.4, "Lifting and moving a crate".
#include <algorithm>
#include <cmath>

#include "behaviour/tasks/box_sides.h"
#include "behaviour/tasks/load.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kBeforeToes = 0.07;    // m, that stay free between toes and thing
constexpr double kPutBeforeToes = 0.1;  // m, likewise, where something is put down
constexpr double kHeldOut = 0.15;       // of one's own mass: less is put down further off
constexpr double kBeforeStack = 0.21;   // m, likewise, before something that stands on another
// m, over the soles, between which it stands on a stack: what is higher stands on a table or shelf.
constexpr double kRaised = 0.15, kOnTable = 0.65;
constexpr double kHeavy = 0.25;        // of one's own mass: more is not held far out
constexpr double kLight = 0.1;         // of one's own mass: more has to be taken from near by
constexpr double kOverSupport = 0.06;  // m, over what it stood on, where it is held at first
constexpr double kStepBack = 0.4;      // m, from what something was taken from
constexpr double kOwnRoom = 0.3;       // m before the chest, that a walker keeps free anyhow
constexpr int kStepsSeen = 4;          // places of that way ahead that are looked at
constexpr double kSteppedBack = 0.75;  // of that, when it is far enough
constexpr double kBackStance = 0.2;    // m
constexpr double kBackGain = 1.1;      // 1/s, of the way left
constexpr double kLeastBack = 0.12;    // m/s
constexpr double kComesUp = 0.5;       // s, in which it stands before
constexpr double kStepBackIn = 6;      // s, that this is given
constexpr double kFarOff = 1.5;        // m, from where on the way there turns it
constexpr double kLevel = 0.08;        // m, by which the ground may differ where one stands
constexpr double kMostStep = 0.25;     // m, by which it may be higher or lower than here
constexpr double kShortBy = 0.1;       // m, by which the feet may stay behind their place before it
constexpr double kMoved = 0.03;        // m: it does not stand any more where it stood
constexpr double kFurther = 0.05;      // m, between places to stand that are tried
constexpr double kFurthest = 0.75;     // of the arm, from the toes to the thing's near side
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
constexpr double kAbove = 0.06;        // m, over its place, from where a thing is set down
constexpr double kOver = 0.025;        // m, from there level, before it is lowered
constexpr double kOverIn = 3.5;        // s, that this is given
constexpr double kLateFrom = 0.9;      // of an arm, that it is stretched before it is late
constexpr double kOutOfStep = 0.06;    // likewise, by which one is later, at which they wait
constexpr double kSlowestStep = 0.1;   // of the usual pace, at which they wait
constexpr double kAtPlace = 0.03;      // m, from which on a hand is at its place
constexpr double kShiftGain = 0.8;     // 1/s, with which the hands go on
constexpr double kMostShift = 0.08;    // m
constexpr double kPress = 0.03;        // m, below its place, to where the hands go
constexpr double kRestsOn = 0.35;      // of the weight: less in the hands, and it stands
constexpr double kHoldOut = 1.8;       // s, in which a thing is held out over its place
constexpr double kLowerTime = 0.9;     // s

}  // namespace

static bool on_stack(const BodySeen& body, double height, double scale) {
  const double over = (height - body.sole) / scale;
  return over > kRaised && over < kOnTable;
}

/// Where to stand before a side of something that stays `height` free of others there, or nothing.
/// @param middle  of the thing, on the ground
/// @param before  m, of a human, that stay free before the toes
static bool stand_before(const Workplace& place, const BodySeen& body, double scale,
                         const Vec2& middle, const BoxSide& side, ThingId except, double before,
                         Stand* stand) {
  const double toes = body.toes + before * scale;
  const int places = int((body.toes + kFurthest * body.arm - toes) / (kFurther * scale));
  for (int k = 0; k <= places; ++k) {
    const double gap = toes + k * kFurther * scale;
    const Vec2 feet = middle - (side.depth + gap) * side.way;
    // It may stand a step higher or lower than now.
    const double ground = place.ground(feet);
    bool level = std::abs(ground - body.sole) < kMostStep * scale;
    for (const double ahead : {0.0, 0.9 * toes}) {
      for (const double aside : {-0.16 * scale, 0.0, 0.16 * scale}) {
        const Vec2 at = feet + ahead * side.way + aside * Vec2(-side.way.y(), side.way.x());
        level = level && std::abs(place.height(at, except) - ground) < kLevel;
      }
    }
    if (!level) continue;
    stand->place = feet;
    stand->heading = std::atan2(side.way.y(), side.way.x());
    return true;
  }
  return false;
}

/// m, of its box.
static double lowest_of(const ThingSeen& thing) {
  return thing.middle().z() -
         thing.rotation.toRotationMatrix().row(2).cwiseAbs().dot(thing.half.transpose());
}

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

/// By how much slower the hands go on, up to 1, where one of them is stretched further than the
/// other: of arms that are not equally long the one would stay behind and what is between them
/// turn.
/// @param ends  of their paths, world
double Worker::in_step(const Now& now, const std::array<Vec3, 2>& ends) {
  std::array<double, 2> over{};
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 due =
        path_[side].move(control::HandGoal::Frame::kWorld, ends[side], Vec3::Zero(), 0).at;
    const double stretched = (due - now.body.shoulder[side]).norm() / now.body.arms[side];
    over[side] = std::max(0.0, stretched - kLateFrom);
  }
  return std::clamp(1 - std::abs(over[kLeft] - over[kRight]) / kOutOfStep, kSlowestStep, 1.0);
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

/// Whether nothing stands so near before it that it would be walked into by whoever sets out.
bool Worker::free_ahead(const Now& now, ThingId except) const {
  const Vec2 ahead = rotated(Vec2(1, 0), stand_.heading);
  for (int k = 1; k <= kStepsSeen; ++k) {
    const double far = now.body.toes + kStepBack * now.self.scale * k / kStepsSeen;
    if (now.place.height(now.body.feet + far * ahead, except) > now.body.sole + kLevel)
      return false;
  }
  return true;
}

/// Steps back slowly, from where it stands near something.
control::Goal Worker::step_back(const Now& now) const {
  const double slow = std::sqrt(now.self.scale);
  control::Goal goal;
  goal.heading = stand_.heading;
  goal.stand = clock_ < (carried_.thing == 0 ? kComesUp * slow : 0);
  goal.width = kBackStance;
  const double left = kStepBack * now.self.scale - (now.body.feet - stand_.place).norm();
  if (!goal.stand) goal.velocity = Vec2(-std::max(kLeastBack * slow, kBackGain / slow * left), 0);
  carry(now, &goal);
  return goal;
}

bool Worker::stepped_back(const Now& now) const {
  const double slow = std::sqrt(now.self.scale);
  return (now.body.feet - stand_.place).norm() > kSteppedBack * kStepBack * now.self.scale ||
         clock_ > kStepBackIn * slow;
}

control::Goal Worker::put_down(const Now& now, const Task& task) {
  if (stage_ == 4) return withdraw(now);
  if (stage_ == 5) {
    if (stepped_back(now)) done(missed_);
    return step_back(now);
  }
  ThingSeen thing;
  if (carried_.thing == 0 || !now.place.see(carried_.thing, thing)) {
    failed("nothing is carried");
    return stand_here(now);
  }
  const double scale = now.self.scale, slow = std::sqrt(scale);
  const double slowly = slow * heaviness(now.body, carried_.mass);
  const Quat level = upright(thing);
  // Middle of its box on the ground when put down, from its link's origin.
  if (stage_ == 0) {
    ThingSeen support;
    BoxSide side;
    side.way = rotated(Vec2(1, 0), now.self.heading);
    for (const BoxSide& one : sides_of(thing)) {
      if (one.way.dot(side.way) > 0.7) side.depth = one.depth;
    }
    Vec2 middle;
    if (task.on != 0) {
      if (!now.place.see(task.on, support)) {
        failed("what it is to be put on is not there any more");
        return stand_here(now);
      }
      middle = support.middle().head<2>();
    } else if (task.coordinates > 0) {
      middle = task.point.head<2>();
    } else {
      middle = now.body.feet + (now.body.toes + kBeforeToes * scale + side.depth) * side.way;
    }
    bool found = false;
    const double below = now.place.height(middle, carried_.thing);
    // A light thing must not come down on toes that stand too near; a heavy one is held close.
    const double share = carried_.mass / now.body.mass;
    const double before = share < kLight && on_stack(now.body, below, scale) ? kBeforeStack
                          : share < kHeldOut                                 ? kPutBeforeToes
                                                                             : kBeforeToes;
    double least = 1e9;
    // From where it comes, or where the heading says; else from any side.
    const double own = std::atan2(side.way.y(), side.way.x());
    Vec2 from = middle - now.self.position;
    const double coming = from.norm() > 0.5 ? std::atan2(from.y(), from.x()) : own;
    for (int k = 0; k < 12; ++k) {
      const int sixths = (k % 2 == 0 ? 1 : -1) * ((k + 1) / 2);
      const double turn = sixths * kPi / 6;
      const double heading = task.turned ? task.heading - carried_.yaw : coming + turn;
      BoxSide way = side;
      way.way = rotated(Vec2(1, 0), heading);
      Stand at;
      if (!stand_before(now.place, now.body, scale, middle, way, carried_.thing, before, &at))
        continue;
      const double cost = (at.place - now.self.position).norm() + 0.5 * std::abs(turn);
      if (cost < least) {
        least = cost;
        stand_ = at;
        found = true;
      }
      if (task.turned || cost < least + 0.3) break;
    }
    const Vec3 between = now.body.palm[kLeft] - now.body.palm[kRight];
    const Vec3 held(
        middle.x(), middle.y(),
        below + 0.5 * (now.body.palm[kLeft] + now.body.palm[kRight]).z() - lowest_of(thing));
    if (!found || too_low(now, held, between.norm())) {
      failed(found ? "it is too low" : "there is no place to stand before it");
      return stand_here(now);
    }
    stand_.short_by = Stand{}.short_by;
    // Where it will be: for the stages to come grip_ holds the middle, and by how much further the
    // hands have to go.
    grip_ = {Vec3(middle.x(), middle.y(), 0), Vec3::Zero()};
    set_out(now);
    next_stage();
  }
  if (stage_ == 1) {
    control::Goal goal = approach(now, task.speed, carried_.thing);
    if (approach_.arrived()) {
      const double time = kHoldOut * slowly;
      for (const int side : {kLeft, kRight}) path_[side].begin(now.body.palm[side], time);
      next_stage();
    } else if (takes_too_long(now, task)) {
      failed("there is no way to it");
    }
    return goal;
  }
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  const double yaw = wrap_angle(stand_.heading + carried_.yaw - heading_of(level));
  const Quat turned = rotation_z(yaw) * level;
  const Vec2 middle = grip_[0].head<2>();
  const Vec3 box = (turned.toRotationMatrix().cwiseAbs() * thing.half);
  double under = now.place.height(middle, carried_.thing);
  for (const double x : {-0.8, 0.8}) {
    for (const double y : {-0.8, 0.8}) {
      under = std::max(under,
                       now.place.height(middle + Vec2(x * box.x(), y * box.y()), carried_.thing));
    }
  }
  const double rests = task.coordinates == 3 ? std::max(under, task.point.z()) : under;
  const Vec3 target = Vec3(middle.x(), middle.y(), rests + box.z()) - turned * thing.center;
  const double height = stage_ == 2 ? kAbove * scale : -kPress * scale;
  const double weight = carried_.mass * physics::kGravity;
  // Who has to step comes up again with it.
  if (!now.body.standing) {
    if (tries_ > kMostTries) {
      failed("it cannot be put down there");
    } else {
      again();
    }
    carry(now, &goal);
    return goal;
  }
  if (stage_ <= 3) {
    double held = 0;
    std::array<Vec3, 2> ends;
    for (const int side : {kLeft, kRight})
      ends[std::size_t(side)] =
          target + turned * carried_.grip[side] + grip_[1] + Vec3(0, 0, height);
    const double dt = now.dt * in_step(now, ends);
    for (const int side : {kLeft, kRight}) {
      goal.hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, ends[std::size_t(side)],
                                         Vec3::Zero(), dt);
      goal.hand[side].expected = 0.5 * weight;
      goal.hand[side].effort = Vec3(0, 0, 0.5 * weight);
      held -= now.body.force[side].z();
    }
    if (stage_ == 2) {
      const double off = (thing.middle().head<2>() - middle).norm();
      // What hangs askew in the hands is beside its place although they are at theirs.
      bool there = path_[kLeft].arrived();
      for (const int side : {kLeft, kRight})
        there = there && (goal.hand[side].at - now.body.palm[side]).norm() < kAtPlace * scale;
      if (there || (carried_.handed && path_[kLeft].arrived())) {
        const Vec2 missing = middle - thing.middle().head<2>();
        grip_[1].head<2>() += kShiftGain * now.dt / slow * missing;
        const double far = grip_[1].norm(), most = kMostShift * scale;
        if (far > most) grip_[1] *= most / far;
      }
      if (path_[kLeft].arrived() && (off < kOver * scale || clock_ > kOverIn * slowly)) {
        for (const int side : {kLeft, kRight})
          path_[side].begin(now.body.palm[side], kLowerTime * slowly);
        next_stage();
      }
    } else {
      const double lowest = thing.middle().z() - box.z();
      const bool low = lowest < rests + 0.04 * scale;
      const bool stands = low && held < kRestsOn * weight;
      if (stands || clock_ > 3 * kLowerTime * slowly) {
        for (const int side : {kLeft, kRight}) {
          orders_[side] = {HandOrder::Kind::kLetGo, carried_.thing, Vec3::Zero()};
          grip_[side] = now.body.palm[side];
          path_[side].begin(now.body.palm[side], 0.5 * slow);
        }
        missed_ = (thing.middle().head<2>() - middle).norm();
        carried_ = Carried{};
        next_stage();
      }
    }
  }
  return goal;
}

/// Takes the hands away from what they have let go of, to the sides and up.
control::Goal Worker::withdraw(const Now& now) {
  control::Goal goal = stand_here(now);
  goal.heading = stand_.heading;
  const double scale = now.self.scale;
  const Vec3 apart = (grip_[kLeft] - grip_[kRight]).normalized();
  for (const int side : {kLeft, kRight}) {
    const Vec3 away = (side == kLeft ? 0.1 : -0.1) * scale * apart + Vec3(0, 0, 0.08 * scale);
    goal.hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, grip_[side] + away,
                                       Vec3::Zero(), now.dt);
  }
  if (!path_[kLeft].arrived()) return goal;
  const TaskKind kind = tasks_[current_].kind;
  const bool puts_down = kind == TaskKind::kPutDown || placing_;
  if (kind == TaskKind::kHandOver || (puts_down && !free_ahead(now, 0))) {
    stand_.place = now.body.feet;
    next_stage();
  } else {
    done(missed_);
  }
  return goal;
}

}  // namespace promenade::behaviour::tasks
