#pragma once

#include "promenade/v1/scene.pb.h"
#include "schema/check.h"
#include "world/command/command.h"

namespace promenade::world {

/// Checks a scene's camera and its shots, which the page carries out; errors go to the checker.
/// @param bodies  characters and things of the scene, which shots name by their numbers
/// @return  where the camera stands at first; of no use where the checker has an error
View check_camera(const v1::Scene& scene, int bodies, schema::Checker& check);

inline constexpr int kMostShots = 30;
inline constexpr int kMostShotSubjects = 20;  // all are in one picture

}  // namespace promenade::world
