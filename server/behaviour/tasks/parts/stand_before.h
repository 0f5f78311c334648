#pragma once

#include "behaviour/tasks/parts/approach.h"
#include "behaviour/tasks/parts/box_sides.h"
#include "behaviour/tasks/parts/now.h"

// Where somebody stands who takes something or puts it down. SI.
namespace promenade::behaviour::tasks {

/// Whether something at this height stands on others, but on no table or shelf.
bool on_stack(const Now& now, double height);

/// Where to stand before a side of something that stays `height` free of others there, or nothing.
/// @param middle  of the thing, on the ground
/// @param before  m, of a human, that stay free before the toes
bool stand_before(const Now& now, const Vec2& middle, const BoxSide& side, ThingId except,
                  double before, Stand* stand);

/// Whether the deepest stoop does not bring the hands down to a place before where one stands.
/// @param middle  between the palms
/// @param apart   m, of the palms
bool too_low(const Now& now, const Stand& stand, const Vec3& middle, double apart);

/// m, of its box.
double lowest_of(const ThingSeen& thing);

}  // namespace promenade::behaviour::tasks
