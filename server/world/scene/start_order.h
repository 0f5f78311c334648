#pragma once

#include <string>

#include "behaviour/kinds.h"
#include "promenade/v1/scene.pb.h"
#include "schema/check.h"

namespace promenade::world {

/// Whether a scene tells somebody to do something from the start, besides to stand.
bool is_told_something(const v1::Placement& message);

/// What a scene tells somebody to do from the start: to stand, or one of speed_mps, path, wander
/// and order. All but the first are commands, and are read and checked as commands are.
/// @param key  of the placement, for errors
behaviour::Order read_start_order(const std::string& key, const v1::Placement& message,
                                  schema::Checker& check);

}  // namespace promenade::world
