#include "behaviour/tasks/kinds/go_to.h"

#include <cmath>

namespace promenade::behaviour::tasks {

control::Goal GoTo::update(const Now& now, const Task& task, Work& work) {
  const v1::GoToParameters& p = now.parameters.go_to();
  const Vec2 way = task.point.head<2>() - now.self.position;
  Stand& stand = work.walk.stand();
  if (stage() == GoToStage::kBegins) {
    stand.place = task.point.head<2>();
    stand.heading = task.turned                     ? task.heading
                    : way.norm() > p.faces_from_m() ? std::atan2(way.y(), way.x())
                                                    : now.self.heading;
    // A worker with more to do that is not asked to turn somewhere goes on at once.
    const bool passes = !task.turned && work.more_to_do;
    work.walk.set_out(now, passes ? Approach::Manner::kPasses : Approach::Manner::kExactly);
    enter(GoToStage::kComes, work);
  }
  // Without a heading it faces the way that it comes, as long as there is one.
  if (!task.turned && way.norm() > p.faces_until_m() * now.scale())
    stand.heading = std::atan2(way.y(), way.x());
  control::Goal goal = work.walk_on(now, task.speed, work.carried.thing);
  if (work.walk.arrived()) {
    work.done(work.walk.missing());
  } else if (work.walks_too_long(now, task)) {
    work.failed("there is no way there");
  }
  return goal;
}

}  // namespace promenade::behaviour::tasks
