#pragma once

#include <memory>
#include <span>
#include <vector>

#include "behaviour/behaviour.h"
#include "physics/ground/ground.h"
#include "world/entity/entity.h"
#include "world/entity/prop.h"

namespace promenade::world {

/// The free place nearest to `wanted` where a body of `radius` (m) can stand: even ground, no
/// obstacle, no other character and no thing too near. Looks on rings up to 15 m out and gives
/// `wanted` if there is none.
/// @param others  characters that may be in the way; `self` and absent ones are ignored
Vec2 free_place(const Vec2& wanted, double radius, const physics::GroundNow& ground,
                std::span<const behaviour::Obstacle> obstacles,
                std::span<const std::unique_ptr<Entity>> others, const Entity* self,
                std::span<const std::unique_ptr<Prop>> things = {});

}  // namespace promenade::world
