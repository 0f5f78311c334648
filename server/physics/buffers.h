#pragma once

#include <span>
#include <vector>

#include "physics/constraints/solver.h"
#include "physics/dynamics/batch.h"
#include "physics/workspace.h"

// Private to physics/: what is in a workspace.
namespace promenade::physics {

/// Island after island, as in step_islands.
struct IslandList {
  std::vector<ArticulatedBody*> bodies;
  std::vector<int> ends;

  /// Empties it, with room for so many bodies: only more than ever before allocate.
  void clear(std::size_t room);
  void add(std::span<ArticulatedBody* const> island);
};

struct Workspace::Buffers {
  IslandList coarse, fine;  // islands of the step: whole, and in parts
  Batches batches;          // of the bodies between prepare_dynamics and integrate
  Solver solver;
};

}  // namespace promenade::physics
