#pragma once

#include <string>

#include "promenade/v1/creature.pb.h"
#include "schema/check.h"

// Parts of check_creature: how the links of a creature hang together. Each notes the first error.
namespace promenade {

inline constexpr double kFarthest = 50;  // m, of anything from its link's origin

/// The text for an enumeration's number in a refusal; 0 is a field that was left out: "nothing".
std::string given_kind(int number);

/// An axis of length 1 where there has to be one, else none.
void check_axis(schema::Checker* check, const std::string& key,
                const google::protobuf::RepeatedField<double>& axis, bool has_axis);

/// All names differ, there is one root, every other link has one joint, there is no cycle, and
/// there is a shape.
void check_tree(schema::Checker* check, const v1::Creature& creature);

/// Limbs are chains of links, no link is in two of them, and soles have shapes.
/// @pre check_tree finds nothing
void check_limbs(schema::Checker* check, const v1::Creature& creature);

/// Ties between two points of the creature. @pre check_tree finds nothing
void check_ties(schema::Checker* check, const v1::Creature& creature);

}  // namespace promenade
