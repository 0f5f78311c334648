#pragma once

#include <memory>
#include <span>
#include <vector>

#include "behaviour/behaviour.h"
#include "physics/ground.h"
#include "world/entity.h"

namespace promenade::world {

/// Finds the free place nearest to `wanted` where a body of `radius` can stand: even ground, no
/// obstacle, nobody else within reach. Looks on rings up to 15 m out; if all is taken, `wanted`.
/// @param others  those in the way; `self` among them is ignored, as are those not present
Vec2 free_place(const Vec2& wanted, double radius, const physics::GroundNow& terrain,
                std::span<const behaviour::Obstacle> obstacles,
                std::span<const std::unique_ptr<Entity>> others, const Entity* self);

}  // namespace promenade::world
