#pragma once

#include "control/steps/situation.h"

namespace promenade::control::steps {

/// The next riser or drop ahead of the stance foot that is one of a flight, with no board before
/// it; -1: none. Single steps and wide ones are walked onto.
int next_riser(const Situation& now);
int next_drop(const Situation& now);
/// Where the ankle is to be on the tread behind a riser, or behind a drop, m along the way.
double place_on_tread(const Situation& now, int riser, int side);
double place_below(const Situation& now, int drop, int side);
/// The way to a first tread in equal steps, of which the last but one does not go beyond `stop`: no
/// tiny step is left over. m along the way.
/// @param longest  m, of a step
bool near_flight(const Situation& now, double stop, double first, double longest, StepPlan& plan);

}  // namespace promenade::control::steps
