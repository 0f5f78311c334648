#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "physics/articulation.h"

namespace promenade {

/// The links every biped has; index into Creature::link. Left before right.
enum Part : int {
  kPelvis,
  kLowerBack,
  kTorso,
  kHead,
  kLeftUpperArm,
  kRightUpperArm,
  kLeftLowerArm,
  kRightLowerArm,
  kLeftThigh,
  kRightThigh,
  kLeftShank,
  kRightShank,
  kLeftFoot,
  kRightFoot,
  kLeftToes,
  kRightToes,
  kPartCount
};

/// File names of the parts: "pelvis", "lower_back", "torso", "head", "left_upper_arm", ...
const char* part_name(Part part);
/// The part that a part hangs on; kPartCount for the pelvis.
Part part_parent(Part part);
/// The joint between them: trunk, shoulders and hips are balls, elbows, knees and toes hinges,
/// ankles universal joints.
physics::JointKind part_joint(Part part);

struct JointGains {
  double kp = 0;              // N m / rad
  double kd = 0;              // N m s / rad
  double limit = 1e9;         // N m an axis
  Vec3 scale = Vec3::Ones();  // about the child's x, y, z
};

/// A biped as the controllers know it: built from a Character message, never changed afterwards.
struct Creature {
  std::string name, title, color;
  std::shared_ptr<const physics::ArticulationModel> model;
  std::vector<std::string> link_names;   // [links]
  std::vector<std::string> joint_names;  // [links], entry 0 empty
  std::array<int, kPartCount> link{};    // link index of each part
  std::vector<JointGains> gains;         // [links], of the joint to the parent
  double total_mass = 0;                 // kg
  std::array<double, 2> leg_length{};    // m, hip to ankle, straight; left, right
  std::array<double, 2> ankle_height{};  // m, ankle above the sole; left, right
  double standing_height = 0;            // m, root's origin above the ground in the zero pose
  double standing_com_height = 0;        // m

  /// Mean leg length over that of the human (0.86 m): the scale of steps.
  double leg_scale() const { return 0.5 * (leg_length[0] + leg_length[1]) / 0.86; }
  int find_link(const std::string& name) const;   // -1 if none
  int find_joint(const std::string& name) const;  // link index of its child, -1 if none
};

}  // namespace promenade
