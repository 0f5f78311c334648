#include "load/figures.h"

#include <algorithm>
#include <cmath>

namespace promenade::load {
namespace {

constexpr double kLeast = 0.01;
const double kLogWidth = std::log(1.02);

}  // namespace

void Histogram::add(double value) {
  const double place = value > kLeast ? std::ceil(std::log(value / kLeast) / kLogWidth) : 0;
  const auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, double(kBins - 1)));
  ++counts_[bin];
  ++count_;
  greatest_ = std::max(greatest_, value);
}

double Histogram::percentile(double percent) const {
  if (count_ == 0) return 0;
  const double wanted = percent / 100 * double(count_);
  std::uint64_t below = 0;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    below += counts_[bin];
    if (double(below) >= wanted) {
      return std::min(greatest_, kLeast * std::exp(kLogWidth * double(bin)));
    }
  }
  return greatest_;
}

}  // namespace promenade::load
