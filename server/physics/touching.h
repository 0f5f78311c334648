#pragma once

#include <span>

#include "physics/articulated_body.h"

namespace promenade::physics {

/// [contacts of the body] place in the island of the body that it touches, -1 of the ground. Known
/// after a step; empty once the state was set or read, or the body fell asleep.
std::span<const int> partners(ArticulatedBody& body);

}  // namespace promenade::physics
