#include "behaviour/tasks/worker.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr int kMostStages = 16;
constexpr double kWayBesides = 30;     // s, besides the time of the way, to get somewhere
constexpr double kSlowWay = 0.3;       // m/s, of the way
constexpr double kTurnsAway = 0.6;     // cosine of a turn away from something
constexpr double kTurningRoom = 0.35;  // m before the toes, that a turn needs
constexpr double kTurnsBack = 0.2;     // m/s, with which it steps back in one
constexpr double kBodyAside = 0.35;    // m, of the middle of a body from what it walks past
constexpr double kPastStand = 0.02;    // m, of a place to stand from that
constexpr double kRoundAhead = 1.8;    // m, to where it walks to go round something
constexpr double kRoundSpeed = 0.45;   // m/s
constexpr double kLoadSlows = 1.5;     // times its share of the own mass, of the usual speed
constexpr double kLeastPace = 0.3;     // of the usual speed
constexpr double kOfAsked = 0.5;       // of the speed that was asked for, likewise
constexpr double kCrossesFrom = 1.0;  // m, before an edge of the ground, where it walks straight on
constexpr double kCrossesTo = 0.5;    // m, behind one
constexpr double kEdgeEvery = 0.05;   // m, between points of the way where edges are looked for
constexpr double kLeastEdge = 0.05, kMostEdge = 0.5;  // m, of their heights

}  // namespace

Worker::Worker(std::vector<Task> tasks, bool repeat, double stagger)
    : tasks_(std::move(tasks)), repeat_(repeat), approach_(stagger) {
  orders_.fill(HandOrder{});
}

void Worker::append(const std::vector<Task>& tasks) {
  // What is done is forgotten, so that the list does not grow.
  if (!repeat_) {
    tasks_.erase(tasks_.begin(), tasks_.begin() + std::ptrdiff_t(current_));
    current_ = 0;
  }
  tasks_.insert(tasks_.end(), tasks.begin(), tasks.end());
}

void Worker::replace(std::vector<Task> tasks, bool repeat, std::size_t first) {
  const bool goes_on =
      current_ < tasks_.size() && first < tasks.size() && tasks[first] == tasks_[current_];
  tasks_ = std::move(tasks);
  repeat_ = repeat;
  current_ = first;
  shares_ = waits_ = false;
  if (goes_on) return;
  begin_task();
  if (carried_.thing == 0) let_go();
}

void Worker::let_go() {
  for (HandOrder& order : orders_) order = {HandOrder::Kind::kLetGo, 0, Vec3::Zero()};
}

void Worker::again() {
  stage_ = 0;
  clock_ = 0;
  ++tries_;
  approach_.begin();
}

void Worker::begin_task() {
  stand_.short_by = Stand{}.short_by;
  again();
  handing_ = Handing{};
  crossing_ = false;
  tries_ = drops_ = 0;
  placing_ = false;
}

void Worker::next_task() {
  ++current_;
  if (current_ == tasks_.size() && repeat_) current_ = 0;
  begin_task();
  rests_ = false;
}

void Worker::done(double error) {
  if (tasks_[current_].kind == TaskKind::kCarry && !placing_) {
    again();
    tries_ = 0;
    placing_ = true;
    return;
  }
  news_ = {TaskNews::Kind::kDone, tasks_[current_], error, ""};
  next_task();
}

void Worker::failed(const char* why) {
  news_ = {TaskNews::Kind::kFailed, tasks_[current_], 0, why};
  if (carried_.thing == 0) let_go();
  next_task();
}

std::array<HandOrder, 2> Worker::take_orders() {
  auto out = orders_;
  orders_.fill(HandOrder{});
  return out;
}

TaskNews Worker::take_news() {
  TaskNews out = news_;
  news_ = TaskNews{};
  return out;
}

control::Goal Worker::update(const Self& self, const Surroundings& around, double dt) {
  control::Goal goal;
  goal.heading = self.heading;
  if (!around.workplace) return goal;
  const Now now{self, around, *around.workplace, around.workplace->body(), dt};
  clock_ += dt;
  // What it carried may have been taken away, or its hands may have slipped.
  if (carried_.thing != 0 && now.body.holds[kLeft] != carried_.thing &&
      now.body.holds[kRight] != carried_.thing) {
    const bool needs_it = has_work() && (tasks_[current_].kind == TaskKind::kPutDown ||
                                         tasks_[current_].kind == TaskKind::kHandOver ||
                                         tasks_[current_].kind == TaskKind::kTakeOver);
    const bool lost = places();
    carried_ = Carried{};
    if (lost) {
      pick_up_again();
      return stand_here(now);
    }
    if (needs_it) {
      failed("it is no longer in the hands");
      return stand_here(now);
    }
  }
  if (waits_ && stage_ <= 1)
    goal = wait(now);
  else
    goal = has_work() ? work(now, tasks_[current_]) : rest(now);
  goal.plain = uses_hands();
  note_claim(dt);
  return goal;
}

