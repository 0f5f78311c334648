#pragma once

#include <vector>

#include "physics/ground/ground.h"

// Private to physics/: the closed form of how a block moves.
namespace promenade::physics {

/// The path of one block as a list of legs.
class BlockTrack {
 public:
  explicit BlockTrack(const GroundBlock& block);
  BlockNow at(const GroundBlock& block, double time) const;
  /// Bounds of the block at all times, world frame, m.
  const Eigen::AlignedBox3d& reach() const { return reach_; }

 private:
  struct Leg {
    Vec3 from, to;
    double starts = 0;    // s, from the start of the round to the start of the pause
    double duration = 0;  // s, of the movement after the pause
  };
  std::vector<Leg> legs_;
  double round_ = 0;  // s, until it is at its first centre again
  Eigen::AlignedBox3d reach_;
};

}  // namespace promenade::physics
