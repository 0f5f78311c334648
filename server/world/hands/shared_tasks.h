#pragma once

#include <vector>

#include "behaviour/tasks/shared_list.h"
#include "world/hands/hands.h"
#include "world/room/tick_view.h"
#include "world/ties/ties.h"

namespace promenade::world {

/// The lists of tasks that several characters of a room share. Each tick those who share a list
/// find out who of them does which of its tasks. It is a value, so that a saved one can be read and
/// checked before it takes the place of another.
class SharedTasks {
 public:
  using SharedList = behaviour::tasks::SharedList;

  bool empty() const { return lists_.empty(); }
  const std::vector<SharedList>& lists() const { return lists_; }
  /// The list that a character takes part in; null: none.
  SharedList* list_of(CharacterId id);
  const SharedList* list_of(CharacterId id) const;
  /// Characters that take part in no list share these tasks from now on.
  void share(const std::vector<CharacterId>& characters,
             const std::vector<behaviour::tasks::Task>& tasks, bool repeat) {
    lists_.emplace_back(characters, tasks, repeat);
  }
  /// Takes a character out of its list: it has other things to do.
  void leave(CharacterId id);
  /// What became of the task that somebody had taken.
  /// @return whether others are to be told: of a task that is tried again they are not
  bool told(CharacterId id, const behaviour::tasks::TaskNews& news,
            const v1::SharingParameters& parameters);
  /// Lets them find out which of them does which task.
  void run(Occupants& occupants, const Ties& ties, const Hands& hands, const TickView& now,
           std::vector<RoomEvent>& events);

  void visit(StateVisitor& state) {
    state.length(lists_, 1000);
    for (SharedList& list : lists_) list.visit(state);
  }

 private:
  std::vector<SharedList> lists_;
  std::vector<behaviour::tasks::Sharer> sharers_;  // of one of them, while it decides
};

}  // namespace promenade::world
