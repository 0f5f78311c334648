#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "physics/articulation.h"

namespace promenade {

/// Servo gains of a joint: per radian and in N m, or, of a slider, per metre and in N.
struct JointGains {
  double kp = 0;                     // N m / rad, N / m
  double kd = 0;                     // N m s / rad, N s / m
  Vec3 limit = Vec3::Constant(1e9);  // N m about the child's x, y, z; N
  Vec3 scale = Vec3::Ones();         // about the child's x, y, z
  bool passive = false;              // a spring at rest in the rest pose: nothing drives the joint
};

enum class LimbKind : std::uint8_t { kLeg, kArm, kTrunk, kHead, kTail };

/// A chain of links with a purpose, each the child of the one before it.
struct Limb {
  std::string name;
  LimbKind kind = LimbKind::kLeg;
  std::vector<int> links;  // from the body outwards
  int soles = 0;           // the last of `links` that press on the ground
  // Of legs, m:
  double length = 0;       // first joint to the joint of the first sole, in the zero pose
  double sole_height = 0;  // that joint above the lowest point of the first sole, in the rest pose
};

/// A creature or a thing, any tree of links: built from a v1::Creature, never changed afterwards.
struct Creature {
  std::string name, title, color;
  std::shared_ptr<const physics::ArticulationModel> model;
  std::vector<std::string> link_names;   // [links]
  std::vector<std::string> joint_names;  // [links], entry 0 empty
  std::vector<JointGains> gains;         // [links], of the joint to the parent
  std::vector<Vec3> rest;  // [links] of the joint to the parent, rad or m: the pose it is placed in
  std::vector<Limb> limbs;         // as in the file; things have none
  int trunk = 0;                   // the link that is upright while it stands: last of the trunk
  double total_mass = 0;           // kg
  double leg_length = 0;           // m, mean over the legs; without legs the height of the COM
  double standing_height = 0;      // m, root's origin above the ground in the rest pose
  double height = 0;               // m, of its highest point above the ground in the rest pose
  double standing_com_height = 0;  // m, centre of mass above the ground in the rest pose

  /// Leg length over that of the human (0.86 m): the scale of steps.
  double leg_scale() const { return leg_length / 0.86; }
  int find_link(const std::string& name) const;   // -1 if none
  int find_joint(const std::string& name) const;  // link index of its child, -1 if none
};

}  // namespace promenade
