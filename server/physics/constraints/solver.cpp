#include "physics/constraints/solver.h"

#include <algorithm>

#include "physics/buffers.h"

namespace promenade::physics {
namespace {

// m/s, an iteration that changes no point by more ends it. The rest is left to the next step's warm
// start: docs/decisions/0003-links-not-coordinates.md.
constexpr double kSettled = 3e-4;

}  // namespace

void Solver::solve_group(std::size_t from, std::size_t end, int iterations) {
  const auto& runs = contacts_.runs;
  for (std::size_t r = from; r < end; ++r) contacts_.start_warm(runs[r], links_);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double greatest = 0;
    for (std::size_t r = from; r < end; ++r) {
      greatest = std::max(greatest, contacts_.solve(runs[r], links_));
    }
    if (greatest <= kSettled) break;
  }
}

void Solver::solve(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                   const StepSettings& settings) {
  links_.make_room(bodies.size());
  contacts_.make_room(bodies.size());
  links_.fill(bodies);
  ContactRows::join(bodies, links_);
  contacts_.make(bodies, terrain, settings, links_);
  // Each group stops by itself: others in the island make no difference to it.
  const auto& runs = contacts_.runs;
  for (std::size_t from = 0, end = 0; from < runs.size(); from = end) {
    while (end < runs.size() && runs[end].group == runs[from].group) ++end;
    solve_group(from, end, settings.iterations);
  }
  contacts_.finish(bodies, settings, links_);
  links_.apply(bodies);
}

void solve_contacts(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                    const StepSettings& settings, Workspace& workspace) {
  workspace.buffers().solver.solve(bodies, terrain, settings);
}

}  // namespace promenade::physics
