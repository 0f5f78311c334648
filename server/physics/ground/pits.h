#pragma once

#include <vector>

#include "physics/ground/ground.h"

// Private to physics/: the plane z = 0 with its pits.
namespace promenade::physics {

/// A level edge where ground ends above a pit or a deeper part of one. `into` points away from that
/// ground.
struct PitEdge {
  Vec3 from, to;
  Vec3 into;      // unit, level: over the pit
  double bottom;  // m, height at which the wall below it ends; minus infinity: never
};

/// The ground under z = 0: solid but for the pits. Pits that overlap are one with steps in it.
class PitMap {
 public:
  explicit PitMap(const GroundPlan& plan);

  bool empty() const { return pits_.empty(); }
  /// Height of the ground at (x, y), m: 0, a pit's floor, or minus infinity.
  double floor(double x, double y) const;
  const std::vector<PitEdge>& edges() const { return edges_; }
  /// Bounds of all pits, world frame, m.
  const Eigen::AlignedBox2d& bounds() const { return bounds_; }

 private:
  std::vector<Pit> pits_;
  std::vector<PitEdge> edges_;
  Eigen::AlignedBox2d bounds_;
};

}  // namespace promenade::physics
