#include "search/optimise/optimiser.h"

#include "search/optimise/cma_es.h"
#include "search/optimise/differential_evolution.h"
#include "search/optimise/greedy.h"
#include "search/optimise/map_elites.h"
#include "search/optimise/staged.h"

namespace promenade::search {
namespace {

template <typename Kind>
std::unique_ptr<Optimiser> make_optimiser(const OptimiserSetup& setup) {
  return std::make_unique<Kind>(setup);
}

template <typename Local>
std::unique_ptr<Optimiser> make_staged(const OptimiserSetup& setup) {
  return std::make_unique<Staged>(setup, &make_optimiser<Local>);
}

constexpr Method kMethods[] = {
    {"cma-es", "adapts the covariance of its steps", CmaEs::usual_population,
     make_optimiser<CmaEs>},
    {"ipop-cma-es",
     "cma-es that begins anew elsewhere, with twice the population, once it has "
     "converged",
     CmaEs::usual_population, make_optimiser<RestartedCmaEs>},
    {"de", "differential evolution", DifferentialEvolution::usual_population,
     make_optimiser<DifferentialEvolution>},
    {"random", "points anywhere, to compare with", CmaEs::usual_population,
     make_optimiser<RandomSearch>},
    {"greedy",
     "points anywhere, then small changes of one coordinate of the best, kept where they pay",
     Greedy::usual_population, make_staged<Greedy>},
    {"global-cma-es", "points anywhere, then cma-es about the best of them, one after the other",
     CmaEs::usual_population, make_staged<CmaEs>},
    {"map-elites", "keeps the best of each cell of a map and crosses neighbours",
     MapElites::usual_population, make_optimiser<MapElites>, true},
};

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method* find_method(const std::string& name) {
  for (const Method& method : kMethods) {
    if (name == method.name) return &method;
  }
  return nullptr;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : kMethods) names.emplace_back(method.name);
  return names;
}

}  // namespace promenade::search