void Worker::note_claim(double dt) {
  ThingId at_work_on = carried_.thing;
  if (at_work_on == 0 && current_ < tasks_.size() && stage_ > 0) {
    const Task& task = tasks_[current_];
    const bool takes_hold = task.kind == TaskKind::kPickUp || task.kind == TaskKind::kCarry ||
                            task.kind == TaskKind::kPushTo || task.kind == TaskKind::kPullTo;
    if (takes_hold) at_work_on = task.thing;
  }
  if (at_work_on != claim_.thing)
    claim_ = {at_work_on, 0};
  else if (at_work_on != 0)
    claim_.since += dt;
}

/// Why a thing cannot be taken hold of with both hands; null: it can.
/// @param force  N, that each hand would have to exert
const char* Worker::why_not_taken(const Now& now, const ThingSeen& thing, ThingId id,
                                  double force) const {
  if (carried_.thing != 0) return "the hands are full";
  if (thing.character) return "it is somebody";
  if (thing.fixed) return "it is fixed";
  if (force > kHandForce) return "it is too heavy";
  if (now.place.taken_by(id) != 0) return "somebody else has it";
  if (tries_ > kMostTries) return "it cannot be gripped";
  return nullptr;
}

control::Goal Worker::stand_here(const Now& now) const {
  control::Goal goal;
  goal.heading = now.self.heading;
  goal.stand = true;
  return goal;
}

/// Whether it carries something, or has come near to what its hands are about to do.
bool Worker::uses_hands() const {
  if (carried_.thing != 0) return true;
  if (!has_work() || stage_ == 0) return false;
  switch (tasks_[current_].kind) {
    case TaskKind::kReach:
    case TaskKind::kPickUp:
    case TaskKind::kPutDown:
    case TaskKind::kPushTo:
    case TaskKind::kPullTo:
    case TaskKind::kCarry:
      return stage_ > 1 || approach_.near();
    case TaskKind::kTakeOver:
      return true;
    default:
      return false;
  }
}

control::Goal Worker::rest(const Now& now) {
  if (!rests_) rest_heading_ = now.self.heading;
  rests_ = true;
  control::Goal goal = goal_to_stand(now.self.heading, rest_heading_, turning_);
  carry(now, &goal);
  return goal;
}

control::Goal Worker::work(const Now& now, const Task& task) {
  switch (task.kind) {
    case TaskKind::kGoTo:
    case TaskKind::kClimb:
      return go_to(now, task);
    case TaskKind::kReach:
      return reach(now, task);
    case TaskKind::kPickUp:
      return pick_up(now, task);
    case TaskKind::kPutDown:
      return put_down(now, task);
    case TaskKind::kPushTo:
    case TaskKind::kPullTo:
      return move_thing(now, task);
    case TaskKind::kSitOut:
      return sit_out(now, task);
    case TaskKind::kCarry:
      return carry_there(now, task);
    case TaskKind::kHandOver:
      return hand_over(now, task);
    case TaskKind::kTakeOver:
      return take_over(now, task);
  }
  return rest(now);
}

/// Begins the way to `stand_`.
void Worker::set_out(const Now& now, Approach::Manner manner) {
  approach_.begin(manner);
  way_ = (stand_.place - now.self.position).norm();
}

/// It has been on its way for longer than anybody would need who can get there.
bool Worker::takes_too_long(const Now& now, const Task& task) const {
  const double slow = std::sqrt(now.self.scale);
  const double speed =
      task.speed > 0 ? std::min(kSlowWay * slow, kOfAsked * task.speed) : kSlowWay * slow;
  return clock_ > slow * kWayBesides + way_ / speed;
}

