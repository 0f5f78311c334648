#pragma once

#include <memory>

#include "control/pendulum/gait_table.h"
#include "control/registry.h"

namespace promenade::control::pendulum {

/// Walks the creature in full physics at several speeds on level ground, and measures. Takes some
/// tenths of a second. Same creature, style and parameters give the same table.
/// @param walk  setup of the family gbwc; @pre biped_of(*walk.creature) is ok
/// @return at least the pose of a standing body; speeds at which it falls are left out
std::shared_ptr<const GaitTable> measure_gait(const ControllerSetup& walk);

}  // namespace promenade::control::pendulum
