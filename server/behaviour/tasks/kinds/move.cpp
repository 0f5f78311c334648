#include "behaviour/tasks/kinds/move.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/box_sides.h"
#include "behaviour/tasks/parts/load.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

using Stage = MoveStage;

/// Place of a palm from the chest, x along the way, m.
Vec3 before_chest(const Now& now, std::size_t side, double heading) {
  return rotation_z(-heading) * (now.body.palm[side] - now.body.chest());
}

/// Whether a thing is where it is to be, within `near`, m, and `turned`, rad.
bool is_there(const ThingSeen& thing, const Task& task, double near, double turned) {
  const double far = (task.point - thing.position).head<2>().norm();
  const double turn = task.turned ? wrap_angle(task.heading - heading_of(upright(thing))) : 0;
  return far < near && std::abs(turn) < turned;
}

bool slipped(const Now& now, const Task& task) {
  return now.body.holds[kLeft] != task.thing && now.body.holds[kRight] != task.thing;
}

/// Whether the ground is level where the feet would stand.
bool stands_level(const Now& now, const Vec2& feet, const Vec2& towards) {
  const v1::MoveParameters& p = now.parameters.move();
  bool level = true;
  for (const double aside :
       {-p.half_stance_m() * now.scale(), 0.0, p.half_stance_m() * now.scale()}) {
    const Vec2 at = feet + aside * Vec2(-towards.y(), towards.x());
    level = level && std::abs(now.place.height(at, 0) - now.body.sole) < p.level_within_m();
  }
  return level;
}

}  // namespace

control::Goal Move::update(const Now& now, const Task& task, Work& work) {
  const v1::MoveParameters& p = now.parameters.move();
  ThingSeen thing;
  if (!now.place.see(task.thing, thing)) {
    work.failed("it is not there any more");
    return stand_here(now);
  }
  if (stage() == Stage::kBegins) {
    begin(now, task, thing, work);
    if (!work.goes_on()) return stand_here(now);
  }
  if (stage() <= Stage::kTakesHold && now.place.taken_by(task.thing) != 0) {
    work.failed("somebody else has it");
    return stand_here(now);
  }
  if (stage() == Stage::kComes) return come(now, task, thing, work);
  if (stage() == Stage::kTakesHold) return take_hold(now, task, thing, work);
  if (stage() == Stage::kDrives) return drive(now, task, thing, work);
  if (stage() == Stage::kComesToRest) return come_to_rest(now, task, thing, work);
  // The hands are free: who still sways needs no place for them.
  if (now.body.standing || work.attempt.clock > p.stands_after_s() * now.slow()) work.done(missed_);
  return stand_facing(now, work.walk.stand().heading);
}

void Move::begin(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const double drag = thing.friction * thing.mass * physics::kGravity;
  const char* why = why_not_taken(now, work, thing, task.thing, 0.5 * drag);
  if (!why && !choose_hold(now, thing, task, &work.walk.stand()))
    why = "there is no place to stand before it";
  if (why) {
    work.failed(why);
    return;
  }
  work.walk.set_out(now);
  enter(Stage::kComes, work);
}

/// Where to stand and where to take hold, so that the thing goes its way ahead of who pushes, or
/// behind who pulls: before the side that fits its way best, turned towards the way as far as one
/// can reach round a corner. The hands' forces then pass its middle on both sides. Sets `stand`,
/// the grips and `yaw_`.
bool Move::choose_hold(const Now& now, const ThingSeen& thing, const Task& task, Stand* stand) {
  const v1::MoveParameters& p = now.parameters.move();
  const double scale = now.scale();
  const Vec2 middle = thing.middle().head<2>();
  const Vec2 missing = task.point.head<2>() - thing.position.head<2>();
  const bool pulls = task.kind == TaskKind::kPullTo;
  const double sign = pulls ? -1 : 1;
  const bool goes = missing.norm() > p.goes_from_m() * scale;
  const double feet_free =
      p.feet_free_m() + p.light_free_m() * lightness(now, strain_of(thing, now.body));
  const double pushing = now.body.toes + feet_free * scale;
  double best = 1e9;
  for (const BoxSide& side : sides_of(thing)) {
    const double faces = std::atan2(side.way.y(), side.way.x());
    const double off =
        goes ? wrap_angle(std::atan2(sign * missing.y(), sign * missing.x()) - faces) : 0;
    const double heading = faces + std::clamp(off, -p.held_oblique_rad(), p.held_oblique_rad());
    const Vec2 towards = rotated(Vec2(1, 0), heading);
    std::array<Vec2, 2> hold;
    double near = 0;  // m, from the middle to its nearest corner
    if (!grips_across(thing, towards, p.hands_apart_m() * scale, p.from_corner_m() * scale, &hold,
                      &near))
      continue;
    const double out =
        pulls ? p.pulling_out() * now.body.arm : std::min(p.arms_out() * now.body.arm, pushing);
    const Vec2 feet = middle - (near + out) * towards;
    const double cost =
        (1 - std::cos(off)) + p.way_costs() / scale * (feet - now.self.position).norm();
    if (cost >= best || !stands_level(now, feet, towards)) continue;
    best = cost;
    *stand = {feet, wrap_angle(heading)};
    yaw_ = wrap_angle(faces - heading_of(upright(thing)));
    set_grips(now, thing, hold, side.height, pulls);
  }
  return best < 1e9;
}

