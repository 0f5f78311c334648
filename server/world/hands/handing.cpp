// Handing over: which character gives something to which.
#include <memory>

#include "behaviour/direct.h"
#include "behaviour/tasks/worker.h"
#include "world/hands/hands.h"

namespace promenade::world {

namespace todo = behaviour::tasks;

namespace {

/// Whether somebody without tasks has nothing to do: they go nowhere, and were not told to.
bool stands_idle(const Entity& other) {
  return other.follows<behaviour::Direct>() &&
         static_cast<const behaviour::Direct&>(*other.behaviour).stands();
}

}  // namespace

void Hands::gather_handings(const Occupants& occupants) {
  handings_.clear();
  for (const auto& e : occupants.entities) {
    if (!e->follows<todo::Worker>() || !e->present() || e->fallen) continue;
    const auto& worker = static_cast<const todo::Worker&>(*e->behaviour);
    todo::Takes taker = todo::Takes::kNow;
    if (worker.list().has_work() && worker.list().present().kind == todo::TaskKind::kHandOver) {
      const Entity* other = occupants.find(worker.list().present().somebody);
      if (other && other->follows<todo::Worker>())
        taker = static_cast<const todo::Worker&>(*other->behaviour).takes_from(e->id);
      else if (other && !stands_idle(*other))
        taker = todo::Takes::kNever;
    } else if (worker.handing().other == 0) {
      continue;
    }
    handings_.push_back({e->id, worker.handing(), taker});
  }
}

void Hands::ask_takers(Occupants& occupants, const TickView& now) const {
  for (const HandingTold& told : handings_) {
    const Entity* giver = occupants.find(told.id);
    if (!giver || !giver->follows<todo::Worker>()) continue;
    Entity* e =
        occupants.find(static_cast<const todo::Worker&>(*giver->behaviour).handing().asks());
    if (!e || !e->does_tasks() || !e->present() || e->fallen) continue;
    todo::Task take;
    take.kind = todo::TaskKind::kTakeOver;
    take.somebody = giver->id;
    e->need_physics(now.tick, now.dt);
    if (e->follows<todo::Worker>()) {
      auto& worker = static_cast<todo::Worker&>(*e->behaviour);
      if (!worker.shares() && !worker.list().has_work()) worker.append({take});
    } else {
      e->follow(std::make_unique<todo::Worker>(std::vector<todo::Task>{take}, false,
                                               behaviour::stagger_of(e->id)));
    }
  }
}

}  // namespace promenade::world
