#pragma once

#include "promenade/v1/creature.pb.h"
#include "promenade/v1/style.pb.h"

// Several people may edit one style or body at once. Each of them says what they changed (`mine`)
// and from which version (`base`); values that they left alone stay as they are (`theirs`).
namespace promenade::world {

/// Field by field: mine where it differs from base, theirs otherwise. Curves of a style go by
/// joint, axis and side, factors of a body's links by the link; the points of a curve are one
/// value.
v1::Style merged(const v1::Style& base, const v1::Style& mine, const v1::Style& theirs);
v1::Creature merged(const v1::Creature& base, const v1::Creature& mine, const v1::Creature& theirs);

}  // namespace promenade::world
