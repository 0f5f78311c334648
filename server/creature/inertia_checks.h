#pragma once

#include <string>

#include "promenade/v1/creature.pb.h"
#include "schema/check.h"

namespace promenade {

/// Checks that a link's mass within its shapes can have its moments of inertia.
/// Law: no moment exceeds the sum of the other two. About each axis through the centre of mass,
///      the moment is a share of m r^2, r the greatest distance of a point of the shapes from the
///      axis: of a solid box 1/3, of a ball 2/5, of a hoop 1. Less than kLeastShare makes a shape
///      that lands on a corner spin up without end: the solver then makes energy. Links without
///      shapes touch nothing, and only the sum counts.
/// @pre mass and moments are finite and positive, and the shapes have been checked
void check_inertia(schema::Checker* check, const std::string& key, const v1::Link& link);

}  // namespace promenade
