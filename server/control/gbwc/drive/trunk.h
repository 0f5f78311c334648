#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Targets of trunk and head by the style. They change slowly, so this runs every kPoseTime only.
void pose_trunk(const Frame& f, TrunkState& trunk);
void drive_trunk(const Frame& f);
/// How the pelvis should be turned, world.
Quat pelvis_target(const Frame& f);

}  // namespace promenade::control::gbwc
