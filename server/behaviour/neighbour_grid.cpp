#include "behaviour/neighbour_grid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace promenade::behaviour {
namespace {
// m, a little more than the range: in spite of rounding, all neighbours within it are in the cells
// next to a character's own.
constexpr double kCellSize = kNeighbourRange + 0.01;
constexpr double kFarthestCell = 1e9;  // cells: positions beyond, which are errors, share one cell
}  // namespace

NeighbourGrid::Cell NeighbourGrid::cell_at(const Vec2& p) {
  const auto index = [](double x) {
    // fmax and fmin turn a NaN into a number.
    return std::int64_t(
        std::fmin(kFarthestCell, std::fmax(-kFarthestCell, std::floor(x / kCellSize))));
  };
  return {index(p.x()), index(p.y())};
}

std::size_t NeighbourGrid::bucket_of(const Cell& cell) const {
  // Odd constants of many bits; the upper half depends on all bits of both indices.
  const std::uint64_t mixed = std::uint64_t(cell.column) * 0x9e3779b97f4a7c15u +
                              std::uint64_t(cell.row) * 0xc2b2ae3d27d4eb4fu;
  return std::size_t(mixed >> 32) & (bucket_start_.size() - 2);
}

void NeighbourGrid::build(std::span<const Neighbour> everyone) {
  everyone_.assign(everyone.begin(), everyone.end());
  // Their number depends on the size of the crowd alone, so a crowd that spreads allocates nothing.
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(16, 2 * everyone_.size()));
  bucket_start_.assign(buckets + 1, 0);
  cell_.resize(everyone_.size());
  order_.resize(everyone_.size());

  // Counting sort by bucket: stable, so order within a bucket is that of the input.
  for (std::size_t i = 0; i < everyone_.size(); ++i) {
    if (everyone_[i].radius <= 0) continue;
    cell_[i] = cell_at(everyone_[i].position);
    ++bucket_start_[bucket_of(cell_[i])];
  }
  std::uint32_t end = 0;
  for (std::uint32_t& start : bucket_start_) start = end += start;
  for (std::size_t i = everyone_.size(); i-- > 0;) {
    if (everyone_[i].radius <= 0) continue;
    // Each begins as its bucket's end and is counted down to its start.
    order_[--bucket_start_[bucket_of(cell_[i])]] = std::uint32_t(i);
  }
}

int NeighbourGrid::nearest(std::size_t self, std::span<Neighbour> out) const {
  const Vec2 p = everyone_[self].position;
  struct Found {
    double distance2;
    std::uint32_t index;
  };
  std::array<Found, kMaxNeighbours> found;
  const int capacity = std::min<int>(kMaxNeighbours, int(out.size()));
  int count = 0;
  const Cell here = cell_at(p);
  for (std::int64_t row = here.row - 1; row <= here.row + 1; ++row) {
    for (std::int64_t column = here.column - 1; column <= here.column + 1; ++column) {
      const Cell cell{column, row};
      const std::size_t bucket = bucket_of(cell);
      for (std::uint32_t k = bucket_start_[bucket]; k < bucket_start_[bucket + 1]; ++k) {
        const std::uint32_t i = order_[k];
        if (i == self || !(cell_[i] == cell)) continue;  // other cells may share the bucket
        const double d2 = (everyone_[i].position - p).squaredNorm();
        if (d2 > kNeighbourRange * kNeighbourRange) continue;
        int at = count;
        while (at > 0 && (found[std::size_t(at - 1)].distance2 > d2 ||
                          (found[std::size_t(at - 1)].distance2 == d2 &&
                           found[std::size_t(at - 1)].index > i))) {
          --at;
        }
        if (at >= capacity) continue;
        if (count < capacity) ++count;
        for (int m = count - 1; m > at; --m) found[std::size_t(m)] = found[std::size_t(m - 1)];
        found[std::size_t(at)] = {d2, i};
      }
    }
  }
  for (int k = 0; k < count; ++k) out[std::size_t(k)] = everyone_[found[std::size_t(k)].index];
  return count;
}

}  // namespace promenade::behaviour
