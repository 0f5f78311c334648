#pragma once

#include <span>

#include "physics/dynamics/work.h"

// Private to physics/: the response of a body to impulses on some of its links.
namespace promenade::physics {

/// Inverse inertias in operational space, servos included (Featherstone 2008, chapter 7, and
/// Kreutz-Delgado, Jain, Rodriguez 1992): the velocity that each link gets from a unit impulse on
/// each. @pre prepare_dynamics has run
/// @param links ascending
/// @param out   [links][links] velocity of the first link for a unit impulse on the second
void respond(const ArticulatedBody::Work& w, std::span<const int> links, SpatialMatrix* out);

}  // namespace promenade::physics
