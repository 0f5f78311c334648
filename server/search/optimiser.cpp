#include "search/optimiser.h"

#include "search/cma_es.h"
#include "search/differential_evolution.h"

namespace promenade::search {
namespace {

template <typename Kind>
std::unique_ptr<Optimiser> make_optimiser(const OptimiserSetup& setup) {
  return std::make_unique<Kind>(setup);
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
