#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Where the swing ankle will land if the COM goes on as it does, world.
Vec2 landing(const Frame& f);
/// Moves the goal of the swing foot along the heading to where the whole sole finds ground, as
/// near as there is such a place.
void choose_foothold(const Frame& f, double dt, SwingState& swing);

}  // namespace promenade::control::gbwc
