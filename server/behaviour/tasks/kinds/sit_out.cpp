#include "behaviour/tasks/kinds/sit_out.h"

namespace promenade::behaviour::tasks {

control::Goal SitOut::update(const Now& now, const Task& task, Work& work) {
  control::Goal goal = work.stand_by(now);
  if (work.attempt.clock >= task.seconds) work.done(0);
  return goal;
}

}  // namespace promenade::behaviour::tasks
