#pragma once

#include <span>
#include <string_view>

#include "control/steps/situation.h"

namespace promenade::control::steps {

struct NamedPlanner {
  std::string_view name;
  Planner plan;
};

/// All planners, the one that wins first. A new one is a file beside this and an entry in
/// planners.cpp.
std::span<const NamedPlanner> planners();

/// The plan of the first planner that has one; on course where none has.
StepPlan plan_step(const Situation& now, const StepPlan& before);

}  // namespace promenade::control::steps
