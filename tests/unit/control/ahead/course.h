#pragma once

#include <memory>
#include <utility>

#include "control/ahead/relief.h"
#include "math/random.h"
#include "math/rotation.h"

namespace promenade::control::ahead {

/// What a human steps up, down and over.
inline ReliefLimits human_limits() {
  ReliefLimits out;
  out.spacing = 0.04;
  out.edge = 0.07;
  out.slack = 0.02;
  out.most_riser = out.most_drop = out.drop_behind = 0.28;
  out.stood_on = out.rise_behind = 0.12;
  out.least_riser = out.least_drop = 0.1;
  out.most_height = 0.45;
  out.most_depth = 0.4;
  out.most_both = 0.7;
  out.sole = 0.25;
  out.foot_room = 0.33;
  return out;
}

/// Blocks across a way in a random direction through a random place.
class Course {
 public:
  static constexpr double kHalfWidth = 0.14;  // m, of the lane
  static constexpr double kExact = 0.01;      // m, to which things are to be found

  explicit Course(std::uint64_t seed) : random(seed) {
    yaw_ = random.uniform(-kPi, kPi);
    const Vec2 through(random.uniform(-20, 20), random.uniform(-20, 20));
    way = Way::through(through, Vec2(std::cos(yaw_), std::sin(yaw_)), kHalfWidth);
  }
  /// A block over the whole lane.
  /// @param near, far     m along the way
  /// @param bottom, top   m
  /// @param pitch         rad about its own middle, positive rises along the way
  void add(double near, double far, double bottom, double top, double pitch = 0) {
    physics::GroundBlock block;
    block.half = Vec3(0.5 * (far - near), 3, 0.5 * (top - bottom));
    const Vec2 middle = way.at(0.5 * (near + far));
    block.pose.position = Vec3(middle.x(), middle.y(), 0.5 * (bottom + top));
    block.pose.rotation = rotation_z(yaw_) * rotation_y(-pitch);
    plan.blocks.push_back(block);
  }
  /// The ground made of all that has been added.
  GroundView view() {
    ground_ = std::make_unique<physics::Ground>(plan);
    now_ = std::make_unique<physics::GroundNow>(*ground_);
    return {now_.get()};
  }
  /// Blocks whose undersides are higher than `hanging_from`, m, hang.
  GroundView view_below(double hanging_from) {
    GroundView out = view();
    out.hanging_from = hanging_from;
    return out;
  }
  double yaw() const { return yaw_; }

  Random random;
  Way way;
  physics::GroundPlan plan;

 private:
  double yaw_ = 0;
  std::unique_ptr<physics::Ground> ground_;
  std::unique_ptr<physics::GroundNow> now_;
};

}  // namespace promenade::control::ahead
