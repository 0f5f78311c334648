#include "service/http/task_list.h"

#include "promenade/v1/task.pb.h"
#include "service/http/http_answers.h"
#include "world/command/task_message.h"

namespace promenade::service {

net::HttpResponse task_list(const world::Snapshot& snapshot, world::CharacterId character) {
  v1::TaskList out;
  out.set_character(character);
  out.set_tick(snapshot.tick);
  for (const world::TaskListSnapshot& list : snapshot.task_lists) {
    if (list.id != character) continue;
    for (const behaviour::tasks::Task& task : list.tasks) world::write_task(task, *out.add_tasks());
    out.set_current(list.current);
    out.set_repeat(list.repeat);
    for (const world::CharacterId id : list.shared_by) out.add_shared_by(id);
    for (const auto& [state, by] : list.progress) {
      v1::TaskProgress& progress = *out.add_progress();
      progress.set_state(static_cast<v1::TaskProgress::State>(state));
      progress.set_character(by);
    }
  }
  return json_response(200, out);
}

}  // namespace promenade::service
