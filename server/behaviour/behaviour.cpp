#include "behaviour/behaviour.h"

#include "behaviour/direct.h"
#include "behaviour/flow/on_errand.h"
#include "behaviour/path_follower.h"
#include "behaviour/tasks/worker.h"
#include "behaviour/wander.h"

namespace promenade::behaviour {

std::unique_ptr<Behaviour> make_behaviour(BehaviourKind kind) {
  switch (kind) {
    case BehaviourKind::kDirect:
      return std::make_unique<Direct>(0);
    case BehaviourKind::kPath:
      return std::make_unique<PathFollower>(std::vector<Vec2>{Vec2::Zero()}, false, 0);
    case BehaviourKind::kWander:
      return std::make_unique<Wander>(Vec2::Zero(), 1, Random());
    case BehaviourKind::kErrand:
      return std::make_unique<flow::OnErrand>();
    case BehaviourKind::kTasks:
      return std::make_unique<tasks::Worker>(std::vector<tasks::Task>{}, false);
  }
  return nullptr;
}

}  // namespace promenade::behaviour
