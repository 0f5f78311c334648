// The way to a board, divided into equal steps. Source: not in Coros2010.
#include <algorithm>
#include <cmath>

#include "control/steps/boards.h"

namespace promenade::control::steps {

/// Right before the next board in the last of these steps.
bool plan_near_board(const Situation& now, const StepPlan&, StepPlan& plan) {
  const v1::GbwcNear& p = now.p.near();
  for (const ahead::Feature& board : now.features.of(ahead::FeatureKind::kBoard)) {
    if (now.lifted > board.middle()) continue;
    const double place = place_before(now, board, now.swing()), left = place - now.from;
    const double brisk = p.pace_mps() * now.time_scale, usual = brisk * now.step_time;
    if (left >= p.steps_ahead() * usual) return false;
    const double count = std::max(1.0, std::ceil(left / usual - p.stretched()));
    plan.kind = StepKind::kNearBoard;
    plan.limit = place;
    plan.place = now.from + std::max(0.0, left) / count;
    plan.speed =
        std::min(std::max(0.0, plan.place - now.from) / now.step_time, p.fastest_pace() * brisk);
    return true;
  }
  return false;
}

}  // namespace promenade::control::steps
