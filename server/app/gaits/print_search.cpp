#include "app/gaits/print_search.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "study/trial/gait/starts.h"

namespace promenade::app {

void print_best(const search::GaitProblem& problem, const search::SearchResult& result) {
  const trial::GaitMeasures m = problem.run(result.best, 0);
  std::printf("best: candidate %llu, score %.4g, a %s\n",
              static_cast<unsigned long long>(result.best_trial), -result.best_score,
              std::string(problem.name_of(m)).c_str());
  for (const v1::SearchTerm& term : result.best_terms) {
    std::printf("  %-12s %.4g\n", term.figure().c_str(), term.value());
  }
  std::printf("  speed %.3g m/s, turning %.3g rad/s, rock %.3g, airborne %.0f %%, stride %.3g s\n",
              m.speed, m.turning, m.rock, 100 * m.footfalls.airborne,
              problem.space().graph(result.best).period());
  for (std::size_t i = 0; i < m.footfalls.legs.size(); ++i) {
    const auto& limb =
        problem.space().creature().limbs[std::size_t(problem.trial().legs().limbs[i])];
    std::printf("  %-16s duty %.2f, phase %.2f\n", limb.name.c_str(), m.footfalls.legs[i].duty,
                m.footfalls.legs[i].phase);
  }
}

void print_map(const search::GaitProblem& problem, const search::SearchResult& result) {
  std::printf("\nmap: %zu of %zu cells\n", result.archive.elites().size(), result.archive.size());
  struct Kind {
    int cells = 0;
    double fastest = -1e9;  // m/s
  };
  std::map<std::string, Kind> kinds;
  for (const auto& [cell, elite] : result.archive.elites()) {
    const trial::GaitMeasures m = problem.run(elite.point, 0);
    Kind& kind = kinds[std::string(problem.name_of(m))];
    ++kind.cells;
    kind.fastest = std::max(kind.fastest, m.speed);
  }
  for (const auto& [name, kind] : kinds) {
    std::printf("  %-16s %4d cells, fastest %.3g m/s\n", name.c_str(), kind.cells, kind.fastest);
  }
}

void print_check(const search::GaitProblem& problem, const search::SearchResult& result, int count,
                 int threads) {
  constexpr double kSeconds = 60;
  std::vector<std::uint64_t> seeds(static_cast<std::size_t>(count));
  std::iota(seeds.begin(), seeds.end(), trial::kOtherStarts);
  const auto runs =
      problem.trial().run_all(problem.space().gait(result.best), {kSeconds, 2}, seeds, threads);
  int up = 0;
  double speed = 0;
  for (const trial::GaitMeasures& m : runs) {
    if (m.end != trial::GaitEnd::kWentOn) continue;
    ++up;
    speed += m.speed;
  }
  std::printf("\n%d of %d other starts went on for %.0f s, at %.3g m/s along the start's heading\n",
              up, count, kSeconds, up ? speed / up : 0.0);
}

}  // namespace promenade::app
