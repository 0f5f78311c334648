#pragma once

#include <vector>

#include "behaviour/tasks/shared_list.h"

namespace promenade::world {

/// The lists of tasks that several characters of a room share.
struct RoomShared {
  std::vector<behaviour::tasks::SharedList> lists;
  std::vector<behaviour::tasks::Sharer> sharers;  // of one of them, while it decides

  void visit(StateVisitor& state) {
    state.length(lists, 1000);
    for (auto& list : lists) list.visit(state);
  }
};

}  // namespace promenade::world
