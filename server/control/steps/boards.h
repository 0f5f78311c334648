#pragma once

#include "control/steps/situation.h"

namespace promenade::control::steps {

/// Where the ankle stands with the toes right before a board, and with the heel right behind it, m
/// along the way. The stance knee moves on as the body does, and the shank of a leading leg leans
/// back: both need more room at a higher board.
double place_before(const Situation& now, const ahead::Feature& board, int side);
double place_behind(const Situation& now, const ahead::Feature& board, int side);

}  // namespace promenade::control::steps
