#pragma once

#include "control/ahead/bars.h"
#include "control/ahead/features.h"
#include "control/ahead/gaps.h"
#include "control/ahead/relief.h"

// What lies on the way of a walker, from the ground query alone. Pure functions: the same ground,
// way and limits give the same list. They know no controller, and allocate nothing.
namespace promenade::control::ahead {

/// What a family looks for. Its parameters and the size of the body set the values.
struct Limits {
  ReliefLimits relief;
  GapLimits gaps;
  BarLimits bars;
};

/// Replaces a list by what lies between two distances along a way.
/// @param way  one of Way::through(), as a list's distances are direction().dot(point)
void find_features(const GroundView& ground, const Way& way, double from, double to,
                   const Limits& limits, Features& out);

}  // namespace promenade::control::ahead
