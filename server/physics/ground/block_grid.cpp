#include "physics/ground/block_grid.h"

#include <algorithm>
#include <cmath>

namespace promenade::physics {
namespace {

// m, margin of the grid and its blocks: a point on the face of a block is not lost by rounding.
constexpr double kSkin = 1e-6;
// Four cells a block while there are few, so that most cells have one block or none.
constexpr int kMostCells = 64;

}  // namespace

BlockGrid::BlockGrid(const std::vector<Eigen::AlignedBox3d>& bounds) {
  if (bounds.empty()) return;
  cells_ = std::min(kMostCells, static_cast<int>(std::ceil(2 * std::sqrt(bounds.size()))));
  Eigen::AlignedBox3d all;
  for (const Eigen::AlignedBox3d& box : bounds) all.extend(box);
  from_ = all.min().head<2>().array() - 2 * kSkin;
  const Vec2 size = all.sizes().head<2>().array() + 4 * kSkin;
  per_m_ = cells_ * size.cwiseInverse();

  // Calls visit(c, b) for each cell c that block b can be in.
  const auto each = [&](auto visit) {
    const auto limited = [&](double at, int axis) {
      return std::clamp(static_cast<int>(cell(at, axis)), 0, cells_ - 1);
    };
    for (std::size_t b = 0; b < bounds.size(); ++b) {
      const Vec2 low = bounds[b].min().head<2>().array() - kSkin;
      const Vec2 high = bounds[b].max().head<2>().array() + kSkin;
      for (int row = limited(low.y(), 1); row <= limited(high.y(), 1); ++row) {
        for (int column = limited(low.x(), 0); column <= limited(high.x(), 0); ++column) {
          visit(static_cast<std::size_t>(row * cells_ + column), static_cast<int>(b));
        }
      }
    }
  };
  start_.assign(static_cast<std::size_t>(cells_) * cells_ + 1, 0);
  each([&](std::size_t c, int) { ++start_[c + 1]; });
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  blocks_.resize(static_cast<std::size_t>(start_.back()));
  std::vector<int> next(start_.begin(), start_.end() - 1);
  each([&](std::size_t c, int b) { blocks_[static_cast<std::size_t>(next[c]++)] = b; });
}

std::span<const int> BlockGrid::near(double x, double y) const {
  const double column = cell(x, 0), row = cell(y, 1);
  // Written so that NaN is outside, too.
  if (!(column >= 0 && row >= 0 && column < cells_ && row < cells_)) return {};
  const auto c =
      static_cast<std::size_t>(static_cast<int>(row) * cells_ + static_cast<int>(column));
  return std::span(blocks_).subspan(static_cast<std::size_t>(start_[c]),
                                    static_cast<std::size_t>(start_[c + 1] - start_[c]));
}

}  // namespace promenade::physics
