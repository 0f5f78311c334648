#include "world/hands/hands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "world/command/limits.h"
#include "world/hands/shared_tasks.h"

namespace promenade::world {
namespace {

using behaviour::tasks::HandOrder;
using behaviour::tasks::TaskNews;

constexpr double kSlips = 0.12;      // m, between palm and grip, of a human: it has slipped off
constexpr double kHumanMass = 70.4;  // kg, body of which wrists have these numbers
constexpr double kWristDamping = 3;  // N m s, of a human: a crate of 10 kg hardly swings
constexpr double kWristTorque = 10;  // N m, of a human's wrist, at most
constexpr double kLevelGain = 6;     // 1/s, with which wrists turn a carried thing to be level
constexpr double kLevelRate = 1.5;   // rad/s, at most

/// Whether one end of a tie is that link of that body.
bool ends_at(const RoomTie& tie, const Entity& e, int link) {
  return (tie.a == e.id && tie.tie.a.link == link) || (tie.b == e.id && tie.tie.b.link == link);
}

void let_go(const Entity& e, std::size_t side, Ties& ties) {
  ties.let_go(e.id, e.biped->link[kLeftLowerArm + int(side)]);
}

void grip(const Entity& e, std::size_t side, const HandOrder& order, Ties& ties,
          const TickView& now) {
  let_go(e, side, ties);
  Anchor hand{e.id, e.body->link_names[std::size_t(e.biped->link[kLeftLowerArm + int(side)])],
              e.biped->palm[side]};
  const Occupant& held = *now.occupants.find_occupant(order.thing);
  const double scale = e.body->leg_scale();
  // Wrists: without them a thing that hangs in the hands would swing with every step.
  const double stronger = e.body->total_mass / kHumanMass * scale;
  ties.grip({.hand = hand,
             .thing = {order.thing, held.body->link_names[order.link], order.point},
             .stiffness = 2e4 * scale,
             .limit = order.limit,
             .turn_damping = kWristDamping * stronger * std::sqrt(scale),
             .turn_limit = kWristTorque * stronger},
            now);
}

/// Makes wrists hold a carried thing level.
void turn_wrists(const Occupants& occupants, Ties& ties) {
  ties.turn_wrists([&](const RoomTie& tie) -> Vec3 {
    const Entity* one = occupants.find(tie.a);
    const Prop* thing = occupants.find_prop(tie.b);
    if (!one || !thing || !one->follows<behaviour::tasks::Worker>()) return Vec3::Zero();
    const auto& worker = static_cast<const behaviour::tasks::Worker&>(*one->behaviour);
    if (worker.carries() != thing->id) return Vec3::Zero();
    // The axis that is nearest to the vertical is to be vertical.
    const Mat3 rotation(thing->physics.links().front().rotation);
    int axis = 0;
    rotation.row(2).cwiseAbs().maxCoeff(&axis);
    const Vec3 up = rotation.col(axis) * (rotation(2, axis) < 0 ? -1 : 1);
    Vec3 rate = kLevelGain * up.cross(Vec3::UnitZ());
    if (rate.norm() > kLevelRate) rate *= kLevelRate / rate.norm();
    return one->physics.links()[std::size_t(tie.tie.a.link)].omega - rate;
  });
}

}  // namespace

void Hands::gather(const Occupants& occupants, const Ties& ties) {
  gather_claims(occupants, ties);
  gather_handings(occupants);
}

void Hands::gather_claims(const Occupants& occupants, const Ties& ties) {
  claims_.clear();
  for (const auto& e : occupants.entities) {
    if (!e->follows<behaviour::tasks::Worker>() || !e->present() || e->fallen) continue;
    const auto& claim = static_cast<const behaviour::tasks::Worker&>(*e->behaviour).claim();
    if (claim.thing != 0) claims_.push_back({claim.thing, e->id, false, claim.since});
  }
  if (std::none_of(occupants.entities.begin(), occupants.entities.end(),
                   [](const Entity* e) { return e->follows<behaviour::tasks::Worker>(); }))
    return;
  for (const auto& tie : ties.all()) {
    if (tie->over || tie->source == RoomTie::Source::kOwn || tie->a == 0 || tie->b == 0) continue;
    for (const auto& [one, held] : {std::pair{tie->a, tie->b}, std::pair{tie->b, tie->a}}) {
      if (occupants.find(one) && occupants.find_prop(held)) claims_.push_back({held, one, true, 0});
    }
  }
  std::sort(claims_.begin(), claims_.end(), [](const Claim& a, const Claim& b) {
    if (a.thing != b.thing) return a.thing < b.thing;
    if (a.holds != b.holds) return a.holds;
    if (a.since != b.since) return a.since > b.since;
    return a.character < b.character;
  });
}

void Hands::feel(Entity& e, const Ties& ties) {
  if (!e.biped) return;
  for (const std::size_t side : {kLeft, kRight}) {
    e.goal.hand[side].force.setZero();
    const int link = e.biped->link[kLeftLowerArm + int(side)];
    for (const auto& tie : ties.all()) {
      if (tie->over || tie->source == RoomTie::Source::kOwn || !ends_at(*tie, e, link)) continue;
      e.goal.hand[side].force += tie->a == e.id ? tie->tie.force : Vec3(-tie->tie.force);
    }
  }
}

void Hands::use(Occupants& occupants, Ties& ties, SharedTasks& shared, const TickView& now,
                std::vector<RoomEvent>& events) const {
  // A hand no longer holds what slipped out of it, or if its owner fell or does something else.
  ties.let_slip([&occupants](const RoomTie& tie) {
    const Entity* one = occupants.find(tie.a);
    if (!one || !one->present() || one->fallen || one->kinematic() ||
        !one->follows<behaviour::tasks::Worker>())
      return true;
    const double scale = one->body->leg_scale();
    return (tie.tie.a.in_world().position - tie.tie.b.in_world().position).norm() > kSlips * scale;
  });

  for (const auto& one : occupants.entities) {
    Entity& e = *one;
    if (!e.follows<behaviour::tasks::Worker>() || !e.present() || e.fallen) continue;
    auto& worker = static_cast<behaviour::tasks::Worker&>(*e.behaviour);
    const auto orders = worker.take_orders();
    for (const std::size_t side : {kLeft, kRight}) {
      const HandOrder& order = orders[side];
      if (order.kind == HandOrder::Kind::kLetGo) let_go(e, side, ties);
      const bool possible = order.kind == HandOrder::Kind::kGrip && e.biped &&
                            occupants.find_occupant(order.thing) && order.thing != e.id &&
                            ties.size() < kMaxTies;
      if (possible) grip(e, side, order, ties, now);
    }
    const TaskNews news = worker.take_news();
    bool to_tell = news.kind != TaskNews::Kind::kNone;
    if (to_tell && worker.shares()) to_tell = shared.told(e.id, news, parameters_->sharing());
    if (to_tell) tell_news(now, e, news, events);
  }
  turn_wrists(occupants, ties);
}

void tell_news(const TickView& now, const Entity& e, const TaskNews& news,
               std::vector<RoomEvent>& events) {
  const bool done = news.kind == TaskNews::Kind::kDone;
  std::string text = e.body->title + " " + std::to_string(e.id) + (done ? " did " : " cannot ") +
                     behaviour::tasks::task_name(news.task.kind);
  const auto name = [&](CharacterId id, const char* before) {
    if (const Occupant* one = id != 0 ? now.occupants.find_occupant(id) : nullptr)
      text += before + one->body->title + " " + std::to_string(one->id);
  };
  name(news.task.thing != 0 ? news.task.thing : news.task.on, ", ");
  name(news.task.somebody,
       news.task.kind == behaviour::tasks::TaskKind::kHandOver ? " to " : " from ");
  if (done) {
    const long cm = std::lround(100 * news.error);
    if (cm > 0) text += ", within " + std::to_string(cm) + " cm";
  } else {
    text += std::string(": ") + news.why;
  }
  events.push_back({now.tick, e.id,
                    done ? RoomEvent::Kind::kTaskDone : RoomEvent::Kind::kTaskFailed,
                    std::move(text), news.error});
}

}  // namespace promenade::world
