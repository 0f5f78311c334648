#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

void drive_arms(const Frame& f, const Goal& goal, ArmsState& arms);
Vec3 palm(const Frame& f, int side);

}  // namespace promenade::control::gbwc
