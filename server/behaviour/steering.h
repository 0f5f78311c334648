#pragma once

#include "behaviour/behaviour.h"

namespace promenade::behaviour {

/// Intent to travel at `velocity` (m/s, world): the heading turns to the direction of travel, and
/// the speed waits for it, so that a character turns into its way instead of sidling along it.
/// Law: speed * max(0, cos(heading error))^2, straight ahead
/// @param resting_heading  rad, held while `velocity` is too slow to have a direction
control::Intent intent_to_travel(const Vec2& velocity, double heading, double resting_heading);

/// Intent to stand facing `heading`. Far off it the character first turns on the spot, stepping.
/// @param turning  in and out: whether a turn is under way (starts at 12 degrees, ends at 5)
control::Intent intent_to_stand(double present_heading, double heading, bool& turning);

}  // namespace promenade::behaviour
