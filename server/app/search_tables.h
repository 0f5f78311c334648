#pragma once

#include <cstdint>

#include "search/run.h"
#include "search/walking/walking_problem.h"

// The tables that `search` prints.
namespace promenade::app {

/// All figures that an objective can ask for.
void print_figures();

/// Each searched number with its range, at the start and in the end.
void print_parameters(const search::ParameterVector& parameters,
                      const search::SearchResult& result);

/// Each term at the start and at the best.
void print_terms(const search::WalkingProblem& problem, const search::SearchResult& result);

/// Runs start, best and centre with seeds that the search did not have, and prints their terms.
void print_check(const search::WalkingProblem& problem, const search::SearchResult& result,
                 std::uint64_t seed, int count, int threads);

}  // namespace promenade::app
