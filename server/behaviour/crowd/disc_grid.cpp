#include "behaviour/crowd/disc_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace promenade::behaviour::crowd {
namespace {

constexpr float kFill = 1.5f;       // walkers in a cell, on average, where a crowd fills the grid
constexpr double kShared = 3;       // walkers that share a walker's cell, on average, at most
constexpr int kMostSplits = 4;      // times that the size of a cell is halved
constexpr float kLeastCell = 0.5f;  // m, least side of a cell
constexpr float kMostCells = 4;     // cells for each walker of the crowd

// Distance and slot in one number that sorts by distance, then slot: the bits of a float that is
// not negative grow with it.
using Key = std::uint64_t;
Key key_of(float distance2, std::uint32_t slot) {
  return Key{std::bit_cast<std::uint32_t>(distance2)} << 32 | slot;
}
float distance2_of(Key key) { return std::bit_cast<float>(std::uint32_t(key >> 32)); }

// The lowest keys in order.
class Lowest {
 public:
  Lowest(float range, std::size_t wanted, float close, std::size_t most)
      : limit_(range * range),
        close2_(std::min(close * close, limit_)),
        most_(std::min(most, kMost)),
        wanted_(std::clamp(wanted, std::size_t{1}, most_)) {}

  float limit() const { return limit_; }
  void add(float distance2, std::uint32_t slot) {
    const Key key = key_of(distance2, slot);
    std::size_t i = count_ < most_ ? count_++ : count_ - 1;
    for (; i > 0 && keys_[i - 1] > key; --i) keys_[i] = keys_[i - 1];
    keys_[i] = key;
    if (count_ >= wanted_) shrink();
  }
  std::size_t give(std::span<DiscGrid::Near> out) const {
    for (std::size_t i = 0; i < count_; ++i) {
      out[i] = {distance2_of(keys_[i]), std::uint32_t(keys_[i])};
    }
    return count_;
  }
  static constexpr std::size_t kMost = 32;

 private:
  // Forgets those beyond the number wanted that are not close.
  void shrink() {
    while (count_ > wanted_ && distance2_of(keys_[count_ - 1]) >= close2_) --count_;
    const float last = distance2_of(keys_[count_ - 1]);
    limit_ = count_ == most_ ? last : std::min(limit_, std::max(close2_, last));
  }

  float limit_, close2_;
  std::size_t most_, wanted_, count_ = 0;
  Key keys_[kMost];  // uninitialised: only the first count_ are
};

}  // namespace

void DiscGrid::count_cells(std::span<const Vec2f> places, const Vec2f& extent) {
  columns_ = int(extent.x() / size_) + 1;
  rows_ = int(extent.y() / size_) + 1;
  const float per_m = 1 / size_;
  begin_.assign(std::size_t(columns_) * std::size_t(rows_) + 1, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec2f at = (places[i] - corner_) * per_m;
    cell_[i] = std::uint32_t(std::min(int(at.y()), rows_ - 1) * columns_ +
                             std::min(int(at.x()), columns_ - 1));
    ++begin_[cell_[i] + 1];
  }
}

double DiscGrid::shared() const {
  double sum = 0;
  for (std::size_t c = 1; c < begin_.size(); ++c) sum += double(begin_[c]) * double(begin_[c]);
  return sum / double(cell_.size());
}

void DiscGrid::fill(std::span<const Vec2f> places) {
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
  // begin_[c] is counted up to the start of c + 1 while the cell is filled, then moved back.
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::uint32_t slot = begin_[cell_[i]]++;
    sorted_[slot] = places[i];
    order_[slot] = std::uint32_t(i);
  }
  for (std::size_t c = begin_.size() - 1; c > 0; --c) begin_[c] = begin_[c - 1];
  begin_[0] = 0;
}

void DiscGrid::build(std::span<const Vec2f> places, float range) {
  const std::size_t n = places.size();
  sorted_.resize(n);
  order_.resize(n);
  cell_.resize(n);
  begin_.reserve(3 * (std::size_t(kMostCells) * n + 64) + 2);  // of whatever shape the crowd is
  if (n == 0) return;
  Vec2f low = places[0], high = low;
  for (const Vec2f& place : places) {
    low = low.cwiseMin(place);
    high = high.cwiseMax(place);
  }
  const Vec2f extent = high - low;
  corner_ = low;
  const float area = extent.x() * extent.y();
  // Never so small that there would be far more cells than walkers.
  const float least = std::max({std::sqrt(area / (kMostCells * float(n) + 64)),
                                extent.maxCoeff() / (kMostCells * float(n) + 64), kLeastCell});
  size_ = std::max(std::min(std::sqrt(kFill * area / float(n)), range), least);
  count_cells(places, extent);
  for (int split = 0; split < kMostSplits && size_ > least && shared() > kShared; ++split) {
    size_ = std::max(size_ / 2, least);
    count_cells(places, extent);
  }
  fill(places);
}

std::size_t DiscGrid::nearest(std::uint32_t slot, float range, std::size_t wanted, float close,
                              std::span<Near> out) const {
  if (out.empty() || (wanted == 0 && !(close > 0))) return 0;
  const Vec2f p = sorted_[slot];
  const Vec2f at = (p - corner_) / size_;
  const int column = std::min(int(at.x()), columns_ - 1), row = std::min(int(at.y()), rows_ - 1);
  Lowest lowest(range, wanted, close, out.size());
  const auto look_at = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t k = from; k < to; ++k) {
      const float d2 = (sorted_[k] - p).squaredNorm();
      if (d2 < lowest.limit() && k != slot) lowest.add(d2, k);
    }
  };
  const auto look_in_row = [&](int r, int from, int to) {
    if (r < 0 || r >= rows_) return;
    from = std::max(from, 0);
    to = std::min(to, columns_ - 1);
    if (from > to) return;
    const auto base = std::size_t(r) * std::size_t(columns_);
    look_at(begin_[base + std::size_t(from)], begin_[base + std::size_t(to) + 1]);
  };
  const Vec2f within = (at - Vec2f(float(column), float(row))) * size_;
  const float edge = std::min({within.x(), within.y(), size_ - within.x(), size_ - within.y()});
  look_in_row(row, column - 1, column + 1);
  look_in_row(row - 1, column - 1, column + 1);
  look_in_row(row + 1, column - 1, column + 1);
  for (int ring = 2;; ++ring) {
    const float nearest = edge + float(ring - 1) * size_;
    if (nearest * nearest >= lowest.limit()) break;
    if (column - ring < 0 && column + ring >= columns_ && row - ring < 0 && row + ring >= rows_)
      break;
    look_in_row(row - ring, column - ring, column + ring);
    look_in_row(row + ring, column - ring, column + ring);
    for (int r = row - ring + 1; r < row + ring; ++r) {
      look_in_row(r, column - ring, column - ring);
      look_in_row(r, column + ring, column + ring);
    }
  }
  return lowest.give(out);
}

}  // namespace promenade::behaviour::crowd
