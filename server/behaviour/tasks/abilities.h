#pragma once

#include <optional>

#include "creature/creature.h"
#include "promenade/v1/task_parameters.pb.h"

namespace promenade::behaviour::tasks {

/// What a body can do with its hands wherever it stands.
struct HandLimits {
  double lift = 0;      // kg, of the heaviest thing
  double width = 0;     // m, of the widest thing between both hands
  double reach_up = 0;  // m, of one palm over the soles
};
/// Nothing of a creature that is no biped.
std::optional<HandLimits> hand_limits(const Creature& creature, const v1::AbilityParameters& p);

}  // namespace promenade::behaviour::tasks
