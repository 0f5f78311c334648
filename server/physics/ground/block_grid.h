#pragma once

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "math/types.h"

// Private to physics/: which blocks of the ground can be above or below a point.
namespace promenade::physics {

/// A grid over the level extents of all blocks. Controllers query the ground some thirty times a
/// step, and nearly all blocks are elsewhere.
class BlockGrid {
 public:
  BlockGrid() = default;
  /// @param bounds  [blocks] of each block at all times, world frame, m
  explicit BlockGrid(const std::vector<Eigen::AlignedBox3d>& bounds);

  /// Blocks whose bounds can contain (x, y), in ascending order, and others of the same cell.
  std::span<const int> near(double x, double y) const;

 private:
  /// Column or row of a coordinate along an axis, not yet limited to the grid.
  double cell(double at, int axis) const { return (at - from_[axis]) * per_m_[axis]; }

  Vec2 from_ = Vec2::Zero();   // m, corner of the first cell
  Vec2 per_m_ = Vec2::Zero();  // cells a metre along x and y
  int cells_ = 0;              // along each axis; 0: no blocks
  std::vector<int> start_;     // [cells * cells + 1] in `blocks_`
  std::vector<int> blocks_;    // of cell 0, of cell 1, ...
};

}  // namespace promenade::physics
