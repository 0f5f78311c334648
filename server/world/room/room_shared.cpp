// Tasks that several characters share.
#include <array>
#include <optional>

#include "behaviour/tasks/worker.h"
#include "world/hands/room_hands.h"
#include "world/room/room_impl.h"

namespace promenade::world {

using behaviour::tasks::SharedList;
using behaviour::tasks::Sharer;
using behaviour::tasks::Worker;

namespace {

/// The worker of a character at such a list's tasks; else null.
Worker* sharing_worker(Entity* e) {
  if (!e || e->behaviour_kind != behaviour::BehaviourKind::kTasks) return nullptr;
  auto* worker = static_cast<Worker*>(e->behaviour.get());
  return worker->shares() ? worker : nullptr;
}

}  // namespace

void Room::Impl::leave_shared(CharacterId id) {
  for (SharedList& list : shared.lists) list.leave(id);
  std::erase_if(shared.lists, [](const SharedList& list) { return list.members() == 0; });
}

const SharedList* Room::Impl::shared_list_of(CharacterId id) const {
  for (const SharedList& list : shared.lists) {
    for (std::size_t i = 0; i < list.members(); ++i) {
      if (list.member(i) == id) return &list;
    }
  }
  return nullptr;
}

void Room::Impl::run_shared(std::vector<RoomEvent>& events) {
  for (SharedList& list : shared.lists) {
    for (std::size_t i = list.members(); i-- > 0;) {
      if (!sharing_worker(occupants.find(list.member(i)))) list.leave(list.member(i));
    }
    std::array<std::optional<RoomWorkplace>, behaviour::tasks::kMostSharers> places;
    shared.sharers.clear();
    for (std::size_t i = 0; i < list.members(); ++i) {
      Entity& e = *occupants.find(list.member(i));
      places[i].emplace(*this, e);
      const bool able = e.present() && !e.fallen && !e.kinematic();
      shared.sharers.push_back({e.id, sharing_worker(&e), &*places[i], e.self(), able});
    }
    list.update(shared.sharers, dt());
    for (const SharedList::GivenUp& one : list.given_up()) {
      tell_news(
          *occupants.find(list.member(0)),
          {behaviour::tasks::TaskNews::Kind::kFailed, list.entries()[one.entry].task, 0, one.why},
          events);
    }
    if (list.finished()) tell_finished(list, events);
  }
  std::erase_if(shared.lists, [](const SharedList& list) { return list.members() == 0; });
}

void Room::Impl::tell_finished(const SharedList& list, std::vector<RoomEvent>& events) const {
  std::string text;
  for (std::size_t i = 0; i < list.members(); ++i) {
    text += (i == 0                   ? ""
             : i + 1 < list.members() ? ", "
                                      : " and ") +
            occupants.find(list.member(i))->body->title + " " + std::to_string(list.member(i));
  }
  text += " are through with " + std::to_string(list.entries().size()) + " tasks";
  events.push_back(
      {tick_number, list.member(0), RoomEvent::Kind::kSharedTasksDone, std::move(text), 0});
}

}  // namespace promenade::world
