#include "behaviour/tasks/parts/work.h"

namespace promenade::behaviour::tasks {

void Work::let_go() {
  for (HandOrder& order : orders) order = {HandOrder::Kind::kLetGo, 0, Vec3::Zero()};
}

control::Goal Work::stand_by(const Now& now) {
  control::Goal goal = rest.update(now);
  hold_carried(now, carried, &goal);
  return goal;
}

void Work::visit(StateVisitor& state) {
  attempt.visit(state);
  walk.visit(state);
  rest.visit(state);
  carried.visit(state);
  haul_stance.visit(state);
}

}  // namespace promenade::behaviour::tasks
