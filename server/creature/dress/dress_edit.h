#pragma once

#include "math/types.h"
#include "promenade/v1/creature.pb.h"

namespace promenade {

/// Scales an ornament as the link that it is on: radii by the cube root of the growth of volume.
/// @param factors  of the link along its axes
void scale_ornament(v1::Ornament* ornament, const Vec3& factors);

}  // namespace promenade
