#pragma once

#include <span>

#include "behaviour/behaviour.h"
#include "physics/ground/ground.h"
#include "world/entity/occupants.h"

namespace promenade::world {

/// The free place nearest to `wanted` where a body of `radius` (m) can stand: even ground, no
/// obstacle, no other character and no thing too near. Looks on rings up to 15 m out and gives
/// `wanted` if there is none.
/// @param others  characters that may be in the way; `self` and absent ones are ignored
/// @param things  that may be in the way, too; null: none are
Vec2 free_place(const Vec2& wanted, double radius, const physics::GroundNow& ground,
                std::span<const behaviour::Obstacle> obstacles, const IdList<Entity>& others,
                const Entity* self, const IdList<Prop>* things = nullptr);

}  // namespace promenade::world
