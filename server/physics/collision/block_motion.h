#pragma once

#include <vector>

#include "physics/ground.h"

// Private to physics/: the closed form of how a block moves.
namespace promenade::physics {

/// The way of one block, its legs laid end to end.
class BlockTrack {
 public:
  explicit BlockTrack(const GroundBlock& block);
  BlockNow at(const GroundBlock& block, double time) const;
  /// Holds the block at every time.
  const Eigen::AlignedBox3d& reach() const { return reach_; }

 private:
  struct Leg {
    Vec3 from, to;
    double starts = 0;    // s, in the round: the pause
    double duration = 0;  // s, of the way after it
  };
  std::vector<Leg> legs_;
  double round_ = 0;  // s, until it is at its first centre again
  Eigen::AlignedBox3d reach_;
};

}  // namespace promenade::physics
