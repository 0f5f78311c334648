#pragma once

#include <optional>

#include "control/controller.h"
#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Of who stands: the foot on which a first step begins now, where one is asked for and the weight
/// is shifted, where the body falls, or where a foot hangs in the air; none: it stands on.
std::optional<int> sets_out(const Frame& f, const Goal& goal, double dt, StepState& step,
                            StandState& stand, IdleState& idle);
/// Whether a walk that is to stop ends with the step that has just begun: at foot-strike, slow, and
/// with the COM between the feet.
bool comes_to_rest(const Frame& f, const Goal& goal);

}  // namespace promenade::control::gbwc
