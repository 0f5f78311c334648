#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Shift of the weight from foot to foot while standing for long (§5.1), -1 to 1: +1 is all of it
/// on the left foot.
double idle_shift(const Frame& f);
/// Where a standing person looks, rad to the left of the chest: at one thing after another, each
/// person at others.
double idle_look(const Frame& f);
void breathe(const Frame& f, double dt, IdleState& idle);

}  // namespace promenade::control::gbwc
