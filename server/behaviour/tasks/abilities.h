#pragma once

#include <optional>

#include "creature/creature.h"

namespace promenade::behaviour::tasks {

inline constexpr double kMostOfMass = 0.6;  // of the body's own mass, that it lifts or takes over
inline constexpr double kHandForce = 400;   // N, that a hand holds at most
inline constexpr double kTooWide = 0.8;     // of the arm's length: half width between the hands
inline constexpr double kHighest = 0.97;  // of the arm's length, that a palm comes over a shoulder
// Of half the width of the shoulders: by so much one of them is raised over the other.
inline constexpr double kTilt = 0.35;

/// What a body can do with its hands wherever it stands.
struct HandLimits {
  double lift = 0;      // kg, of the heaviest thing
  double width = 0;     // m, of the widest thing between both hands
  double reach_up = 0;  // m, of one palm over the soles
};
/// Nothing of a creature that is no biped.
std::optional<HandLimits> hand_limits(const Creature& creature);

}  // namespace promenade::behaviour::tasks
