// The next steps of a party: along their routes, in formation where there is room.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "behaviour/flow/flow.h"
#include "math/rotation.h"

namespace promenade::behaviour::flow {
namespace {

constexpr double kTurnOfGroup = 1.5;  // rad/s, of a formation, at most
constexpr double kAhead = 1.2;        // s, of the point in the formation that is aimed at
constexpr double kBreakUp = 2.5;      // m before the goal: everybody to their own spot
constexpr double kAtSpot = 0.15;      // m: this near its spot a person stands
constexpr double kSlowDown = 0.6;     // s, speed falls in proportion to the way left
constexpr double kCatchUp = 1.25;     // times the speed, at most
constexpr double kWaiting = 1.6;      // m ahead of the others: stand and wait
constexpr double kWaitPatience = 30;  // s, then they go on alone
constexpr double kTogether = 1.5;     // m from their middle
constexpr double kNoLimit = 1e9;      // m/s, beyond any speed
constexpr double kStands = 0.05;      // m/s, slower ones stand
constexpr double kDoor = 0.2;         // m, into an exit

/// How much faster or slower somebody goes who is so far ahead of the others.
double pace_to_meet(double ahead) { return std::clamp(1 - ahead / kWaiting, 0.0, kCatchUp); }

}  // namespace

/// Into an exit by its nearest part, not by its middle.
Vec2 Flow::exit_aim(const Person& person, const route::Leg& leg) const {
  Area inner = plan_->exits[person.to.index].area;
  inner.half = (inner.half.array() - kDoor).max(0.5 * inner.half.array());
  const Vec2 aim = inner.nearest(person.at);
  return map_->sees(person.at, aim) ? aim : leg.aim;
}

/// Members who would go round the other side of a building than the first of the group go along: to
/// where the first is heading, or to the first.
void Flow::follow_first(Members members, std::span<route::Leg> legs) {
  const Person& first = members[0];
  const double after_aim = legs[0].left - (legs[0].aim - first.at).norm();
  for (std::size_t i = 1; i < members.size(); ++i) {
    Person& p = members[i];
    if (tree(p.to).same_way(first.progress, p.progress)) continue;
    if (map_->sees(p.at, legs[0].aim)) {
      p.progress.corner = first.progress.corner;  // and from there on as the first does
      legs[i].aim = legs[0].aim;
      legs[i].left = (legs[0].aim - p.at).norm() + after_aim;
    } else if (map_->sees(p.at, first.at)) {
      legs[i].aim = first.at;
      legs[i].left = (first.at - p.at).norm() + legs[0].left;
    }
    legs[i].to_goal = false;
  }
}

/// Where everybody's route leads next, and how the group as a whole goes on.
Flow::GroupStep Flow::look_ahead(Party& party, Members members) {
  GroupStep step;
  const std::size_t count = members.size();
  for (std::size_t i = 0; i < count; ++i) {
    Person& p = members[i];
    route::Leg& leg = step.legs[i];
    leg = tree(p.to).advance(p.at, p.progress);
    if (p.to.target == Target::kExit && leg.to_goal) leg.aim = exit_aim(p, leg);
    const bool was_lost = std::exchange(p.lost, leg.reach != route::Reach::kReached);
    if (p.lost && !was_lost) tell(Happening::kLost, p.id, p.to.index);
    step.each_alone |= p.lost;
    step.speed = std::min(step.speed, p.speed);
  }
  step.each_alone |= count == 1 || party.task == Task::kQueueing || party.task == Task::kStaying ||
                     party.waited > kWaitPatience;
  if (!step.each_alone) follow_first(members, std::span(step.legs).first(count));
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 to = step.legs[i].aim - members[i].at;
    if (to.norm() > 1e-6) step.way += to.normalized();
    step.middle += members[i].at / double(count);
    step.left += step.legs[i].left / double(count);
  }
  step.hurry = party.task == Task::kFleeing ? plan_->panic_pace : 1;
  step.speed *= group_pace(count) * step.hurry;
  return step;
}

void Flow::give_errands(Party& party, Members members, std::span<Errand> errands, double dt) {
  const GroupStep step = look_ahead(party, members);
  if (step.way.norm() > 1e-3) {
    const double wanted = std::atan2(step.way.y(), step.way.x());
    const double most = party.has_heading ? kTurnOfGroup * dt : kTwoPi;
    party.heading += std::clamp(wrap_angle(wanted - party.heading), -most, most);
    party.heading = wrap_angle(party.heading);
    party.has_heading = true;
  }
  bool waits = false;
  double spread = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Person& p = members[i];
    errands[i] = errand_along(p, step.legs[i]);
    Errand& e = errands[i];
    spread = std::max(spread, (p.at - step.middle).norm());
    if (e.stand) continue;
    e.speed = std::min(e.speed, step.each_alone ? p.speed * step.hurry : step.speed);
    if (step.each_alone || step.legs[i].moved) continue;
    e.companion_offset = formation_offset(members.size(), i);
    keep_together(p, step, i, party.heading, e);
    waits |= e.stand;
  }
  // A party that has waited too long waits no more until all are together again.
  if (waits) party.waited += dt;
  if (spread < kTogether) party.waited = 0;
}

/// The errand of a person alone.
Errand Flow::errand_along(const Person& p, const route::Leg& leg) const {
  Errand e;
  e.goal = point_of(p.to);
  e.facing = facing_of(p.to);
  e.aim = leg.aim;
  const bool stops = p.to.target != Target::kExit && leg.to_goal;
  e.stand = p.lost || (stops && leg.left < kAtSpot);
  e.speed = e.stand ? 0 : stops ? leg.left / kSlowDown : kNoLimit;
  return e;
}

/// Makes somebody aim at their place in the formation where there is room for it, and go slower or
/// stand where the others are behind.
void Flow::keep_together(const Person& p, const GroupStep& step, std::size_t member, double heading,
                         Errand& e) const {
  const Vec2 ahead(std::cos(heading), std::sin(heading));
  const Vec2 slot = step.middle + rotated(e.companion_offset, heading);
  const Vec2 aim = slot + ahead * (kAhead * step.speed);
  if (step.left > kBreakUp && map_->free(slot) && map_->sees(p.at, aim)) {
    e.aim = aim;
    e.speed *= pace_to_meet(ahead.dot(p.at - slot));
  } else {
    e.speed *= pace_to_meet(step.left - step.legs[member].left);
  }
  e.stand = e.speed < kStands;
  if (e.stand) e.facing = heading;
}

}  // namespace promenade::behaviour::flow
