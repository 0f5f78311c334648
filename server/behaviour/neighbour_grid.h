#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "behaviour/behaviour.h"

namespace promenade::behaviour {

/// Finds the nearest others on the ground in time that does not grow with the crowd. Rebuilt every
/// tick; allocates nothing once its arrays have grown.
class NeighbourGrid {
 public:
  /// @param everyone  copied; a radius of 0 or less leaves one out
  void build(std::span<const Neighbour> everyone);

  /// The nearest within kNeighbourRange of everyone[self], without itself, nearest first; at most
  /// out.size(). Ties go to the lower index. @return how many
  int nearest(std::size_t self, std::span<Neighbour> out) const;

 private:
  std::size_t cell_of(const Vec2& p) const;

  std::vector<Neighbour> everyone_;
  std::vector<std::uint32_t> cell_start_;  // [cells + 1] into order_
  std::vector<std::uint32_t> order_;       // [n] indices, cell by cell, ascending within one
  std::vector<std::uint32_t> cell_;        // [n]
  Vec2 origin_ = Vec2::Zero();
  double cell_size_ = kNeighbourRange;
  int columns_ = 0, rows_ = 0;
};

}  // namespace promenade::behaviour
