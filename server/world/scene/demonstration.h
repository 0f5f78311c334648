#pragma once

#include "control/gbwc/style_library.h"
#include "creature/creature_library.h"
#include "promenade/v1/scene.pb.h"
#include "schema/check.h"

namespace promenade::world {

/// Checks the steps of a scene's demonstration, which the page carries out; errors go to the
/// checker.
void check_demonstration(const v1::Scene& scene, const CreatureLibrary& bodies,
                         const CreatureLibrary& things, const StyleLibrary& styles,
                         schema::Checker& check);

inline constexpr int kMostDemonstrationSteps = 30;
inline constexpr int kLongestSentence = 120;  // characters, not bytes

}  // namespace promenade::world
