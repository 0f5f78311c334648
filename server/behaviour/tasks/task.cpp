#include "behaviour/tasks/task.h"

namespace promenade::behaviour::tasks {

void Task::visit(StateVisitor& state) {
  state.choice(kind, kTaskKinds);
  state(thing, somebody, on);
  state.choice(coordinates, 4);
  state(point, turned, heading);
  state.choice(hand, kHandChoices);
  state(link, grip, seconds, speed);
}

const char* task_name(TaskKind kind) {
  switch (kind) {
    case TaskKind::kGoTo:
      return "go_to";
    case TaskKind::kReach:
      return "reach";
    case TaskKind::kPickUp:
      return "pick_up";
    case TaskKind::kPutDown:
      return "put_down";
    case TaskKind::kPushTo:
      return "push_to";
    case TaskKind::kPullTo:
      return "pull_to";
    case TaskKind::kClimb:
      return "climb";
    case TaskKind::kSitOut:
      return "sit_out";
    case TaskKind::kCarry:
      return "carry";
    case TaskKind::kHandOver:
      return "hand_over";
    case TaskKind::kTakeOver:
      return "take_over";
  }
  return "";
}

}  // namespace promenade::behaviour::tasks
