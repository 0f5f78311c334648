#pragma once

#include <array>
#include <string>
#include <vector>

#include "study/trial/rig/rollout.h"

namespace promenade::trial {

/// Looks at the pose in which a biped is drawn: whether feet that stand slide, and joints are past
/// their limits. To be called after every step of the rollout.
class DrawnPose {
 public:
  explicit DrawnPose(const Rollout& rollout);
  void observe(const Rollout& rollout);

  /// [steps] m: how far a point of the sole moved along the ground while it bore, the furthest of
  /// one foot between touch-down and lift-off. Points within 2 mm of
  /// the lowest bear.
  const std::vector<double>& slides() const { return slides_; }
  /// rad, furthest past a limit of a joint; 0: never.
  double past_limit() const { return past_limit_; }
  /// The name of that joint; empty: none was past a limit.
  const std::string& worst_joint() const { return worst_joint_; }

 private:
  struct Point {
    std::size_t link;
    Vec3 at;  // link frame
    bool bore = false;
    Vec3 since = Vec3::Zero();  // world, where it began to bear
  };
  struct Foot {
    std::vector<Point> points;
    bool stands = false;
    double slide = 0;  // m, since it came down
  };
  void observe_foot(const Rollout& rollout, std::size_t side);
  void observe_joints(const Rollout& rollout);

  std::array<Foot, 2> feet_;
  std::vector<double> slides_;
  double past_limit_ = 0;
  std::string worst_joint_;
};

}  // namespace promenade::trial
