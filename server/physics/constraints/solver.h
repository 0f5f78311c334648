#pragma once

#include <span>

#include "physics/constraints/contact_rows.h"
#include "physics/constraints/tie_rows.h"
#include "physics/constraints/touched_links.h"

namespace promenade::physics {

/// Projected Gauss-Seidel over all constraints of an island. A constraint is solved on the links
/// that it touches; the impulses are then passed on to the other touched links of their bodies
/// before those are solved. In exact arithmetic this is Gauss-Seidel on all coordinates.
/// Nothing but allocated memory stays in it from one call to the next.
class Solver {
 public:
  /// Changes the velocities of an island's bodies, writes forces into points and ties.
  /// @pre collide and prepare_dynamics with the same bodies
  void solve(std::span<ArticulatedBody* const> bodies, std::span<Tie* const> ties,
             const StepSettings& settings);

 private:
  /// The rows of bodies that hang together, which follow each other in the lists.
  struct Group {
    std::span<ContactRun> contacts;
    std::span<TieBlock> ties;
    double thinnest;  // m, of its hard bodies; infinite without any
  };
  void solve_group(const Group& group, int iterations);

  TouchedLinks links_;
  ContactRows contacts_;
  TieRows ties_;
};

}  // namespace promenade::physics