/// Sets the grips at the height of handles, as far as the thing has that.
/// @param hold         where, level, world
/// @param half_height  m, of the thing
void Move::set_grips(const Now& now, const ThingSeen& thing, const std::array<Vec2, 2>& hold,
                     double half_height, bool pulls) {
  const v1::MoveParameters& p = now.parameters.move();
  const double bottom = thing.middle().z() - half_height - now.body.sole;
  const double top = bottom + 2 * half_height;
  const double handles = (pulls ? p.pull_height() : p.handle_height()) * now.body.shoulder_height;
  const double height = std::min(top - p.below_edge_m() * now.scale(), std::max(bottom, handles));
  for (const std::size_t side : {kLeft, kRight})
    grasp_.at[side] = thing.in_link(Vec3(hold[side].x(), hold[side].y(), now.body.sole + height));
}

control::Goal Move::come(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  control::Goal goal = work.walk_on(now, task.speed, task.thing);
  if (work.walk.arrived()) {
    grasp_.set_out(now, thing);
    enter(Stage::kTakesHold, work);
  } else if (work.walks_too_long(now, task)) {
    work.failed("there is no way to it");
  }
  return goal;
}

control::Goal Move::take_hold(const Now& now, const Task& task, const ThingSeen& thing,
                              Work& work) {
  const v1::MoveParameters& p = now.parameters.move();
  const double heading = work.walk.stand().heading;
  control::Goal goal = stand_facing(now, heading);
  bool ready = true;
  for (const std::size_t side : {kLeft, kRight}) {
    HandPath& path = grasp_.path[side];
    const Vec3 at = thing.at(grasp_.at[side]);
    goal.hand[side] = path.move(now.parameters.hand_path(), control::HandGoal::Frame::kWorld, at,
                                thing.velocity_at(grasp_.at[side]), now.dt);
    const bool holds = now.body.holds[side] == task.thing;
    if (!holds && path.arrived() &&
        (now.body.palm[side] - at).norm() < p.handle_touch_m() * now.scale())
      work.orders[side] = grip_here(now, side, task.thing, thing);
    ready = ready && holds;
  }
  if (ready) {
    least_ = 1e3;
    stuck_ = 0;
    forces_.begin();
    for (const std::size_t side : {kLeft, kRight})
      before_chest_[side] = before_chest(now, side, heading);
    reach_ = (now.body.chest() - thing.middle()).head<2>().norm();
    enter(Stage::kDrives, work);
  } else if (work.attempt.clock > p.handle_in_s() * now.slow()) {
    work.let_go();
    again(work);
  }
  return goal;
}

