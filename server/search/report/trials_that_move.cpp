// How many random gaits go anywhere: what a global search begins with.
#include <algorithm>
#include <string_view>

#include "math/random.h"
#include "search/report/found_gaits.h"

namespace promenade::search {
namespace {

constexpr double kMoves = 0.02;  // m/s, from which on a trial moves
constexpr int kStrides = 7;      // of a trial: the source has "six to eight cycles"
constexpr int kPerJob = 25;      // trials

// One of each creature of the source.
constexpr std::string_view kSearches[] = {"luxo_hop", "monster_walk", "cat_trot", "ant_tripod"};

Vector random_point(const GaitProblem& problem, std::uint64_t seed) {
  Random random = Random::stream(seed, 0x910ba1ULL);
  const std::vector<bool> held = problem.held();
  Vector point = problem.start();
  for (Eigen::Index k = 0; k < point.size(); ++k) {
    const double drawn = random.uniform();
    if (held.empty() || !held[std::size_t(k)]) point[k] = drawn;
  }
  return point;
}

bool moves(const GaitProblem& problem, std::uint64_t seed) {
  const trial::GaitMeasures measures = problem.run(random_point(problem, seed), 0);
  return measures.end == trial::GaitEnd::kWentOn && measures.speed > kMoves;
}

/// The random trials of one search.
struct Trials {
  std::string creature;
  std::vector<char> moved;  // [trials]
  double percent() const {
    return 100.0 * double(std::count(moved.begin(), moved.end(), 1)) / double(moved.size());
  }
};

void add_row(std::vector<study::ReportRow>& rows, const std::string& id,
             const std::vector<Trials>& all) {
  double mean = 0;
  std::string each;
  for (const Trials& one : all) {
    mean += one.percent() / double(all.size());
    each += study::formatted("%s %s %.1f %%", each.empty() ? "" : ",", one.creature.c_str(),
                             one.percent());
  }
  std::string claim = study::formatted(
      "of %zu random gaits of each creature those that go forward at over %.2f m/s without a fall "
      "over %d strides, mean;%s; a measurement, nothing is asked",
      all.empty() ? 0 : all.front().moved.size(), kMoves, kStrides, each.c_str());
  rows.push_back({id, std::move(claim), "1 to 5", "measured", mean, "%", true});
}

}  // namespace

void plan_trials_that_move(study::ReportPlan& plan) {
  const std::string id = "trials-that-move";
  if (!plan.wants(id)) return;
  auto all = std::make_shared<std::vector<Trials>>();
  std::vector<std::shared_ptr<const GaitProblem>> problems;
  const int count = plan.trials(1000);
  for (WantedGait& gait : wanted_gaits(*plan.library)) {
    if (std::find(std::begin(kSearches), std::end(kSearches), gait.name) == std::end(kSearches)) {
      continue;
    }
    gait.start.mutable_gait()->set_strides(kStrides);
    const auto problem = problem_for(gait, *plan.library);
    problems.push_back(problem);
    all->push_back({gait.start.gait().creature(), std::vector<char>(std::size_t(count))});
  }
  for (std::size_t p = 0; p < problems.size(); ++p) {
    for (int first = 0; first < count; first += kPerJob) {
      plan.job(
          [=, &plan, problem = problems[p]] {
            for (int i = first; i < std::min(count, first + kPerJob); ++i) {
              const std::uint64_t seed = plan.seed_of(id + (*all)[p].creature, i);
              (*all)[p].moved[std::size_t(i)] = static_cast<char>(moves(*problem, seed));
            }
          },
          kPerJob);
    }
  }
  plan.finish([=](std::vector<study::ReportRow>& rows, std::string&) { add_row(rows, id, *all); });
}

}  // namespace promenade::search
