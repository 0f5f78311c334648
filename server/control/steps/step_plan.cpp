#include "control/steps/step_plan.h"

#include "control/ahead/features.h"

namespace promenade::control::steps {

void StepPlan::visit(StateVisitor& state) {
  state.choice(kind, kStepKinds);
  state(place, limit, speed, height, edge);
  state.optional_index(board, ahead::capacity(ahead::FeatureKind::kBoard));
}

}  // namespace promenade::control::steps
