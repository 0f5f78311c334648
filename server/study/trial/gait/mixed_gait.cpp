#include "study/trial/gait/mixed_gait.h"

#include <vector>

namespace promenade::trial {

using control::posegraph::Gait;

std::shared_ptr<const Gait> unmixed(const Gait& gait) {
  auto out = std::make_shared<Gait>(gait);
  out->variants.clear();
  return out;
}

std::shared_ptr<const Gait> mixed(const Gait& gait, std::size_t variant, double weight) {
  auto out = std::make_shared<Gait>(gait);
  std::vector<double> weights(gait.variants.size(), 0.0);
  weights[variant] = weight;
  control::posegraph::mix(gait, weights, out->graph);
  out->variants.clear();
  return out;
}

std::shared_ptr<const Gait> blind(const Gait& gait) {
  auto out = std::make_shared<Gait>(gait);
  out->feedback = {};
  return out;
}

}  // namespace promenade::trial
