#pragma once

#include <cstddef>
#include <vector>

#include "physics/ground/ground.h"

// Private to physics/: where blocks meet. A shape that crosses from one block to another with the
// same upper side must not feel the edge between them: it is inside the ground.
namespace promenade::physics {

/// m: blocks that are no further apart have no gap for bodies that walk, slide or roll. Wider gaps
/// would close holes that are meant.
inline constexpr double kSeamGap = 1.2e-3;
/// m: upper sides that differ by no more are one. More would hide steps that are meant.
inline constexpr double kSeamStep = 1e-3;

/// The side of a block that faces up most. World frame.
struct BlockTop {
  Vec3 center = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  Vec3 along = Vec3::UnitX(), across = Vec3::UnitY();
  double half_along = 0, half_across = 0;  // m
  int axis = 2;                            // of the block that is normal to it

  BlockTop() = default;
  BlockTop(const Pose& pose, const Vec3& half);
  /// Height over its plane, m, along the normal.
  double above(const Vec3& p) const { return normal.dot(p - center); }
  /// Whether a point is over it or over half of a gap beside it.
  bool covers(const Vec3& p) const;
};

class Seams {
 public:
  Seams() = default;
  /// @param bounds [blocks] of all times
  Seams(const GroundPlan& plan, const std::vector<Eigen::AlignedBox3d>& bounds);

  const BlockTop& top(std::size_t block) const { return tops_[block]; }
  /// Blocks at rest on which an upper side continues have the same number; -1 of one that continues
  /// on no other.
  int group(std::size_t block) const { return group_[block]; }
  /// Whether other ground may cover a side of it, at any time.
  bool is_adjoined(std::size_t block) const { return adjoined_[block] != 0; }
  /// Whether the plane z = 0 covers it wholly.
  bool is_buried(std::size_t block) const { return buried_[block] != 0; }
  bool any_flush() const { return any_flush_; }

 private:
  std::vector<BlockTop> tops_;           // [blocks]
  std::vector<int> group_;               // [blocks]
  std::vector<char> adjoined_, buried_;  // [blocks]
  bool any_flush_ = false;
};

/// Whether a block stays where it is. Its surface may move.
inline bool is_at_rest(const GroundBlock& block) { return !block.motion || !block.motion->moves(); }

}  // namespace promenade::physics
