#pragma once

#include <vector>

#include "behaviour/tasks/task.h"

namespace promenade::behaviour::tasks {

/// Tasks that are done one after another.
class TaskList {
 public:
  /// @pre at most kMostTasks
  explicit TaskList(std::vector<Task> tasks = {}, bool repeat = false)
      : tasks_(std::move(tasks)), repeat_(repeat) {}

  /// Adds tasks. What is done is forgotten unless the list repeats, so that it does not grow.
  void append(const std::vector<Task>& tasks);
  /// @param first  that is begun
  /// @pre first <= tasks.size()
  void replace(std::vector<Task> tasks, bool repeat, std::size_t first);
  /// The present one is over.
  void advance();

  const std::vector<Task>& all() const { return tasks_; }
  std::size_t current() const { return current_; }
  bool repeats() const { return repeat_; }
  /// Whether they are not all over.
  bool has_work() const { return current_ < tasks_.size(); }
  /// @pre has_work()
  const Task& present() const { return tasks_[current_]; }
  bool present_is_last() const { return current_ + 1 >= tasks_.size(); }
  void visit(StateVisitor& state);

 private:
  std::vector<Task> tasks_;
  bool repeat_ = false;
  std::size_t current_ = 0;
};

}  // namespace promenade::behaviour::tasks
