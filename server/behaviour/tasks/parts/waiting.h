#pragma once

#include <optional>

#include "behaviour/tasks/parts/work.h"

namespace promenade::behaviour::tasks {

/// Staying out of the way of others until one may set to work.
class Waiting {
 public:
  /// @param place  where about, m; none: it may set to work
  /// @return whether that it waits, or not, is new
  bool wait_at(const std::optional<Vec2>& place);
  void end() { waits_ = false; }
  bool waits() const { return waits_; }
  /// Walks to about that place and stands there.
  control::Goal update(const Now& now, Work& work);
  void visit(StateVisitor& state) { state(waits_, goes_, place_, near_); }

 private:
  bool waits_ = false;
  bool goes_ = false;          // it has set out
  Vec2 place_ = Vec2::Zero();  // m
  Vec2 near_ = Vec2::Zero();   // m, place for which it has set out
};

}  // namespace promenade::behaviour::tasks
