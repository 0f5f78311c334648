#include "behaviour/tasks/kinds/any_skill.h"

namespace promenade::behaviour::tasks {

void AnySkill::begin(TaskKind kind) {
  switch (kind) {
    case TaskKind::kGoTo:
    case TaskKind::kClimb:
      one_.emplace<GoTo>();
      return;
    case TaskKind::kReach:
      one_.emplace<Reach>();
      return;
    case TaskKind::kPickUp:
      one_.emplace<PickUp>();
      return;
    case TaskKind::kPutDown:
      one_.emplace<PutDown>();
      return;
    case TaskKind::kPushTo:
    case TaskKind::kPullTo:
      one_.emplace<Move>();
      return;
    case TaskKind::kSitOut:
      one_.emplace<SitOut>();
      return;
    case TaskKind::kCarry:
      one_.emplace<Carry>();
      return;
    case TaskKind::kHandOver:
      one_.emplace<HandOver>();
      return;
    case TaskKind::kTakeOver:
      one_.emplace<TakeOver>();
      return;
  }
}

Skill* AnySkill::get() {
  return std::visit(
      []<typename One>(One& one) -> Skill* {
        if constexpr (std::is_same_v<One, std::monostate>) {
          return nullptr;
        } else {
          return &one;
        }
      },
      one_);
}

}  // namespace promenade::behaviour::tasks
