#include "behaviour/neighbour_grid.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace promenade::behaviour {
namespace {
constexpr int kMaxCells = 64;  // along one side; farther apart, cells grow
// A dense cell may hold many; looking at this many bounds the cost of a query.
constexpr int kMaxLooked = 256;
}  // namespace

std::size_t NeighbourGrid::cell_of(const Vec2& p) const {
  const int column = std::clamp(int((p.x() - origin_.x()) / cell_size_), 0, columns_ - 1);
  const int row = std::clamp(int((p.y() - origin_.y()) / cell_size_), 0, rows_ - 1);
  return std::size_t(row) * std::size_t(columns_) + std::size_t(column);
}

void NeighbourGrid::build(std::span<const Neighbour> everyone) {
  everyone_.assign(everyone.begin(), everyone.end());
  columns_ = rows_ = 0;
  Vec2 low = Vec2::Constant(1e300), high = Vec2::Constant(-1e300);
  for (const Neighbour& n : everyone_) {
    if (n.radius <= 0) continue;
    low = low.cwiseMin(n.position);
    high = high.cwiseMax(n.position);
  }
  if (low.x() > high.x()) return;  // nobody
  origin_ = low;
  const double extent = (high - low).maxCoeff();
  cell_size_ = std::max(kNeighbourRange, extent / kMaxCells);
  columns_ = std::min(kMaxCells, int((high.x() - low.x()) / cell_size_) + 1);
  rows_ = std::min(kMaxCells, int((high.y() - low.y()) / cell_size_) + 1);

  // Counting sort by cell: stable, so order within a cell is that of the input.
  // Room for all cells there can be, so that a crowd that spreads allocates nothing.
  cell_start_.reserve(kMaxCells * kMaxCells + 1);
  const std::size_t cells = std::size_t(columns_) * std::size_t(rows_);
  cell_start_.assign(cells + 1, 0);
  cell_.assign(everyone_.size(), 0);
  std::size_t present = 0;
  for (std::size_t i = 0; i < everyone_.size(); ++i) {
    if (everyone_[i].radius <= 0) continue;
    cell_[i] = std::uint32_t(cell_of(everyone_[i].position));
    ++cell_start_[cell_[i] + 1];
    ++present;
  }
  for (std::size_t c = 0; c < cells; ++c) cell_start_[c + 1] += cell_start_[c];
  order_.resize(present);
  for (std::size_t i = everyone_.size(); i-- > 0;) {
    if (everyone_[i].radius <= 0) continue;
    // Filling each cell from its end, backwards through the input, leaves cell_start_ one too high
    // at first; it ends at the start of its cell.
    order_[--cell_start_[cell_[i] + 1]] = std::uint32_t(i);
  }
  // Now cell_start_[c + 1] is the start of cell c: shift back.
  for (std::size_t c = 0; c < cells; ++c) cell_start_[c] = cell_start_[c + 1];
  cell_start_[cells] = std::uint32_t(present);
}

int NeighbourGrid::nearest(std::size_t self, std::span<Neighbour> out) const {
  if (columns_ == 0 || out.empty()) return 0;
  const Vec2 p = everyone_[self].position;
  struct Found {
    double distance2;
    std::uint32_t index;
  };
  std::array<Found, kMaxNeighbours> found;
  const int capacity = std::min<int>(kMaxNeighbours, int(out.size()));
  int count = 0, looked = 0;
  const int column = std::min(columns_ - 1, int((p.x() - origin_.x()) / cell_size_));
  const int row = std::min(rows_ - 1, int((p.y() - origin_.y()) / cell_size_));
  for (int r = std::max(0, row - 1); r <= std::min(rows_ - 1, row + 1); ++r) {
    for (int c = std::max(0, column - 1); c <= std::min(columns_ - 1, column + 1); ++c) {
      const std::size_t cell = std::size_t(r) * std::size_t(columns_) + std::size_t(c);
      for (std::uint32_t k = cell_start_[cell]; k < cell_start_[cell + 1]; ++k) {
        const std::uint32_t i = order_[k];
        if (i == self || ++looked > kMaxLooked) continue;
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
