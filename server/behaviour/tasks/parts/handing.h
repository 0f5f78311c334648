#pragma once

#include "behaviour/tasks/parts/now.h"

// Numbers on which who hands something over and who takes it have to agree.
namespace promenade::behaviour::tasks {

inline constexpr double kNearerTaker =
    0.35;  // of the half depth, by which the taker's hands hold nearer to the taker
inline constexpr double kHandsAway = 0.5;  // s

}  // namespace promenade::behaviour::tasks
