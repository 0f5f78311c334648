#pragma once

#include <array>

#include "character/body.h"
#include "physics/articulated_body.h"

namespace promenade {

inline constexpr int kLeft = 0;
inline constexpr int kRight = 1;

/// What controllers ask about a biped at an instant. World frame, SI; arrays are left, right.
struct BipedState {
  Vec3 com = Vec3::Zero();
  Vec3 com_velocity = Vec3::Zero();
  Quat pelvis = Quat::Identity();        // world_from_pelvis
  double heading = 0;                    // of the pelvis, rad
  std::array<Vec3, 2> hip, knee, ankle;  // joint centres
  std::array<Vec3, 2> ankle_velocity;
  std::array<Vec3, 2> foot_force{Vec3::Zero(), Vec3::Zero()};  // N, on foot and toes
  std::array<Vec3, 2> foot_pressure_centre;  // of those forces; the ankle where there are none
  std::array<bool, 2> on_ground{false, false};
};

/// Centre of mass and its velocity, joints of the legs, load on the feet.
/// Allocates nothing.
BipedState observe(const Body& body, const physics::ArticulatedBody& state);

/// Mass and centre of mass of a link and all links beyond it.
struct Branch {
  double mass = 0;
  Vec3 com = Vec3::Zero();
};

/// [links] For each link, of the part of the body that its joint carries. Allocates nothing.
void branches(const physics::ArticulatedBody& body, std::array<Branch, physics::kMaxLinks>& out);

/// Where the joint of a link to its parent is, world frame.
Vec3 joint_position(const physics::ArticulatedBody& body, int link);

/// Where an inverted pendulum of height `height` moving at `velocity` must be supported to come to
/// rest upright, relative to its mass, on one axis.
/// Law:    d = v sqrt(h / g + v^2 / (4 g^2))
/// Source: Coros2010 §3.2
double capture_distance(double velocity, double height, double gravity = 9.8);

}  // namespace promenade
