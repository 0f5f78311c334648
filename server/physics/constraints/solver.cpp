#include "physics/constraints/solver.h"

#include <algorithm>

#include "physics/buffers.h"

namespace promenade::physics {
namespace {

/// The sweep ends after an iteration that changes no velocity by more, m/s. The rest is left to the
/// next step, which starts from this one's impulses: docs/decisions/0003-links-not-coordinates.md.
/// Thin things need a smaller limit: a tower of small cubes leans by what is left.
double settled(double thinnest) {
  constexpr double kSettled = 3e-4;
  constexpr double kUsual = 0.5;  // m, thickness for which that is enough
  return kSettled * std::min(1.0, thinnest / kUsual);
}

}  // namespace

void Solver::solve_group(const Group& group, int iterations) {
  for (const TieBlock& block : group.ties) TieRows::start_warm(block, links_);
  for (const ContactRun& run : group.contacts) contacts_.start_warm(run, links_);
  const double enough = settled(group.thinnest);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double greatest = 0;
    // Contacts come last, as the constraints that are solved last are met best.
    for (TieBlock& block : group.ties) {
      greatest = std::max(greatest, TieRows::solve(block, links_));
    }
    greatest = std::max(greatest, contacts_.sweep(group.contacts, links_));
    if (greatest <= enough) break;
  }
}

void Solver::solve(std::span<ArticulatedBody* const> bodies, std::span<Tie* const> ties,
                   const StepSettings& settings) {
  links_.make_room(bodies.size());
  contacts_.make_room(bodies.size());
  ties_.make_room(ties.size());
  links_.fill(bodies);
  ContactRows::join(bodies, links_);
  TieRows::join(ties, links_);
  contacts_.make(bodies, settings, links_);
  ties_.make(ties, settings, links_);
  // Each group ends by itself, so that its result does not depend on others in the island.
  std::span<ContactRun> runs = contacts_.runs;
  std::span<TieBlock> blocks = ties_.blocks;
  while (!runs.empty() || !blocks.empty()) {
    const int group = runs.empty()     ? blocks.front().group
                      : blocks.empty() ? runs.front().group
                                       : std::min(runs.front().group, blocks.front().group);
    const auto count_in = [group](const auto& rows) {
      std::size_t count = 0;
      while (count < rows.size() && rows[count].group == group) ++count;
      return count;
    };
    const std::size_t contacts = count_in(runs), held = count_in(blocks);
    solve_group(
        {runs.first(contacts), blocks.first(held), links_.members[std::size_t(group)].thinnest},
        settings.iterations);
    runs = runs.subspan(contacts);
    blocks = blocks.subspan(held);
  }
  contacts_.resist_rolling(links_);
  contacts_.finish(bodies, settings, links_);
  ties_.finish(settings, links_);
  links_.apply(bodies);
}

void solve_constraints(std::span<ArticulatedBody* const> bodies, std::span<Tie* const> ties,
                       const StepSettings& settings, Workspace& workspace) {
  workspace.buffers().solver.solve(bodies, ties, settings);
}

}  // namespace promenade::physics
