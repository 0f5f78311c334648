#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "behaviour/crowd/half_planes.h"

namespace promenade::behaviour::crowd {

/// Finds the nearest of a crowd on the ground in time that does not grow with the crowd. Places
/// are sorted by cells, and the rings of cells about a place are looked through until none nearer
/// can come. Cells get the size at which a walker shares its own with few others: a crowd on a
/// line or in a corner of a large square has smaller ones than a crowd that fills it. Allocates
/// nothing once its arrays have grown to the crowd.
class DiscGrid {
 public:
  struct Near {
    float distance2;
    std::uint32_t slot;  // in order()
  };

  /// @param places  [crowd] m, finite
  /// @param range   m, the greatest that nearest() will be asked for
  void build(std::span<const Vec2f> places, float range);

  /// Indices into the places, cell by cell: walkers near each other are near in it, too.
  std::span<const std::uint32_t> order() const { return order_; }
  /// The nearest to the place at a slot within `range`, without itself, nearest first; ties in the
  /// order of slots.
  /// @param wanted  at most so many, but
  /// @param close   m, everybody nearer than this too, as far as `out` reaches
  /// @return how many
  std::size_t nearest(std::uint32_t slot, float range, std::size_t wanted, float close,
                      std::span<Near> out) const;

 private:
  void count_cells(std::span<const Vec2f> places, const Vec2f& extent);
  double shared() const;
  void fill(std::span<const Vec2f> places);

  std::vector<Vec2f> sorted_;         // [crowd] places by slot
  std::vector<std::uint32_t> order_;  // [crowd]
  std::vector<std::uint32_t> cell_;   // [crowd] by index
  std::vector<std::uint32_t> begin_;  // [cells + 1] into sorted_
  Vec2f corner_ = Vec2f::Zero();      // m
  float size_ = 1;                    // m, of a cell
  int columns_ = 1, rows_ = 1;
};

}  // namespace promenade::behaviour::crowd
