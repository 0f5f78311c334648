#pragma once

#include "creature/creature_library.h"
#include "schema/check.h"
#include "world/scene/scene.h"

namespace promenade::world {

/// Reads the things, heaps and ties of a scene into `scene`; errors go to the checker.
/// @pre the scene's characters and crowds are there
void read_things(const v1::Scene& message, const CreatureLibrary& things, Scene& scene,
                 schema::Checker& check);

/// Checks that the bodies which a tie or a scripted command names are in the scene.
/// @param message  of the tie or command
/// @param key  of that message, as in "ties[2]"
/// @pre the scene's characters and things are there
bool check_numbers(const google::protobuf::Message& message, const std::string& key,
                   const Scene& scene, schema::Checker& check);

inline constexpr double kHeaviestInHeap = 30;  // kg, of things in a heap that names none

}  // namespace promenade::world
