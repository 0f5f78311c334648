#pragma once

#include "behaviour/tasks/parts/approach.h"
#include "behaviour/tasks/parts/box_sides.h"
#include "behaviour/tasks/parts/now.h"

// Where somebody stands who takes something or puts it down. SI.
namespace promenade::behaviour::tasks {

inline constexpr double kBeforeToes = 0.07;  // m, that stay free between toes and thing
inline constexpr double kBeforeStack =
    0.21;                                  // m, likewise, before something that stands on another
inline constexpr double kLight = 0.1;      // of one's own mass: more has to be taken from near by
inline constexpr double kLowerTime = 0.9;  // s, in which a thing comes down
// m, over the soles, between which it stands on a stack: what is higher stands on a table or shelf.
inline constexpr double kRaised = 0.15, kOnTable = 0.65;
inline constexpr double kLevel = 0.08;  // m, by which the ground may differ where one stands

/// Whether something at this height stands on others, but on no table or shelf.
bool on_stack(const BodySeen& body, double height, double scale);

/// Where to stand before a side of something that stays `height` free of others there, or nothing.
/// @param middle  of the thing, on the ground
/// @param before  m, of a human, that stay free before the toes
bool stand_before(const Workplace& place, const BodySeen& body, double scale, const Vec2& middle,
                  const BoxSide& side, ThingId except, double before, Stand* stand);

/// Whether the deepest stoop does not bring the hands down to a place before where one stands.
/// @param middle  between the palms
/// @param apart   m, of the palms
bool too_low(const Now& now, const Stand& stand, const Vec3& middle, double apart);

/// m, of its box.
double lowest_of(const ThingSeen& thing);

}  // namespace promenade::behaviour::tasks
