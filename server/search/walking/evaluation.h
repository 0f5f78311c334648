#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/optimise/optimiser.h"
#include "search/problem.h"
#include "search/walking/objective.h"
#include "search/walking/parameter_vector.h"

namespace promenade::search {

/// The seeds with which candidates meet each trial of an objective, [trials][runs].
using Seeds = std::vector<std::vector<std::uint64_t>>;

/// The seeds of a generation: every candidate meets the same ones. The first Trial::seeds of a
/// trial are the same in every generation, the other Trial::fresh_seeds are not.
Seeds seeds_of(const Objective& objective, std::uint64_t seed, std::uint64_t generation);
/// Other seeds, of which no generation has any: the result of a search is judged with these.
Seeds held_out_seeds(const Objective& objective, std::uint64_t seed, int count);

/// Runs all trials with all seeds for every point. The result does not depend on `threads`.
/// @param points    [parameters] each, 0 to 1
/// @param threads   0: one for each core
/// @param progress  given the runs that are done and all of them, one call at a time, on any
///                  thread; may be empty
std::vector<Outcome> evaluate(const Objective& objective, const ParameterVector& parameters,
                              std::span<const Vector> points, const Seeds& seeds, int threads,
                              const std::function<void(int, int)>& progress = {});

/// Runs of one candidate.
int run_count(const Seeds& seeds);

}  // namespace promenade::search
