#include "world/run/runner.h"

namespace promenade::world {

double TickHistogram::quantile(double q) const {
  if (total == 0) return 0;
  const double wanted = q * double(total);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < kUpperBounds.size(); ++i) {
    below += counts[i];
    if (double(below) >= wanted) return kUpperBounds[i];
  }
  return kUpperBounds.back();
}

}  // namespace promenade::world
