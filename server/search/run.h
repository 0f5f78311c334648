#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "promenade/v1/search.pb.h"
#include "schema/error.h"
#include "search/course.h"
#include "search/problem.h"

namespace promenade::search {

/// How far a search is, for people.
struct Progress {
  std::uint32_t generation = 0;
  std::uint64_t evaluations = 0;  // candidates scored before this generation
  int runs_done = 0, runs = 0;    // of this generation
  double best_score = 0;
  double sigma = 0;
  std::size_t cells = 0;  // of the map that have a point
};

struct RunOptions {
  std::uint64_t budget = 1000;  // candidates; the generation that reaches it is the last
  int threads = 0;              // 0: one for each core
  /// Asked before each generation; true ends the search. May be empty.
  std::function<bool()> stop;
  /// One call at a time, on any thread. May be empty.
  std::function<void(const Progress&)> progress;
  /// Given each new line of the log; an error ends the search. May be empty.
  std::function<std::optional<schema::FileError>(const v1::SearchLogLine&)> log;
};

/// Searches from the present parameters on.
/// The same problem and start give the same generations, bit for bit, with any number of threads,
/// and whether they were run at once or in parts.
/// @param past  generations that have been run before: their scores are told again, no trial of
///              them is run but those of generation 0. If its score is not the same, the program
///              or its data have changed, which is an error.
schema::Result<SearchResult> run_search(const Problem& problem, const v1::SearchStart& start,
                                        std::span<const v1::SearchGeneration> past,
                                        const RunOptions& options);

/// Whether a log can be of a search for so many numbers.
std::optional<schema::FileError> check_past(int dimension,
                                            std::span<const v1::SearchGeneration> past);

}  // namespace promenade::search
