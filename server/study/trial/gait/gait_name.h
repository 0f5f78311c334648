#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "study/trial/gait/footfalls.h"

namespace promenade::trial {

/// The numbers by which gaits are told from each other: Hildebrand's diagram, and for more legs
/// than four the wave that runs along each side.
struct GaitPhases {
  double duty = 0;  // mean duty factor
  /// Of left and right of each pair, mean over the pairs: 0 together, 0.5 one after the other. Legs
  /// without pairs: 0.
  double sides = 0;
  double spread =
      0;  // the least of the pairs' distances, as a gallop's fore and hind pair differ from both
  double front = 0,
         back = 0;  // phase of left after right of the first pair and of the last, 0 to 1
  /// By which a leg is later than the one behind it on the same side, share of a stride, mean over
  /// the neighbours, 0 to 1.
  double lag = 0;
  double airborne = 0;  // share of the time
};

GaitPhases phases_of(const Legs& legs, const Footfalls& footfalls);

/// A gait with a name.
struct GaitKind {
  std::string_view name;         // "trot"
  std::string_view description;  // for people
  /// How near a gait is to it, 0 to 1: 1 where its phases are those of the name.
  double (*likeness)(const GaitPhases& phases, std::size_t legs, std::size_t pairs);
};

/// All kinds. A new one is a line in gait_name.cpp.
std::span<const GaitKind> gait_kinds();

/// The name of a gait by its footfalls: the kind that it is most like.
/// Source: Hildebrand, "Symmetrical gaits of horses", 1965 (duty factor and lag); Panne1996, figure
/// 12 and table 2
/// @return "stands" where a leg never steps, "shuffle" where it is like none, as one of which half
/// of the legs step once a stride and the others twice
std::string_view gait_name(const Legs& legs, const Footfalls& footfalls);

}  // namespace promenade::trial
