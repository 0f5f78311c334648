#include "behaviour/crowd/walkers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace promenade::behaviour::crowd {
namespace {

constexpr int kMostNear = 32;
constexpr std::size_t kMostWalls = 12;  // that one walker heeds at a time
constexpr float kFill = 2;              // walkers in a cell, on average, where a crowd fills the grid
constexpr float kLeastCell = 0.5f;      // m

Vec2f nearest_on(const Wall& wall, const Vec2f& p) {
  const Vec2f way = wall.b - wall.a;
  const float length2 = way.squaredNorm();
  const float t = length2 > 0 ? std::clamp((p - wall.a).dot(way) / length2, 0.f, 1.f) : 0;
  return wall.a + t * way;
}

}  // namespace

void Walkers::set_walls(std::vector<Wall> walls) { walls_ = std::move(walls); }

void Walkers::sort() {
  const std::size_t n = discs_.size();
  sorted_.resize(n);
  index_.resize(n);
  cell_.resize(n);
  if (n == 0) return;
  Vec2f low = discs_[0].position, high = low;
  for (const Disc& disc : discs_) {
    low = low.cwiseMin(disc.position);
    high = high.cwiseMax(disc.position);
  }
  // So large that a cell has a few walkers, and that there are no more cells than walkers.
  const Vec2f extent = high - low;
  size_ = std::clamp(std::sqrt(kFill * extent.x() * extent.y() / float(n)), kLeastCell, law_.range);
  size_ = std::max({size_, extent.x() / 4096, extent.y() / 4096});
  corner_ = low;
  columns_ = int(extent.x() / size_) + 1;
  rows_ = int(extent.y() / size_) + 1;
  begin_.assign(std::size_t(columns_) * std::size_t(rows_) + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2f at = (discs_[i].position - corner_) / size_;
    cell_[i] = std::uint32_t(int(at.y()) * columns_ + int(at.x()));
    ++begin_[cell_[i] + 1];
  }
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
  // begin_[c] is counted up to the start of c + 1 while the cell is filled, then moved back.
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t place = begin_[cell_[i]]++;
    sorted_[place] = discs_[i];
    index_[place] = std::uint32_t(i);
  }
  for (std::size_t c = begin_.size() - 1; c > 0; --c) begin_[c] = begin_[c - 1];
  begin_[0] = 0;
}

int Walkers::find_near(std::uint32_t place, std::span<Near> near) const {
  const Vec2f p = sorted_[place].position;
  const Vec2f at = (p - corner_) / size_;
  const int column = int(at.x()), row = int(at.y());
  const auto most = int(near.size());
  int count = 0;
  float limit = law_.range * law_.range;
  const auto look_at = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t k = from; k < to; ++k) {
      const float d2 = (sorted_[k].position - p).squaredNorm();
      if (d2 >= limit || k == place) continue;
      int i = count < most ? count++ : most - 1;
      for (; i > 0 && near[std::size_t(i - 1)].distance2 > d2; --i)
        near[std::size_t(i)] = near[std::size_t(i - 1)];
      near[std::size_t(i)] = {d2, k};
      if (count == most) limit = near[std::size_t(most - 1)].distance2;
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
  // Ring after ring of cells, until none nearer can come.
  const Vec2f within = (at - Vec2f(float(column), float(row))) * size_;
  const float edge = std::min({within.x(), within.y(), size_ - within.x(), size_ - within.y()});
  look_in_row(row - 1, column - 1, column + 1);
  look_in_row(row, column - 1, column + 1);
  look_in_row(row + 1, column - 1, column + 1);
  for (int ring = 2;; ++ring) {
    const float nearest = edge + float(ring - 1) * size_;
    if (nearest * nearest >= limit) break;
    if (column - ring < 0 && column + ring >= columns_ && row - ring < 0 && row + ring >= rows_)
      break;
    look_in_row(row - ring, column - ring, column + ring);
    look_in_row(row + ring, column - ring, column + ring);
    for (int r = row - ring + 1; r < row + ring; ++r) {
      look_in_row(r, column - ring, column - ring);
      look_in_row(r, column + ring, column + ring);
    }
  }
  return count;
}

std::size_t Walkers::walls_near(const Disc& self, std::span<HalfPlane> planes) const {
  std::size_t count = 0;
  const float far = self.radius + self.fastest * law_.wall_horizon;
  for (const Wall& wall : walls_) {
    const Vec2f offset = nearest_on(wall, self.position) - self.position;
    if (offset.squaredNorm() > far * far) continue;
    planes[count++] = avoid_wall(offset, self.radius, law_.wall_horizon);
    if (count == planes.size()) break;
  }
  return count;
}

void Walkers::choose(std::size_t first, std::size_t count, std::span<Vec2f> out) const {
  std::array<Near, kMostNear> near;
  std::array<HalfPlane, kMostPlanes> planes;
  const auto most = std::size_t(std::clamp(law_.neighbours, 0, kMostNear));
  for (std::size_t place = first; place < first + count; ++place) {
    const Disc& self = sorted_[place];
    const std::size_t firm = walls_near(self, std::span(planes).first(kMostWalls));
    std::size_t used = firm;
    const int found = most > 0 ? find_near(std::uint32_t(place), std::span(near).first(most)) : 0;
    for (int i = 0; i < found; ++i) {
      const Disc& other = sorted_[near[std::size_t(i)].place];
      const float both = self.share + other.share;
      planes[used++] = avoid_disc(other.position - self.position, self.velocity - other.velocity,
                                  self.velocity, self.radius + other.radius, law_.horizon,
                                  both > 0 ? self.share / both : 0.5f, law_.step);
    }
    out[index_[place]] = allowed_velocity(std::span<const HalfPlane>(planes).first(used), firm,
                                          self.preferred, self.fastest);
  }
}

}  // namespace promenade::behaviour::crowd
