// Pushing and pulling things along the ground. Source: Coros2010 §5.4, "Pulling and pushing a
// crate".
#include <algorithm>
#include <cmath>

#include "behaviour/tasks/box_sides.h"
#include "behaviour/tasks/load.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kHandleHeight = 0.68;  // of the shoulders' height, where the hands take hold
constexpr double kPullHeight = 0.64;    // likewise, of who pulls
constexpr double kBelowEdge = 0.05;     // m, from the upper edge
constexpr double kHandsApart = 0.2;     // m, half of the way between the hands
constexpr double kFromCorner = 0.03;    // m, from where a hand would slip off
constexpr double kFeetFree = 0.14;      // m, before the toes of who pushes, for the steps
constexpr double kLightFree = 0.08;     // m more before what is light
constexpr double kArmsOut = 0.75;       // of the arm, from the chest to the hands, at most
constexpr double kPullingOut = 0.6;     // of the arm, likewise, of who pulls
constexpr double kHandleTouch = 0.04;   // m, from which a hand grips
constexpr double kHandleIn = 4;         // s
constexpr double kGoesFrom = 0.15;      // m, that it has to go at least
constexpr double kHeldOblique = 0.2;    // rad, to the side that is held, at the beginning
constexpr double kStandsAfter = 4;      // s, at most, until who let go stands
constexpr double kWayCosts = 0.08;      // 1/m

}  // namespace

/// Where to stand and where to take hold, so that the thing goes its way ahead of who pushes, or
/// behind who pulls: before the side that fits its way best, turned towards the way as far as one
/// can reach round a corner. The hands' forces then pass its middle on both sides. Sets `stand_`,
/// `grip_` and `yaw_`.
bool Worker::choose_hold(const Now& now, const ThingSeen& thing, const Task& task) {
  const double scale = now.self.scale;
  const Vec2 middle = thing.middle().head<2>();
  const Vec2 missing = task.point.head<2>() - thing.position.head<2>();
  const double sign = task.kind == TaskKind::kPullTo ? -1 : 1;
  const bool goes = missing.norm() > kGoesFrom * scale;
  const double feet_free = kFeetFree + kLightFree * lightness(strain_of(thing, now.body));
  const double pushing = now.body.toes + feet_free * scale;
  double best = 1e9;
  for (const BoxSide& side : sides_of(thing)) {
    const double faces = std::atan2(side.way.y(), side.way.x());
    const double off =
        goes ? wrap_angle(std::atan2(sign * missing.y(), sign * missing.x()) - faces) : 0;
    const double heading = faces + std::clamp(off, -kHeldOblique, kHeldOblique);
    const Vec2 towards = rotated(Vec2(1, 0), heading);
    std::array<Vec2, 2> hold;
    double near = 0;  // m, from the middle to its nearest corner
    if (!grips_across(thing, towards, kHandsApart * scale, kFromCorner * scale, &hold, &near))
      continue;
    const double out =
        sign < 0 ? kPullingOut * now.body.arm : std::min(kArmsOut * now.body.arm, pushing);
    const Vec2 feet = middle - (near + out) * towards;
    bool level = true;
    for (const double aside : {-0.2 * scale, 0.0, 0.2 * scale}) {
      const Vec2 at = feet + aside * Vec2(-towards.y(), towards.x());
      level = level && std::abs(now.place.height(at, 0) - now.body.sole) < 0.1;
    }
    const double cost = (1 - std::cos(off)) + kWayCosts / scale * (feet - now.self.position).norm();
    if (!level || cost >= best) continue;
    best = cost;
    stand_ = {feet, wrap_angle(heading)};
    yaw_ = wrap_angle(faces - heading_of(upright(thing)));
    const double bottom = thing.middle().z() - side.height - now.body.sole;
    const double top = bottom + 2 * side.height;
    const double handles = (sign < 0 ? kPullHeight : kHandleHeight) * now.body.shoulder_height;
    const double height = std::min(top - kBelowEdge * scale, std::max(bottom, handles));
    for (const int hand : {kLeft, kRight}) {
      const Vec2& at = hold[std::size_t(hand)];
      grip_[hand] = thing.in_link(Vec3(at.x(), at.y(), now.body.sole + height));
    }
  }
  return best < 1e9;
}

control::Goal Worker::move_thing(const Now& now, const Task& task) {
  ThingSeen thing;
  if (!now.place.see(task.thing, thing)) {
    failed("it is not there any more");
    return stand_here(now);
  }
  const double scale = now.self.scale, slow = std::sqrt(scale);
  const double drag = thing.friction * thing.mass * physics::kGravity;
  if (stage_ == 0) {
    const char* why = why_not_taken(now, thing, task.thing, 0.5 * drag);
    if (!why && !choose_hold(now, thing, task)) why = "there is no place to stand before it";
    if (why) {
      failed(why);
      return stand_here(now);
    }
    set_out(now);
    next_stage();
  }
  if (stage_ <= 2 && now.place.taken_by(task.thing) != 0) {
    failed("somebody else has it");
    return stand_here(now);
  }
  if (stage_ == 1) {
    control::Goal goal = approach(now, task.speed, task.thing);
    if (approach_.arrived()) {
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
  if (stage_ == 2) {
    bool ready = true;
    for (const int side : {kLeft, kRight}) {
      const Vec3 at = thing.at(grip_[side]);
      goal.hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, at,
                                         thing.velocity_at(grip_[side]), now.dt);
      const bool holds = now.body.holds[side] == task.thing;
      if (!holds && path_[side].arrived() &&
          (now.body.palm[side] - at).norm() < kHandleTouch * scale)
        orders_[side] = grip_here(now, side, task.thing, thing);
      ready = ready && holds;
    }
    if (ready) {
      least_ = 1e3;
      stuck_ = lifted_ = 0;
      for (const int side : {kLeft, kRight}) carried_.place[side] = before_chest(now, side);
      reach_ = (now.body.chest() - thing.middle()).head<2>().norm();
      next_stage();
    } else if (clock_ > kHandleIn * slow) {
      let_go();
      again();
    }
    return goal;
  }
  if (stage_ == 3) return drive(now, thing, task);
  if (stage_ == 4) return come_to_rest(now, thing, task);
  // The hands are free: who still sways needs no place for them.
  if (now.body.standing || clock_ > kStandsAfter * slow) done(missed_);
  return goal;
}

}  // namespace promenade::behaviour::tasks
