#pragma once

#include "promenade/v1/creature.pb.h"
#include "schema/check.h"

namespace promenade {

/// Checks what the page draws besides the shapes, coats and ornaments: the links exist, colours are
/// colours, sizes are within bounds. Notes the first error.
/// @pre check_tree finds nothing
void check_dress(schema::Checker* check, const v1::Creature& creature);

}  // namespace promenade
