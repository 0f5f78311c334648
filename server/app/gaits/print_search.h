#pragma once

#include "search/gaits/gait_problem.h"
#include "search/run.h"

// What a search for a gait came to, on standard output.
namespace promenade::app {

/// The best candidate: its terms, its gait and the footfalls of each leg.
void print_best(const search::GaitProblem& problem, const search::SearchResult& result);
/// The gaits of the map by their names.
void print_map(const search::GaitProblem& problem, const search::SearchResult& result);
/// How the best candidate does for a minute from starts that the search did not have.
/// @param threads  0: one for each core
void print_check(const search::GaitProblem& problem, const search::SearchResult& result, int count,
                 int threads);

}  // namespace promenade::app
