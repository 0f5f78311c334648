// Whether the cells of maps have the names that their gaits go by, when they are played anew.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "math/random.h"
#include "search/gaits/found_gait.h"
#include "search/report/found_gaits.h"
#include "search/run.h"
#include "study/trial/gait/stances.h"
#include "study/trial/gait/starts.h"

namespace promenade::search {
namespace {

constexpr double kPlayedStrides = 20;  // of a cell that is played anew
constexpr int kCells = 10;             // of each map that go on for so long
constexpr int kMostShown = 12;         // bars of footfalls
constexpr int kColumns = 64;           // of bars, over two strides
constexpr const char* kWanted = "steady";

/// A map that is filled.
struct Map {
  const char* creature;
  v1::Gait::Symmetry symmetry;
};
constexpr std::array<Map, 5> kMaps = {{{"cat", v1::Gait::NONE},
                                       {"dog", v1::Gait::OUT_OF_PHASE},
                                       {"monster", v1::Gait::NONE},
                                       {"ant", v1::Gait::OUT_OF_PHASE},
                                       {"spider", v1::Gait::OUT_OF_PHASE}}};

/// A cell whose gait is played anew.
struct Played {
  std::string creature, of_cell, anew, by_stances, bars;
  std::size_t cell = 0;
  bool right() const { return anew == of_cell || anew == by_stances; }
};
struct PlayedMap {
  std::vector<Played> cells;
  std::size_t filled = 0;
  int fell = 0;  // cells whose gait does not go on for so long
};

v1::SearchStart start_for(const Map& map, const std::filesystem::path& data_dir,
                          std::uint64_t seed) {
  v1::SearchStart start;
  start.set_method("map-elites");
  start.set_seed(seed);
  start.set_sigma(0.2);
  v1::GaitSearch& gait = *start.mutable_gait();
  gait.set_creature(map.creature);
  gait.set_symmetry(map.symmetry);
  auto objective = load_gait_objective(data_dir, kWanted);
  if (!objective) throw std::runtime_error(objective.error().text());
  *gait.mutable_objective() = *std::move(objective);
  return start;
}

/// @return nothing where it does not go on
std::optional<Played> play(const GaitProblem& problem, const Archive::Elite& elite,
                           std::uint64_t start) {
  const auto gait = problem.space().gait(elite.point);
  const double period = gait->graph.period();
  const trial::GaitTime time = trial::time_for(period, kPlayedStrides);
  const trial::Legs& legs = problem.trial().legs();
  trial::StanceRecorder recorder(legs.limbs.size());
  std::vector<bool> bears;
  const trial::GaitMeasures measures =
      problem.trial().run(gait, time, start, {}, [&](const trial::Rollout& rollout) {
        trial::find_bearing(legs, rollout, bears);
        recorder.note(bears, rollout.time(), rollout.dt());
      });
  if (measures.end != trial::GaitEnd::kWentOn) return std::nullopt;
  Played out;
  out.creature = problem.space().creature().name;
  out.of_cell = elite.label;
  out.anew = problem.name_of(measures);
  out.by_stances =
      trial::name_by_stances(legs, recorder.stances(), period, time.settle, time.seconds);
  std::vector<std::string> names;
  for (const int limb : legs.limbs) {
    names.push_back(problem.space().creature().limbs[std::size_t(limb)].name);
  }
  out.bars = trial::footfall_bars(names, recorder.stances(), time.seconds - 2 * period,
                                  time.seconds, kColumns);
  return out;
}

PlayedMap fill_and_play(const GaitProblem& problem, v1::SearchStart start, std::uint64_t budget,
                        int wanted) {
  start.set_population(std::uint32_t(find_method(start.method())->population(problem.dimension())));
  RunOptions options;
  options.budget = budget;
  options.threads = 1;
  const auto result = run_search(problem, start, {}, options);
  if (!result) throw std::runtime_error(result.error().text());
  std::vector<std::size_t> cells;
  for (const auto& [cell, elite] : result->archive.elites()) cells.push_back(cell);
  PlayedMap out;
  out.filled = cells.size();
  Random random = Random::stream(start.seed(), 0xce11);
  while (!cells.empty() && int(out.cells.size()) < wanted) {
    const auto drawn = cells.begin() + std::ptrdiff_t(random.below(cells.size()));
    const std::size_t cell = *drawn;
    cells.erase(drawn);
    auto played = play(problem, result->archive.elites().at(cell), trial::kOtherStarts + cell);
    if (!played) {
      ++out.fell;
      continue;
    }
    played->cell = cell;
    out.cells.push_back(*std::move(played));
  }
  return out;
}

study::ReportRow row_of(const std::string& id, const std::vector<PlayedMap>& maps,
                        std::string& notes) {
  int all = 0, same = 0, seconded = 0, right = 0, fell = 0, shown = 0;
  std::size_t filled = 0;
  for (const PlayedMap& map : maps) {
    filled += map.filled;
    fell += map.fell;
    for (const Played& one : map.cells) {
      ++all;
      same += one.anew == one.of_cell;
      seconded += one.anew == one.by_stances;
      right += one.right();
      if (one.anew == one.of_cell && one.anew == one.by_stances) continue;
      if (shown++ >= kMostShown) continue;
      notes += study::formatted("%s, cell %zu: %s; anew %s; by stances %s\n%s",
                                one.creature.c_str(), one.cell, one.of_cell.c_str(),
                                one.anew.c_str(), one.by_stances.c_str(), one.bars.c_str());
    }
  }
  study::ReportRow row;
  row.id = id;
  row.claim = study::formatted(
      "random cells of maps, %zu cells in all, of cat, dog, monster, ant and spider whose gait "
      "from another start goes on for %.0f strides (%d more do not) and there has the name of the "
      "cell (%d of %d) or the one that stances say (%d)",
      filled, kPlayedStrides, fell, same, all, seconded);
  row.source = "by eye";
  row.asked = 95.0;
  const double share = all ? 100.0 * right / all : 0;
  row.got = share;
  row.unit = "%";
  row.holds = share >= 95;
  return row;
}

}  // namespace

void plan_map_names(study::ReportPlan& plan) {
  const std::string id = "map-cells-named";
  if (!plan.wants(id)) return;
  auto played = std::make_shared<std::vector<PlayedMap>>(kMaps.size());
  const std::uint64_t budget = std::uint64_t(plan.amount(5000, 300));
  const int cells = plan.trials(kCells);
  for (std::size_t i = 0; i < kMaps.size(); ++i) {
    const v1::SearchStart start =
        start_for(kMaps[i], plan.options.data_dir, plan.seed_of(id, int(i)));
    const auto problem = problem_for({kMaps[i].creature, "", start}, *plan.library);
    constexpr double kAbout = 10000;  // s that one simulates
    plan.job([=] { (*played)[i] = fill_and_play(*problem, start, budget, cells); }, kAbout);
  }
  plan.finish([=](std::vector<study::ReportRow>& rows, std::string& notes) {
    rows.push_back(row_of(id, *played, notes));
  });
}

}  // namespace promenade::search
