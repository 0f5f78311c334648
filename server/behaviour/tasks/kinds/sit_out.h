#pragma once

#include "behaviour/tasks/kinds/skill.h"

namespace promenade::behaviour::tasks {

/// Stands for some seconds.
class SitOut final : public Skill {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
  void begin_again() override {}
  Phase phase() const override { return Phase::kBegins; }
  void visit(StateVisitor& state) override { (void)state; }
};

}  // namespace promenade::behaviour::tasks
