#pragma once

#include <span>
#include <vector>

#include "physics/collision/broad_phase.h"
#include "physics/constraints/solver.h"
#include "physics/dynamics/batch.h"
#include "physics/workspace.h"

// Private to physics/: the content of a workspace.
namespace promenade::physics {

/// Island after island, as in step_islands.
struct IslandList {
  std::vector<ArticulatedBody*> bodies;
  std::vector<int> ends;
  std::vector<ArticulatedBody*> awake;  // of `bodies`
  std::vector<Tie*> ties;               // island after island
  std::vector<int> tie_ends;            // [islands]

  /// Empties it and makes room for so many bodies and ties. Allocates only for more than ever
  /// before.
  void clear(std::size_t body_room, std::size_t tie_room);
  void add(std::span<ArticulatedBody* const> island);
  /// Takes those of `all` whose bodies are in this list, island after island, in the order of
  /// `all`. @pre all bodies are added
  /// @param in_parts whether this list's bodies are those that are stepped in parts
  void take_ties(std::span<Tie* const> all, bool in_parts);
};

struct Workspace::Buffers {
  IslandList coarse, fine;  // islands of the step: whole, and in parts
  Batches batches;          // of the bodies between prepare_dynamics and integrate
  BroadPhase broad_phase;
  Solver solver;
};

}  // namespace promenade::physics
