#pragma once

#include "control/ahead/features.h"
#include "control/ahead/ground_view.h"
#include "control/ahead/way.h"

namespace promenade::control::ahead {

/// What counts as a gap, m.
struct GapLimits {
  double depth = 0;    // by which the ground falls at least; 0: no gaps are looked for
  double span = 0;     // the widest; where the ground comes back later it is no gap
  double spacing = 0;  // between places that are looked at; smaller finds narrower gaps
};

/// The depth that a gap without a floor has in the list, m.
inline constexpr double kBottomless = 100;

/// Finds the gaps that begin between two distances along a way, and adds them to a list. The ground
/// is looked at along both sides of the lane; the lower one counts.
/// Law: a gap begins where the ground is lower by more than `depth` than at the place before, or is
///      missing, and ends where it is within `depth` of that height again
void find_gaps(const GroundView& ground, const Way& way, double from, double to,
               const GapLimits& limits, Features& out);

}  // namespace promenade::control::ahead
