#include "world/sleep/sleepers.h"

#include <algorithm>
#include <cmath>

namespace promenade::world {
namespace {

constexpr double kCell = 1.5;          // m, side of a cell
constexpr double kFarthestCell = 1e6;  // cells; beyond, all share one
constexpr int kMostCells = 64;         // cells of one box

struct Cells {
  std::int64_t x0, x1, y0, y1;
  std::int64_t count() const { return (x1 - x0 + 1) * (y1 - y0 + 1); }
};

Cells cells_of(const Eigen::AlignedBox3d& box) {
  const auto index = [](double x) {
    return std::int64_t(std::fmin(kFarthestCell, std::fmax(-kFarthestCell, std::floor(x / kCell))));
  };
  return {index(box.min().x()), index(box.max().x()), index(box.min().y()), index(box.max().y())};
}

std::uint64_t key(std::int64_t x, std::int64_t y) {
  return std::uint64_t(x + 0x40000000) << 32 | std::uint64_t(y + 0x40000000);
}

}  // namespace

void Sleepers::build(std::vector<Sleeper> sleepers) {
  sleepers_ = std::move(sleepers);
  entries_.clear();
  wide_.clear();
  for (std::uint32_t i = 0; i < sleepers_.size(); ++i) {
    const Cells cells = cells_of(sleepers_[i].box);
    if (cells.count() > kMostCells) {
      wide_.push_back(i);
      continue;
    }
    for (std::int64_t x = cells.x0; x <= cells.x1; ++x) {
      for (std::int64_t y = cells.y0; y <= cells.y1; ++y) entries_.push_back({key(x, y), i});
    }
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.sleeper < b.sleeper;
  });
}

void Sleepers::find(std::uint32_t index, const Eigen::AlignedBox3d& box,
                    std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) const {
  if (sleepers_.empty() || box.isEmpty()) return;
  const std::size_t first = pairs.size();
  const auto meet = [&](std::uint32_t sleeper) {
    if (sleepers_[sleeper].box.intersects(box)) pairs.emplace_back(index, sleepers_[sleeper].index);
  };
  const Cells cells = cells_of(box);
  if (cells.count() > kMostCells) {
    for (std::uint32_t i = 0; i < sleepers_.size(); ++i) meet(i);
    return;
  }
  for (const std::uint32_t wide : wide_) meet(wide);
  for (std::int64_t x = cells.x0; x <= cells.x1; ++x) {
    for (std::int64_t y = cells.y0; y <= cells.y1; ++y) {
      const std::uint64_t cell = key(x, y);
      auto entry = std::lower_bound(entries_.begin(), entries_.end(), cell,
                                    [](const Entry& e, std::uint64_t k) { return e.cell < k; });
      for (; entry != entries_.end() && entry->cell == cell; ++entry) meet(entry->sleeper);
    }
  }
  std::sort(pairs.begin() + std::ptrdiff_t(first), pairs.end());
  pairs.erase(std::unique(pairs.begin() + std::ptrdiff_t(first), pairs.end()), pairs.end());
}

}  // namespace promenade::world
