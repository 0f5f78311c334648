#pragma once

#include "behaviour/tasks/parts/approach.h"
#include "behaviour/tasks/parts/box_sides.h"
#include "behaviour/tasks/parts/now.h"

// Where somebody stands to reach something. SI.
namespace promenade::behaviour::tasks {

struct ReachTarget;

/// m, half the width between the shoulders, level.
double half_shoulders(const BodySeen& body);

/// Level distance from the feet to a point of a height, where one stands to reach it, m.
double distance_for(const Now& now, double height);

/// How far from the middle between two palms one stands who comes along `side`, on free ground, m;
/// 0: nowhere.
/// @param aside  m, of the palms from there
double distance_before(const Now& now, const ThingSeen& thing, const BoxSide& side, double aside);

/// Whether nothing is there that is higher or lower than a step.
/// @param ahead  where it would face, unit length
bool free_to_stand(const Now& now, const Vec2& feet, const Vec2& ahead);

/// Stands beside a point that moves along, facing the way that it goes.
/// @param left  whether the left hand reaches for it, or the right one
void stand_beside(const Now& now, const ReachTarget& to, bool left, Stand& stand);

/// Turns the way to come to a point until there is free ground before it.
/// @param distance, out  m, of the point before the feet and to their left
void stand_on_free_ground(const Now& now, const Vec2& to, const Vec2& ahead_and_left, Stand& stand);

}  // namespace promenade::behaviour::tasks
