#include "behaviour/tasks/task_list.h"

namespace promenade::behaviour::tasks {

void TaskList::append(const std::vector<Task>& tasks) {
  if (!repeat_) {
    tasks_.erase(tasks_.begin(), tasks_.begin() + std::ptrdiff_t(current_));
    current_ = 0;
  }
  tasks_.insert(tasks_.end(), tasks.begin(), tasks.end());
}

void TaskList::replace(std::vector<Task> tasks, bool repeat, std::size_t first) {
  tasks_ = std::move(tasks);
  repeat_ = repeat;
  current_ = first;
}

void TaskList::advance() {
  ++current_;
  if (current_ == tasks_.size() && repeat_) current_ = 0;
}

void TaskList::visit(StateVisitor& state) {
  state.length(tasks_, kMostTasks);
  for (Task& task : tasks_) task.visit(state);
  state(repeat_);
  state.choice(current_, kMostTasks + 1);
  if (state.reading() && current_ > tasks_.size()) {
    current_ = tasks_.size();
    state.fail("does a task that it does not have");
  }
}

}  // namespace promenade::behaviour::tasks
