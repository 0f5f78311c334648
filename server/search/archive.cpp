#include "search/archive.h"

#include <algorithm>
#include <cmath>

namespace promenade::search {
namespace {

int cell_on(const Axis& axis, double value) {
  double share = (value - axis.low) / (axis.high - axis.low);
  if (axis.round) {
    // Cells of a round axis have their middles on the multiples, so that 0 is in the middle of one.
    share += 0.5 / axis.cells;
    share -= std::floor(share);
  }
  return std::clamp(int(std::floor(share * axis.cells)), 0, axis.cells - 1);
}

}  // namespace

std::size_t Archive::size() const {
  std::size_t cells = 1;
  for (const Axis& axis : axes_) cells *= std::size_t(axis.cells);
  return axes_.empty() ? 0 : cells;
}

std::size_t Archive::cell_of(const Vector& traits) const {
  std::size_t cell = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    cell = cell * std::size_t(axes_[i].cells) +
           std::size_t(cell_on(axes_[i], traits[Eigen::Index(i)]));
  }
  return cell;
}

std::vector<int> Archive::place_of(std::size_t cell) const {
  std::vector<int> place(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    place[i] = int(cell % std::size_t(axes_[i].cells));
    cell /= std::size_t(axes_[i].cells);
  }
  return place;
}

bool Archive::offer(const Elite& one) {
  if (one.traits.size() != Eigen::Index(axes_.size()) || axes_.empty()) return false;
  const auto [at, is_new] = elites_.try_emplace(cell_of(one.traits), one);
  if (is_new) return true;
  if (one.score >= at->second.score) return false;
  at->second = one;
  return true;
}

}  // namespace promenade::search
