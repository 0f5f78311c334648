#pragma once

#include "behaviour/tasks/task.h"
#include "promenade/v1/task.pb.h"

namespace promenade::world {

/// A task as the message that gives it.
void write_task(const behaviour::tasks::Task& task, v1::Task& m);

}  // namespace promenade::world
