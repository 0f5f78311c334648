#pragma once

#include <functional>
#include <vector>

#include "math/types.h"
#include "physics/articulation.h"

namespace promenade::trial {

/// Where the links of a body are, in the world.
/// @param coordinate  of its joints, as in a Snapshot
/// @param links       [links] of the model
void place_links(const physics::ArticulationModel& model, const Pose& root,
                 const std::function<double(std::size_t)>& coordinate, std::vector<Pose>& links);

}  // namespace promenade::trial