/// Walks to `stand_`. The thing that it is about does not stand in the way, but it is not walked
/// into either: who has to get to its other side goes round it, as round all things.
control::Goal Worker::approach(const Now& now, double speed, ThingId except) {
  std::array<Neighbour, kMaxNeighbours> kept;
  std::size_t count = 0;
  ThingSeen thing;
  const bool known = except != 0 && now.place.see(except, thing) && !thing.character;
  Stand stand = stand_;
  double nearest = 1e9;
  for (const Neighbour& other : now.around.neighbours) {
    const Vec2 apart = other.position - thing.middle().head<2>();
    const bool own = known && !other.character && apart.norm() < thing.half.norm() + 0.1;
    if (!own) kept[count++] = other;
    const double far = (other.position - now.self.position).norm();
    if (other.character || far >= nearest || (own && except == carried_.thing)) continue;
    if (go_round(now, other, &stand)) nearest = far;
  }
  // Slowly, so that it turns on a short way.
  if (nearest < kRoundAhead * now.self.scale)
    speed = std::min(speed > 0 ? speed : now.self.cruise_speed,
                     kRoundSpeed * std::sqrt(now.self.scale));
  Surroundings around = now.around;
  around.neighbours = std::span(kept).first(count);
  Self self = now.self;
  // What is carried needs room, and slows.
  if (carried_.thing != 0) {
    self.radius += carried_.ahead;
    const double share = kLoadSlows * carried_.mass / now.body.mass;
    const double most = self.cruise_speed * std::max(kLeastPace, 1 - share);
    speed = speed > 0 ? std::min(speed, most) : most;
  }
  control::Goal goal =
      approach_.update(stand, now.body.feet, now.body.standing, speed, self, around, now.dt);
  if (!approach_.near() && goal.velocity.x() > 0 && turns_before_something(now))
    goal.velocity.x() = -kTurnsBack * std::sqrt(now.self.scale);
  // A turn or a pause with one foot over an edge would make it stumble.
  const bool walks = !goal.stand && goal.velocity.x() > 0;
  const bool crosses_now =
      (crossing_ || walks) && crosses(now, crossing_ ? cross_heading_ : goal.heading);
  if (crosses_now && !crossing_) cross_heading_ = goal.heading;
  crossing_ = crosses_now;
  if (crossing_) {
    goal.stand = false;
    goal.heading = cross_heading_;
    goal.velocity = Vec2(speed > 0 ? speed : now.self.cruise_speed, 0);
  }
  carry(now, &goal);
  return goal;
}

/// Whether it has to turn away from something that stands close before it: a walk in a curve would
/// lead into that.
bool Worker::turns_before_something(const Now& now) const {
  const Vec2 ahead = rotated(Vec2(1, 0), now.self.heading);
  const Vec2& wish = approach_.wish();
  if (wish.dot(ahead) > kTurnsAway * wish.norm()) return false;
  const double scale = now.self.scale;
  // It would step back over an edge.
  const double behind = now.place.ground(now.body.feet - kTurningRoom * scale * ahead);
  if (std::abs(behind - now.body.sole) > kLeastEdge * scale) return false;
  const double room =
      now.body.toes + kTurningRoom * scale + (carried_.thing != 0 ? carried_.ahead : 0);
  for (const double far : {now.body.toes, 0.5 * (now.body.toes + room), room}) {
    for (const double aside : {-0.5 * kBodyAside, 0.0, 0.5 * kBodyAside}) {
      const Vec2 at = now.body.feet + far * ahead + aside * scale * Vec2(-ahead.y(), ahead.x());
      if (now.place.height(at, carried_.thing) > now.place.ground(at) + kLeastEdge * scale)
        return true;
    }
  }
  return false;
}

/// Whether there is an edge of the ground close before the feet or behind them, to be stepped over,
/// onto or down.
bool Worker::crosses(const Now& now, double heading) const {
  const double scale = now.self.scale;
  const Vec2 ahead = rotated(Vec2(1, 0), heading);
  const int from = -int(kCrossesTo / kEdgeEvery), to = int(kCrossesFrom / kEdgeEvery);
  double before = now.place.ground(now.body.feet + from * kEdgeEvery * scale * ahead);
  for (int k = from + 1; k <= to; ++k) {
    const double here = now.place.ground(now.body.feet + k * kEdgeEvery * scale * ahead);
    const double high = std::abs(here - before);
    if (high > kLeastEdge * scale && high < kMostEdge * scale) return true;
    before = here;
  }
  return false;
}

