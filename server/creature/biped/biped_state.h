#pragma once

#include <array>

#include "creature/biped/biped.h"
#include "physics/articulated_body.h"

namespace promenade {

/// The state of a biped that controllers read. World frame, SI; arrays are left, right.
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

/// Load of the contacts on a foot and its toes, of a step or summed over several.
struct FootLoad {
  Vec3 force = Vec3::Zero();   // N
  Vec3 moment = Vec3::Zero();  // N m, sum of the contacts' positions times their vertical forces
  double weight = 0;           // N, vertical

  FootLoad& operator+=(const FootLoad& other);
  FootLoad& operator/=(double count);
};

/// Loads of the last step, on the left and the right foot. Allocates nothing.
std::array<FootLoad, 2> foot_loads(const Biped& biped, const physics::ArticulatedBody& state);

/// Centre of mass and its velocity, joints of the legs, load on the feet: that of the last step, or
/// the load that is given. Allocates nothing.
BipedState observe(const Biped& biped, const physics::ArticulatedBody& state);
BipedState observe(const Biped& biped, const physics::ArticulatedBody& state,
                   const std::array<FootLoad, 2>& loads);

/// Mass and centre of mass of a link and all links beyond it.
struct Branch {
  double mass = 0;
  Vec3 com = Vec3::Zero();
};

/// Fills [links] with the branch that begins at each link: the part that its joint carries.
/// Allocates nothing.
void branches(const physics::ArticulatedBody& body, std::array<Branch, physics::kMaxLinks>& out);

/// Where the joint of a link to its parent is, world frame.
Vec3 joint_position(const physics::ArticulatedBody& body, int link);

/// Height of the left shoulder over the soles, m, of a creature that stands upright.
/// @param upright  the creature in the zero pose
double shoulder_height(const Creature& creature, const Biped& biped,
                       const physics::ArticulatedBody& upright);

/// Where an inverted pendulum must be supported, relative to its mass, to come to rest upright; m,
/// on one axis.
/// Law:    d = v sqrt(h / g + v^2 / (4 g^2)), v velocity, h height of the mass, g gravity
/// Source: Coros2010 §3.2
double capture_distance(double velocity, double height, double gravity = physics::kGravity);

}  // namespace promenade
