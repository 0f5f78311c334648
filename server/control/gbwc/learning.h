#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Measures the step that ends, and corrects the phase at which steps end and the place of the
/// footholds by it. A step that was cut short slows the walk down.
/// @param next_stance  the foot that has landed
void learn_from_step(const Frame& f, int next_stance, StepState& step, CourseState& course,
                     LearntState& learnt, ControlReport& report);

}  // namespace promenade::control::gbwc