Move::Course Move::course_of(const Now& now, const Task& task, const ThingSeen& thing) const {
  const v1::MoveParameters& p = now.parameters.move();
  const double scale = now.scale(), slow = now.slow();
  const v1::HaulingParameters& how = hauling_of(now, task.kind);
  Course out;
  // What takes more of one's strength goes slower, and the push comes slower.
  out.strain = strain_of(thing, now.body);
  const double heavy = 1 + how.slower() * out.strain;
  out.pull_up = std::max(how.least_in_s(), how.comes_in_s() * out.strain) * slow;
  out.yaw = heading_of(upright(thing));
  const Vec2 missing = task.point.head<2>() - thing.position.head<2>();
  out.far = missing.norm();
  const double sign = task.kind == TaskKind::kPushTo ? 1 : -1;
  out.way = std::atan2(sign * missing.y(), sign * missing.x());
  const bool along = out.far > p.along_from_m() * scale;
  out.turn = along         ? wrap_angle(out.way - yaw_ - out.yaw)
             : task.turned ? wrap_angle(task.heading - out.yaw)
                           : 0;
  out.wanted.rate =
      std::clamp(p.turn_gain() * out.turn, -p.turn_rate_radps(), p.turn_rate_radps()) / slow;
  double fastest = task.speed > 0 ? std::min(task.speed, p.fastest_mps() * slow / heavy)
                                  : how.speed_mps() * slow / heavy;
  Vec2& velocity = out.wanted.velocity;
  velocity = p.gain() / slow * missing;
  // It is turned on the way: turned on the spot it drags much more.
  if (std::abs(out.turn) > p.near_turn_rad() && !along) {
    fastest = std::min(fastest, p.turn_rate_radps() / slow *
                                    (out.far + p.while_turning_m() * scale) / std::abs(out.turn));
  }
  if (velocity.norm() > fastest) velocity *= fastest / velocity.norm();
  return out;
}

/// Turns the way, on which who moves it stands, slowly to where it is to lead.
void Move::turn_way(const Now& now, const Course& course, Stand& stand) const {
  const v1::MoveParameters& p = now.parameters.move();
  const double faces = course.yaw + yaw_;
  const double off =
      wrap_angle((course.far > p.same_way_m() * now.scale() ? course.way : stand.heading) - faces);
  const double oblique = p.oblique_rad() + p.light_oblique_rad() * lightness(now, course.strain);
  const double wanted = faces + std::clamp(off, -oblique, oblique);
  const double most = p.way_turn_radps() / now.slow() * now.dt;
  stand.heading =
      wrap_angle(stand.heading + std::clamp(wrap_angle(wanted - stand.heading), -most, most));
}

/// Goes with the thing, and keeps its own place before it.
control::Goal Move::keep_up(const Now& now, const Task& task, const ThingSeen& thing,
                            const Course& course, const Work& work) const {
  const v1::MoveParameters& p = now.parameters.move();
  const v1::HaulingParameters& how = hauling_of(now, task.kind);
  const double heading = work.walk.stand().heading;
  const double longer =
      p.longer_m() +
      std::min(p.most_longer_m(), how.longer_m() * std::max(0.0, course.strain - p.longer_from()));
  const Vec2 place =
      thing.middle().head<2>() +
      rotated(Vec2(-reach_ - longer * now.scale(), work.haul_stance.beside), heading);
  const Vec2 own =
      how.goes() * std::min(1.0, work.attempt.clock / course.pull_up) * course.wanted.velocity +
      how.keep_up() / now.slow() * (place - now.body.chest().head<2>());
  control::Goal goal = stand_facing(now, heading);
  goal.stand = false;
  goal.bend = how.bend();
  goal.velocity = rotated(own, -goal.heading);
  return goal;
}

/// Sets the forces of the hands.
void Move::exert(const Now& now, const Task& task, const ThingSeen& thing, const Course& course,
                 Work& work) {
  const v1::MoveParameters& p = now.parameters.move();
  const v1::HaulingParameters& how = hauling_of(now, task.kind);
  const double slow = now.slow();
  // What is not light is turned once it slides: at rest its friction takes much more.
  const double slides =
      std::clamp(thing.velocity.head<2>().norm() / (p.turns_from_mps() * slow), 0.0, 1.0);
  Motion wanted = course.wanted;
  wanted.rate = std::max(slides, lightness(now, course.strain)) * wanted.rate;
  const Haul haul{how,   thing, work.walk.stand().heading, work.attempt.clock, course.pull_up,
                  stuck_};
  exerts_ = forces_.update(now, haul, wanted, work.haul_stance);
  // What is lifted a little slides more easily, and presses the feet to the ground.
  const double lifts =
      0.5 * physics::kGravity * std::min(how.lifts() * thing.mass, p.most_lift() * now.body.mass);
  for (Vec3& force : exerts_) {
    force *= how.more();
    force.z() = lifts * std::min(1.0, work.attempt.clock / (p.lifts_in_s() * slow));
  }
}

