#include "world/hands/shared_tasks.h"

#include <algorithm>
#include <array>
#include <optional>

#include "behaviour/tasks/worker.h"
#include "world/hands/workplace.h"

namespace promenade::world {

using behaviour::tasks::SharedList;
using behaviour::tasks::Worker;

namespace {

/// The worker of a character at such a list's tasks; else null.
Worker* sharing_worker(Entity* e) {
  if (!e || !e->follows<Worker>()) return nullptr;
  auto* worker = static_cast<Worker*>(e->behaviour.get());
  return worker->shares() ? worker : nullptr;
}

void tell_finished(const SharedList& list, const TickView& now, std::vector<RoomEvent>& events) {
  std::string text;
  for (std::size_t i = 0; i < list.members(); ++i) {
    text += (i == 0                   ? ""
             : i + 1 < list.members() ? ", "
                                      : " and ") +
            now.occupants.find(list.member(i))->body->title + " " + std::to_string(list.member(i));
  }
  text += " are through with " + std::to_string(list.entries().size()) + " tasks";
  events.push_back(
      {now.tick, list.member(0), RoomEvent::Kind::kSharedTasksDone, std::move(text), 0});
}

}  // namespace

void SharedTasks::leave(CharacterId id) {
  for (SharedList& list : lists_) list.leave(id);
  std::erase_if(lists_, [](const SharedList& list) { return list.members() == 0; });
}

SharedList* SharedTasks::list_of(CharacterId id) {
  return const_cast<SharedList*>(std::as_const(*this).list_of(id));
}

const SharedList* SharedTasks::list_of(CharacterId id) const {
  for (const SharedList& list : lists_) {
    for (std::size_t i = 0; i < list.members(); ++i) {
      if (list.member(i) == id) return &list;
    }
  }
  return nullptr;
}

bool SharedTasks::told(CharacterId id, const behaviour::tasks::TaskNews& news,
                       const v1::SharingParameters& parameters) {
  bool to_tell = false;
  for (SharedList& list : lists_) to_tell = list.told(id, news, parameters) || to_tell;
  return to_tell;
}

void SharedTasks::run(Occupants& occupants, const Ties& ties, const Hands& hands,
                      const TickView& now, std::vector<RoomEvent>& events) {
  for (SharedList& list : lists_) {
    for (std::size_t i = list.members(); i-- > 0;) {
      if (!sharing_worker(occupants.find(list.member(i)))) list.leave(list.member(i));
    }
    std::array<std::optional<RoomWorkplace>, behaviour::tasks::kMostSharers> places;
    sharers_.clear();
    for (std::size_t i = 0; i < list.members(); ++i) {
      Entity& e = *occupants.find(list.member(i));
      places[i].emplace(now, ties, hands, e);
      const bool able = e.present() && !e.fallen && !e.kinematic();
      sharers_.push_back({e.id, sharing_worker(&e), &*places[i], e.self(), able});
    }
    list.update(sharers_, now.dt);
    for (const SharedList::GivenUp& one : list.given_up()) {
      tell_news(
          now, *occupants.find(list.member(0)),
          {behaviour::tasks::TaskNews::Kind::kFailed, list.entries()[one.entry].task, 0, one.why},
          events);
    }
    if (list.finished()) tell_finished(list, now, events);
  }
  std::erase_if(lists_, [](const SharedList& list) { return list.members() == 0; });
}

}  // namespace promenade::world