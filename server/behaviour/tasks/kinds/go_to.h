#pragma once

#include "behaviour/tasks/kinds/skill.h"

namespace promenade::behaviour::tasks {

enum class GoToStage : std::uint8_t { kBegins, kComes };

/// Walks to a place, or over what has to be climbed on the way there.
class GoTo final : public StagedSkill<GoToStage, 2> {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
};

}  // namespace promenade::behaviour::tasks
