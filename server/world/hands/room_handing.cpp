// Handing over: which character gives something to which.
#include <algorithm>
#include <memory>

#include "behaviour/direct.h"
#include "behaviour/tasks/worker.h"
#include "creature/biped/biped_state.h"
#include "world/hands/room_hands.h"

namespace promenade::world {

namespace todo = behaviour::tasks;

bool RoomWorkplace::see_somebody(todo::ThingId id, todo::SomebodySeen& out) const {
  const Entity* other = room_.occupants.find(id);
  if (!other || id == self_.id) return false;
  out.works = other->does_tasks();
  out.down = other->fallen;
  out.takes = todo::Takes::kNow;
  for (const auto& told : room_.handings) {
    if (told.id == id) out.handing = told.handing;
    if (told.id == self_.id) out.takes = told.taker;
  }
  for (const auto& tie : room_.ties.all()) {
    if (tie->source != RoomTie::Source::kHand || tie->over || tie->a != id || !out.works) continue;
    const int right = other->biped->link[kRightLowerArm];
    out.holds[tie->tie.a.link == right ? kRight : kLeft] = tie->b;
  }
  out.mass = other->body->total_mass;
  // A character that the physics does not move may be moving at this moment.
  out.physical = out.works && other->present() && !other->kinematic();
  if (!out.physical) return true;
  const BipedState state = observe(*other->biped, other->physics, {});
  for (const std::size_t side : {kLeft, kRight}) {
    out.feet += 0.5 * state.ankle[side].head<2>();
    out.arm += 0.5 * (other->biped->upper_arm[side] + other->biped->forearm[side]);
  }
  return true;
}

todo::ThingId RoomWorkplace::giver() const {
  for (const auto& told : room_.handings) {
    const auto stage = told.handing.stage;
    const bool gives =
        stage == todo::Handing::Stage::kComes || stage == todo::Handing::Stage::kOffers;
    if (gives && told.handing.other == self_.id) return told.id;
  }
  return 0;
}

/// Whether somebody without tasks has nothing to do: they go nowhere, and were not told to.
static bool stands_idle(const Entity& other) {
  return other.behaviour_kind == behaviour::BehaviourKind::kDirect &&
         static_cast<const behaviour::Direct&>(*other.behaviour).stands();
}

void Room::Impl::gather_handings() {
  handings.clear();
  for (const auto& e : occupants.entities) {
    if (e->behaviour_kind != behaviour::BehaviourKind::kTasks || !e->present() || e->fallen)
      continue;
    const auto& worker = static_cast<const todo::Worker&>(*e->behaviour);
    todo::Takes taker = todo::Takes::kNow;
    if (worker.has_work() && worker.tasks()[worker.current()].kind == todo::TaskKind::kHandOver) {
      const Entity* other = occupants.find(worker.tasks()[worker.current()].somebody);
      if (other && other->behaviour_kind == behaviour::BehaviourKind::kTasks)
        taker = static_cast<const todo::Worker&>(*other->behaviour).takes_from(e->id);
      else if (other && !stands_idle(*other))
        taker = todo::Takes::kNever;
    } else if (worker.handing().other == 0) {
      continue;
    }
    handings.push_back({e->id, worker.handing(), taker});
  }
}

void Room::Impl::ask_takers() {
  for (const HandingTold& told : handings) {
    const Entity* giver = occupants.find(told.id);
    if (!giver || giver->behaviour_kind != behaviour::BehaviourKind::kTasks) continue;
    Entity* e = occupants.find(static_cast<const todo::Worker&>(*giver->behaviour).asks());
    if (!e || !e->does_tasks() || !e->present() || e->fallen) continue;
    todo::Task take;
    take.kind = todo::TaskKind::kTakeOver;
    take.somebody = giver->id;
    e->need_physics(tick_number, dt());
    if (e->behaviour_kind == behaviour::BehaviourKind::kTasks) {
      auto& worker = static_cast<todo::Worker&>(*e->behaviour);
      if (!worker.shares() && !worker.has_work()) worker.append({take});
    } else {
      e->follow(
          std::make_unique<todo::Worker>(std::vector<todo::Task>{take}, false, (e->id % 7) / 7.0));
    }
  }
}

}  // namespace promenade::world
