#pragma once

#include <algorithm>
#include <cmath>

#include "control/gbwc/gbwc.h"
#include "math/rotation.h"

// Private to gbwc/.
namespace promenade::control {

/// What one update computes once and its parts share. World frame unless said.
struct Gbwc::Frame {
  physics::ArticulatedBody& state;
  const physics::Terrain& terrain;
  std::span<const physics::LinkMotion> links;
  std::span<physics::JointDrive> drives;
  BipedState s;
  std::array<Branch, physics::kMaxLinks> branch;
  std::array<double, 2> load{};     // on each foot, share of the weight; not smoothed: a late share
                                    // of a foot that lifts would throw its leg
  Quat heading = Quat::Identity();  // world_from_heading
  Quat pelvis = Quat::Identity();   // where it should be, world
  Vec2 velocity = Vec2::Zero();     // of the COM, heading frame
  double felt = 0;                  // m, the ground that is felt above what the terrain says
  double ground = 0;                // height under the stance foot (or between both), m
  double height = 1;                // COM above it, m
  double omega = 3;                 // 1/s, sqrt(g / height)
  double step_time = 0.6;           // s, of the style on this body
  double width = 0.1;               // m, step width likewise
  double phase_rate = 1;            // 1/s
  double trouble = 0;               // 0 on course, 1 far off
  double unrest = 0;                // 1 in a turn or a change of speed
  double longer = 1;                // what is off grows so much more than in a usual step
  double firm = 0;                  // 1 where a long step has to be held on its course, else 0

  /// Height of the ground, m: the terrain's as far as the foot that carries has found it true.
  double ground_at(const Vec2& at) const { return terrain.height(at.x(), at.y()) + felt; }
  double ground_at(const Vec3& at) const { return ground_at(Vec2(at.head<2>())); }
  /// Speed of a pendulum over its step, of its mean: slowest in mid-step.
  double natural_pace(double phase) const {
    const double half = 0.5 * omega * step_time;
    return half * std::cosh(half * (2 * std::min(phase, 1.0) - 1)) / std::sinh(half);
  }

  Vec2 in_heading(const Vec3& v) const { return rotated(v.head<2>(), -yaw); }
  double yaw = 0;  // the heading's angle
};

/// Where a foot is stood on, ahead of the ankle: of the reach of its sole forward.
inline constexpr double kStoodAhead = 0.3;

inline double side_sign(int side) { return side == kLeft ? 1.0 : -1.0; }

}  // namespace promenade::control
