#pragma once

#include "promenade/v1/creature.pb.h"
#include "schema/check.h"

// How the links of a creature hang together; parts of check_creature. Each notes the first error.
namespace promenade {

/// Names that differ, one root, one joint to every other link, no cycle, a shape to touch with.
void check_tree(schema::Checker* check, const v1::Creature& creature);

/// Limbs that are chains of links, no link in two of them, soles that have shapes.
/// @pre check_tree finds nothing
void check_limbs(schema::Checker* check, const v1::Creature& creature);

/// Ties between two points of the creature. @pre check_tree finds nothing
void check_ties(schema::Checker* check, const v1::Creature& creature);

}  // namespace promenade
