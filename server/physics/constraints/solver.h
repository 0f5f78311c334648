#pragma once

#include <span>

#include "physics/constraints/contact_rows.h"
#include "physics/constraints/tie_rows.h"
#include "physics/constraints/touched_links.h"

namespace promenade::physics {

/// Projected Gauss-Seidel over all constraints of an island. A constraint is solved on the links it
/// touches, and what these were given goes on to their bodies' other touched links before those are
/// solved: in exact arithmetic that is Gauss-Seidel on all coordinates.
/// It holds nothing from one call to the next but the room it has made.
class Solver {
 public:
  /// Changes the velocities of an island's bodies, writes forces into points and ties.
  /// @pre collide and prepare_dynamics with the same bodies
  void solve(std::span<ArticulatedBody* const> bodies, std::span<Tie* const> ties,
             const StepSettings& settings);

 private:
  /// Bodies that hang together: rows that follow each other.
  struct Group {
    std::span<ContactRun> contacts;
    std::span<TieBlock> ties;
  };
  void solve_group(const Group& group, int iterations);

  TouchedLinks links_;
  ContactRows contacts_;
  TieRows ties_;
};

}  // namespace promenade::physics
