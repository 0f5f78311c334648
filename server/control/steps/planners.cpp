#include "control/steps/planners.h"

namespace promenade::control::steps {

bool plan_over(const Situation& now, const StepPlan& before, StepPlan& plan);
bool plan_up(const Situation& now, const StepPlan& before, StepPlan& plan);
bool plan_down(const Situation& now, const StepPlan& before, StepPlan& plan);
bool plan_near_drop(const Situation& now, const StepPlan& before, StepPlan& plan);
bool plan_near_riser(const Situation& now, const StepPlan& before, StepPlan& plan);
bool plan_near_board(const Situation& now, const StepPlan& before, StepPlan& plan);

namespace {

// A step that crosses something wins over one that only nears something. What lies before a flight
// is stepped over first: planners of flights look for boards before them.
constexpr NamedPlanner kPlanners[] = {
    {"over", &plan_over},
    {"up", &plan_up},
    {"down", &plan_down},
    {"near_drop", &plan_near_drop},
    {"near_riser", &plan_near_riser},
    {"near_board", &plan_near_board},
};

}  // namespace

std::span<const NamedPlanner> planners() { return kPlanners; }

StepPlan plan_step(const Situation& now, const StepPlan& before) {
  for (const NamedPlanner& planner : kPlanners) {
    StepPlan plan;
    if (planner.plan(now, before, plan)) return plan;
  }
  return {};
}

}  // namespace promenade::control::steps