void Move::note_progress(const Now& now, const Task& task, const Course& course, const Work& work) {
  const v1::MoveParameters& p = now.parameters.move();
  const double left =
      course.far +
      p.turn_counts_m() * std::abs(task.turned ? wrap_angle(task.heading - course.yaw) : 0.0);
  stuck_ += now.dt;
  if (left < least_ - p.progress_m() || work.attempt.clock < course.pull_up) {
    stuck_ = 0;
    least_ = left;
  }
}

control::Goal Move::drive(const Now& now, const Task& task, const ThingSeen& thing, Work& work) {
  const v1::MoveParameters& p = now.parameters.move();
  // Moves it, once the walker has come up from reaching for it.
  if (now.body.stoop > p.upright()) work.attempt.clock = 0;
  const Course course = course_of(now, task, thing);
  turn_way(now, course, work.walk.stand());
  control::Goal goal = keep_up(now, task, thing, course, work);
  exert(now, task, thing, course, work);
  for (const std::size_t side : {kLeft, kRight})
    goal.hand[side] = hold_on(now, task, thing, side, 1, work);
  note_progress(now, task, course, work);
  if (is_there(thing, task, p.near_goal_m(), p.near_turn_rad()) ||
      stuck_ > p.stuck_after_s() * now.slow()) {
    exerts_.fill(0.5 * (exerts_[kLeft] + exerts_[kRight]));  // it is not to be turned any more
    enter(Stage::kComesToRest, work);
  } else if (slipped(now, task)) {
    work.let_go();
    again(work);
  }
  return goal;
}

/// What a hand does that pushes or pulls with a share of what it exerted last.
control::HandGoal Move::hold_on(const Now& now, const Task& task, const ThingSeen& thing,
                                std::size_t side, double share, const Work& work) {
  const v1::MoveParameters& p = now.parameters.move();
  control::HandGoal hand;
  hand.strength = hauling_of(now, task.kind).arms();
  if (task.kind == TaskKind::kPushTo) {
    // Its place before the chest follows: a body that sways is held back softly, across the way
    // most of all.
    const double slow = now.slow();
    const Vec3 actual = before_chest(now, side, work.walk.stand().heading);
    Vec3& at = before_chest_[side];
    at += (actual - at)
              .cwiseProduct(Vec3(now.dt / (now.dt + p.follows_ahead_s() * slow),
                                 now.dt / (now.dt + p.follows_aside_s() * slow),
                                 now.dt / (now.dt + p.follows_up_s() * slow)));
    hand.frame = control::HandGoal::Frame::kChest;
    hand.at = at;
  } else {
    hand.frame = control::HandGoal::Frame::kHolds;
    hand.velocity = thing.velocity_at(grasp_.at[side]);
  }
  hand.effort = share * exerts_[side];
  return hand;
}

/// A pusher comes to rest before letting go: leaning on a thing, it would fall.
control::Goal Move::come_to_rest(const Now& now, const Task& task, const ThingSeen& thing,
                                 Work& work) {
  const v1::MoveParameters& p = now.parameters.move();
  const double slow = now.slow(), clock = work.attempt.clock;
  const double rest_in = hauling_of(now, task.kind).rest_in_s() * slow;
  control::Goal goal = stand_facing(now, work.walk.stand().heading);
  if (rest_in > 0 && !slipped(now, task)) {
    const double left = std::max(0.0, 1 - clock / rest_in);
    for (const std::size_t side : {kLeft, kRight})
      goal.hand[side] = hold_on(now, task, thing, side, left, work);
    if ((left > 0 || !now.body.standing) && clock < p.rest_anyhow_s() * slow) return goal;
  }
  missed_ = (task.point - thing.position).head<2>().norm();
  work.let_go();
  if (is_there(thing, task, p.nearly_there_m(), p.nearly_turned_rad())) {
    enter(Stage::kStands, work);
  } else if (work.attempt.tries < now.parameters.tries().most_tries()) {
    again(work);  // from where it stands now
  } else {
    work.failed("it does not move");
  }
  return goal;
}

void Move::visit(StateVisitor& state) {
  StagedSkill::visit(state);
  grasp_.visit(state);
  forces_.visit(state);
  state(before_chest_, exerts_, reach_, yaw_, least_, stuck_, missed_);
}

}  // namespace promenade::behaviour::tasks
