#pragma once

#include <span>

#include "control/rise/rise.h"
#include "math/rotation.h"

namespace promenade::control {

/// The state that all parts of a step of Rise look at. World frame, SI.
struct Rise::Frame {
  physics::ArticulatedBody& body;
  const physics::GroundNow& ground;
  double dt;
  BipedState s;
  std::span<const physics::LinkMotion> links;
  Mat3 torso, pelvis;            // world_from_link
  Mat3 level;                    // columns: the way it faces or its head points, left, up
  std::array<Vec3, 2> shoulder;  // joint centres
  std::array<Vec3, 2> ball;      // of the feet: joints of the toes
  double on_feet = 0;            // N, vertical load
  double omega = 1;              // 1/s, of a pendulum of the height of the COM

  Vec3 forward() const { return level.col(0); }
  Vec3 left() const { return level.col(1); }
  Vec3 capture_point() const { return s.com + s.com_velocity / omega; }
  double height(const Vec3& at) const { return ground.height(at.x(), at.y()); }
  Vec3 normal(const Vec3& at) const {
    const physics::GroundPoint point = ground.at(at.x(), at.y());
    return point.there ? point.normal : Vec3::UnitZ();
  }
};

/// Hands on the ground below the shoulders.
struct Rise::Hands {
  double ahead, apart;  // m, of the shoulders' places
  Quat trunk;           // as it should be
  double lift, push;    // m, of the shoulders, up and back
};

/// A pelvis over feet that stay where they are.
struct Rise::Seat {
  Mat3 level;    // columns: forward, left, up
  Vec3 pelvis;   // m, its origin as it should be
  Quat turn;     // world_from_pelvis as it should be
  double heels;  // rad, of the soles, heels up
};

/// Goes from 0 at `from` to 1 at `to`.
inline double ramp(double x, double from, double to) {
  return std::clamp((x - from) / (to - from), 0.0, 1.0);
}

}  // namespace promenade::control
