#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "promenade/v1/search.pb.h"
#include "schema/error.h"
#include "search/log.h"
#include "search/run.h"

// The parts that the subcommands which search have in common.
namespace promenade::app {

/// The beginning of a search, a new one or one that goes on.
struct Beginning {
  v1::SearchStart start;
  std::vector<v1::SearchGeneration> past;
  std::size_t log_bytes = 0;  // of the log to go on with
  std::optional<search::LogWriter> log;
};

/// The beginning that a log tells of.
schema::Result<Beginning> read_beginning(const std::filesystem::path& log);

/// Opens the log. To be called once nothing else is wrong: a log of nothing would be in the way of
/// the next attempt.
/// @param resume  the log to go on with; empty: a new search
/// @param log     of a new search; empty: none
std::optional<schema::FileError> open_log(Beginning& beginning, const std::filesystem::path& resume,
                                          const std::filesystem::path& log);

/// How long to search.
struct SearchLimits {
  std::uint64_t budget = 1000;  // candidates
  int threads = 0;              // 0: one for each core
  bool progress = false;        // the bar even where standard error is no terminal
  double seconds = 0;           // of searching at most; 0: no limit
};

/// From now on this process takes only time of processors that nothing else wants, and the kernel
/// kills it when the thread that started it ends.
void work_in_background();

/// Runs a search with a progress bar. The first Ctrl-C ends it after its generation, the second one
/// the program.
schema::Result<search::SearchResult> run_with_bar(const search::Problem& problem,
                                                  Beginning& beginning, const SearchLimits& limits);

}  // namespace promenade::app
