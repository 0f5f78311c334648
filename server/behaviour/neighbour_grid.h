#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "behaviour/behaviour.h"

namespace promenade::behaviour {

/// Finds the nearest others on the ground in time that does not grow with the crowd. Rebuilt every
/// tick; allocates nothing once its arrays have grown to the crowd. Cells have one size and are
/// found by a hash of their place, so that a character far away costs no more than one nearby.
class NeighbourGrid {
 public:
  /// @param everyone  copied; a radius of 0 or less leaves one out
  void build(std::span<const Neighbour> everyone);

  /// The nearest within kNeighbourRange of everyone[self], without itself, nearest first; at most
  /// out.size(). Ties go to the lower index. @return how many
  int nearest(std::size_t self, std::span<Neighbour> out) const;

 private:
  struct Cell {
    std::int64_t column, row;
    bool operator==(const Cell&) const = default;
  };
  static Cell cell_at(const Vec2& p);
  std::size_t bucket_of(const Cell& cell) const;

  std::vector<Neighbour> everyone_;
  std::vector<Cell> cell_;                   // [n]
  std::vector<std::uint32_t> bucket_start_;  // [buckets + 1] into order_; buckets a power of two
  std::vector<std::uint32_t> order_;         // indices, bucket by bucket, each of one or more cells
};

}  // namespace promenade::behaviour
