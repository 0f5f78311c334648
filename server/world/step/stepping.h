#pragma once

#include <span>
#include <vector>

#include "physics/articulated_body.h"
#include "physics/ground/ground.h"
#include "physics/tie.h"
#include "world/entity/occupant.h"

namespace promenade::world {

/// Substeps of one tick, shared by the workers.
struct StepContext {
  const physics::Ground* ground = nullptr;
  physics::StepSettings settings;  // its time is that of the substep to come
  int substeps = 8;
  const physics::Tops* tops = nullptr;  // of things, for those that the physics does not move

  physics::GroundNow ground_now() const { return {*ground, settings.time, tops}; }
};

/// A tie that acts in this tick.
struct ActiveTie {
  int island = 0;
  physics::Tie* tie = nullptr;
};

/// Buffers for stepping a tick; kept from tick to tick so that nothing is allocated.
struct StepScratch {
  std::vector<Occupant*> alive;
  std::vector<physics::ArticulatedBody*> bodies;
  std::vector<int> ends;
  std::vector<physics::Tie*> ties;
  physics::Workspace workspace;
  double control_s = 0, physics_s = 0;  // time spent is added
};

/// Steps islands through all substeps of a tick, then calls settle() of their members. A member
/// with a state that stops being sound in a substep is marked `broke` and left out of the rest.
/// Allocates nothing once the scratch has grown.
/// @param members island after island, as `Occupant::island` says
/// @param ties    of these members, by island
void step_through_tick(std::span<Occupant* const> members, std::span<const ActiveTie> ties,
                       const StepContext& context, StepScratch& scratch);

}  // namespace promenade::world