/// Where to go first, if a thing is between here and `stand_`.
bool Worker::go_round(const Now& now, const Neighbour& thing, Stand* stand) const {
  const double scale = now.self.scale;
  const Vec2 way = stand_.place - now.self.position, to_thing = thing.position - now.self.position;
  const double aside = kBodyAside * scale + (carried_.thing != 0 ? carried_.ahead : 0);
  const double clear =
      std::min(thing.radius + aside, (stand_.place - thing.position).norm() - kPastStand * scale);
  const double along = way.dot(to_thing) / std::max(way.squaredNorm(), 1e-9);
  const Vec2 passed = std::min(along, 1.0) * way - to_thing;
  if (along <= 0 || passed.norm() >= clear) return false;
  const double far = std::max(to_thing.norm(), 1e-6);
  const double left = to_thing.x() * way.y() - to_thing.y() * way.x() > 0 ? 1 : -1;
  const double turn = far > clear ? std::asin(clear / far) : kPi / 2;
  const Vec2 round = rotated(Vec2(to_thing / far), left * turn);
  stand->place = now.self.position + kRoundAhead * scale * round;
  stand->heading = std::atan2(round.y(), round.x());
  return true;
}

/// Keeps what is carried before the chest.
void Worker::carry(const Now& now, control::Goal* goal) const {
  if (carried_.thing == 0) return;
  for (const int side : {kLeft, kRight}) {
    if (now.body.holds[side] != carried_.thing) continue;
    control::HandGoal& hand = goal->hand[side];
    hand.frame = control::HandGoal::Frame::kChest;
    hand.at = carried_.place[side];
    hand.velocity.setZero();
    hand.effort = Vec3(0, 0, 0.5 * carried_.mass * physics::kGravity);
  }
}

control::Goal Worker::go_to(const Now& now, const Task& task) {
  const Vec2 way = task.point.head<2>() - now.self.position;
  if (stage_ == 0) {
    stand_.place = task.point.head<2>();
    stand_.heading = task.turned        ? task.heading
                     : way.norm() > 0.3 ? std::atan2(way.y(), way.x())
                                        : now.self.heading;
    // Who has more to do, and is not asked to turn somewhere, goes on at once.
    const bool passes = !task.turned && current_ + 1 < tasks_.size();
    set_out(now, passes ? Approach::Manner::kPasses : Approach::Manner::kExactly);
    next_stage();
  }
  // Without a heading it faces the way that it comes, as long as there is one.
  if (!task.turned && way.norm() > 1.0 * now.self.scale)
    stand_.heading = std::atan2(way.y(), way.x());
  control::Goal goal = approach(now, task.speed, carried_.thing);
  if (approach_.arrived())
    done(approach_.missing());
  else if (takes_too_long(now, task))
    failed("there is no way there");
  return goal;
}

control::Goal Worker::sit_out(const Now& now, const Task& task) {
  control::Goal goal = rest(now);
  if (clock_ >= task.seconds) done(0);
  return goal;
}

/// Grips where the palm is: a grip that has to draw the hand near would jerk at the body.
HandOrder Worker::grip_here(const Now& now, int side, ThingId id, const ThingSeen& thing) const {
  return {HandOrder::Kind::kGrip, id, thing.in_link(now.body.palm[side])};
}

void Worker::relocated(const Self& self) {
  begin_task();
  rest_heading_ = self.heading;
  turning_ = false;
}

void Worker::append_path(std::vector<Vec2>& out) const {
  if (current_ < tasks_.size() && stage_ > 0) out.push_back(stand_.place);
  for (std::size_t i = current_ + 1; i < tasks_.size(); ++i) {
    const Task& task = tasks_[i];
    const bool in_world = task.kind != TaskKind::kReach || task.thing == 0;
    if (task.coordinates > 0 && in_world) out.push_back(task.point.head<2>());
  }
}

void Worker::visit(StateVisitor& state) {
  state.length(tasks_, kMostTasks);
  for (Task& task : tasks_) task.visit(state);
  state(repeat_);
  state.choice(current_, kMostTasks + 1);
  state.choice(stage_, kMostStages);
  state(clock_);
  state.choice(tries_, kMostTries + 2);
  state(stand_.place, stand_.heading, stand_.short_by);
  approach_.visit(state);
  for (HandPath& path : path_) path.visit(state);
  state(grip_, uses_);
  carried_.visit(state);
  put_.visit(state);
  claim_.visit(state);
  handing_.visit(state);
  state(placing_, shares_, waits_, waiting_, wait_place_, waits_near_);
  state.choice(drops_, kMostDrops + 2);
  state(seen_, drift_, way_, settled_, missed_, least_, stuck_, reach_, askew_, beside_, yaw_,
        lifted_, exerts_, rest_heading_, cross_heading_, crossing_, turning_, rests_);
  if (state.reading() && placing_ && !places()) state.fail("places nothing");
  if (state.reading() && current_ > tasks_.size()) state.fail("does a task that it does not have");
}

}  // namespace promenade::behaviour::tasks
