#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "promenade/v1/search.pb.h"
#include "search/gaits/gait_problem.h"
#include "study/report/plan.h"

// The rows of `report panne1996` that run searches.
namespace promenade::search {

/// A gait that is to be found from nothing, as in table 2 of Panne1996.
struct WantedGait {
  std::string name;       // of the gait that ships, or would
  std::string kind;       // that its footfalls are to have
  v1::SearchStart start;  // the search that found the one that ships; the seed is another
};

/// The gaits of table 2, and the bound of the dog, whose searches are known: those of gaits that
/// ship, and the hop of the monster as its walk with the legs in phase.
std::vector<WantedGait> wanted_gaits(const Library& library);

/// @throws std::runtime_error where the search of the gait's file is wrong
std::shared_ptr<const GaitProblem> problem_for(const WantedGait& gait, const Library& library);

/// What came of one search.
struct FoundGait {
  std::string kind;              // of the best candidate; how its minute ended where it fell
  bool went_on = false;          // for a minute from a start that the search did not have
  std::uint64_t candidates = 0;  // that were tried
  double cpu = 0;                // s, of the search
};

/// Searches on this thread and tries the best candidate for a minute.
/// @param budget  candidates
/// @param limit   s of processor time, after which no generation begins
FoundGait find_gait(const GaitProblem& problem, const v1::SearchStart& start, std::uint64_t budget,
                    double limit);

/// Adds a row found-GAIT for each of the wanted gaits.
/// @throws std::runtime_error as problem_for()
void plan_found_gaits(study::ReportPlan& plan);
/// Adds the row trials-that-move: of random gaits, as a global search tries them.
/// @throws std::runtime_error as problem_for()
void plan_trials_that_move(study::ReportPlan& plan);

/// Runs a search to its end, cuts its log off at random bytes and goes on with each of these.
/// @return of the `stops` those whose log then is that of the search, byte for byte
/// @throws std::runtime_error where a log cannot be written or is not gone on with
int count_resumed(const GaitProblem& problem, const v1::SearchStart& start, std::uint64_t budget,
                  int stops);
/// Adds the row resumed.
/// @throws std::runtime_error as problem_for()
void plan_resumed(study::ReportPlan& plan);
/// Adds the row map-cells-named.
/// @throws std::runtime_error as problem_for(), or where the objective cannot be read
void plan_map_names(study::ReportPlan& plan);

}  // namespace promenade::search
