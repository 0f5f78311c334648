#pragma once

#include <variant>

#include "behaviour/tasks/kinds/carry.h"
#include "behaviour/tasks/kinds/go_to.h"
#include "behaviour/tasks/kinds/hand_over.h"
#include "behaviour/tasks/kinds/move.h"
#include "behaviour/tasks/kinds/pick_up.h"
#include "behaviour/tasks/kinds/put_down.h"
#include "behaviour/tasks/kinds/reach.h"
#include "behaviour/tasks/kinds/sit_out.h"
#include "behaviour/tasks/kinds/take_over.h"

namespace promenade::behaviour::tasks {

/// The skill of one task, in place: to begin another one allocates nothing.
class AnySkill {
 public:
  /// Begins the skill that a kind of task takes.
  void begin(TaskKind kind);
  void end() { one_.emplace<std::monostate>(); }
  /// Null: none.
  Skill* get();
  const Skill* get() const { return const_cast<AnySkill*>(this)->get(); }
  /// How far it is; where there is none, nothing has begun.
  Skill::Phase phase() const { return get() ? get()->phase() : Skill::Phase::kBegins; }

 private:
  std::variant<std::monostate, GoTo, SitOut, Reach, PickUp, PutDown, Carry, HandOver, TakeOver,
               Move>
      one_;
};

}  // namespace promenade::behaviour::tasks
