#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "math/types.h"
#include "physics/material.h"

namespace promenade::physics {

inline constexpr int kMaxLinks = 32;  // of a body: a set of links fits into a word of bits
inline constexpr int kMaxDof = 6 + 3 * (kMaxLinks - 1);  // every joint a ball

/// Spring and damper of one contact point of bodies up to the size of a giant.
inline constexpr double kContactStiffness = 1.2e5;  // N/m
inline constexpr double kContactDamping = 1.5e3;    // N s/m

/// How a link moves against its parent; of the root, against the world.
enum class JointKind : std::uint8_t {
  kFree,    // roots only: world linear velocity of the root's origin, world angular velocity
  kPlanar,  // roots only: moves in the plane through its origin that its own y axis is normal to,
            // and turns about that axis. Coordinates: velocity along the plane's level direction x,
            // along z, up the plane (in one that lies flat the world's -y), and of the turn
  kFixed,   // roots only: stays where it was placed
  kHinge,   // turns about `axis`
  kUniversal,  // pitch about the parent's y, then roll about the child's x
  kBall,       // angular velocity relative to the parent, in the child's axes
  kSlider,     // moves along `axis`
};

/// The facts about a kind of joint: a row of the one table of joints.
struct JointType {
  const char* name;  // as in files
  int dof;           // velocity coordinates
  bool root;         // ties a root to the world; all others tie a link to its parent
  bool linear;       // coordinates in m, m/s and N, not rad, rad/s and N m
  bool has_axis;     // LinkModel::axis counts
  bool rotation;     // its position is ArticulationState::joint, not ::angle
};
inline constexpr std::array<JointType, 7> kJointTypes = {{
    {"FREE", 6, true, false, false, false},
    {"PLANAR", 3, true, false, false, false},
    {"FIXED", 0, true, false, false, false},
    {"HINGE", 1, false, false, true, false},
    {"UNIVERSAL", 2, false, false, false, false},
    {"BALL", 3, false, false, false, true},
    {"SLIDER", 1, false, true, true, false},
}};

constexpr const JointType& type_of(JointKind kind) {
  return kJointTypes[static_cast<std::size_t>(kind)];
}
/// Degrees of freedom of a joint.
constexpr int dof_of(JointKind kind) { return type_of(kind).dof; }

struct Shape {
  enum class Kind : std::uint8_t { kCapsule, kBox, kSphere, kCylinder } kind = Kind::kCapsule;
  Vec3 a = Vec3::Zero();  // capsule and cylinder: one end; box and sphere: centre (link frame)
  Vec3 b = Vec3::Zero();  // capsule and cylinder: other end; box: half extents
  double radius = 0;      // all but boxes
  std::optional<Material> material;  // none: see on_ground and between_bodies
};

/// One link and the joint that ties it to its parent.
struct LinkModel {
  int parent = -1;              // index, smaller than its own; -1 for the root
  double mass = 0;              // kg
  Vec3 inertia = Vec3::Zero();  // principal moments about the COM, link axes, kg m^2
  JointKind joint = JointKind::kFree;
  Vec3 at_parent = Vec3::Zero();  // joint centre in the parent's frame, m
  Vec3 at_child = Vec3::Zero();   // joint centre in this link's frame, m
  Vec3 axis = Vec3::UnitY();      // hinge, slider; a unit vector
  // Limits of the joint's coordinates, rad (m of a slider): hinge, slider [0]; universal [0] roll,
  // [1] pitch; ball roll, pitch, yaw of the rotation vector.
  Vec3 lower = Vec3::Constant(-std::numeric_limits<double>::infinity());
  Vec3 upper = Vec3::Constant(std::numeric_limits<double>::infinity());
  std::vector<Shape> shapes;
  bool is_foot = false;  // its contacts with the ground count as support
  // The spring and damper beyond a limit, N m/rad and N m s/rad; N/m and N s/m of a slider. Where
  // they are 0 finish() fills them in from the body's mass and size.
  double stop_stiffness = 0, stop_damping = 0;
  int dof = 0;           // first velocity coordinate, set by finish()
  double reach = 0;      // m, of its shapes from its origin, set by finish()
  double thickness = 0;  // m, the least extent of its thinnest shape; 0 without shapes; by finish()
};

/// A tree of links. The link frame's origin is its centre of mass.
struct ArticulationModel {
  std::vector<LinkModel> links;
  int dof_count = 0;
  double total_mass = 0;  // kg, of what moves: without a fixed root
  double size = 0;        // m, radius of gyration about the centre of mass in the zero pose
  double thinnest = std::numeric_limits<double>::infinity();  // m, thickness of its thinnest link
  // Factors by which the body's contacts are harder than those of StepSettings, 1 or more.
  double stiffness_scale = 1, damping_scale = 1;
  /// Whether the forces of motion (Coriolis, centrifugal, gyroscopic) are taken in the middle of a
  /// step. This costs twice as much, but a body that swings or spins freely keeps its energy. With
  /// the forces of the start a top gains speed; limbs under servos hardly spin and do not show it.
  bool by_the_middle = false;
  /// Whether its contacts with the ground and with other hard bodies are as stiff as their masses
  /// allow, so that things of any size can be piled up. All other contacts have the springs of
  /// StepSettings, to which controllers are tuned.
  bool hard = false;
  std::vector<int> dof_parent;  // [dof] the coordinate above it in the tree, -1 at the top

  /// Numbers the coordinates and computes what follows from masses and lengths. Bodies of one link
  /// and bodies whose root is not free get by_the_middle. @pre parents come before children, and
  /// there is one root
  void finish();
};

/// Generalised position and velocity.
struct ArticulationState {
  Pose root;  // world_from_root
  std::vector<Quat>
      joint;  // [links] child's rotation relative to its parent (identity at the root)
  // [links] hinge: x, rad; slider: x, m; universal: x roll, y pitch (they define `joint`)
  std::vector<Vec2> angle;
  std::vector<double> velocity;  // [dof] of the root, see JointKind, then of the joints
};

/// Where the links are and how they move. World frame.
struct LinkMotion {
  Vec3 position;  // of the centre of mass
  Mat3 rotation;  // world_from_link
  Vec3 velocity;  // of the centre of mass
  Vec3 omega;     // angular velocity
};

/// A servo at a joint, integrated implicitly, so that any gain is stable at any step. Units are
/// those of a turning joint; for a slider read m, m/s and N for rad, rad/s and N m.
/// Law: torque = feedforward + kp * error(target) + kd * (target_velocity - velocity) on each axis
struct JointDrive {
  Quat target = Quat::Identity();       // ball: child relative to parent
  Vec2 target_angle = Vec2::Zero();     // hinge, slider: x; universal: x roll, y pitch
  Vec3 target_velocity = Vec3::Zero();  // rad/s, coordinates as in the velocity
  Vec3 kp = Vec3::Zero();               // N m / rad for each coordinate
  Vec3 kd = Vec3::Zero();               // N m s / rad
  Vec3 feedforward = Vec3::Zero();      // N m
  Vec3 limit = Vec3::Constant(1e9);     // N m, on the sum
  Vec3 applied = Vec3::Zero();          // N m, out: the torque of the last step
  Vec3 asked = Vec3::Zero();  // N m, out: the torque that would have been without the limit;
                              // 0 where the limit was more than enough
};

struct ContactPoint {
  int link = 0;
  Vec3 position = Vec3::Zero();          // world
  Vec3 normal = Vec3::UnitZ();           // world, from the other body or the ground to this link
  double depth = 0;                      // m, positive when overlapping
  Vec3 force = Vec3::Zero();             // N, on this link, mean over the last step
  bool on_ground = true;                 // false: on another body
  Material material;                     // of the two surfaces together
  Vec3 surface_velocity = Vec3::Zero();  // m/s, of ground that moves
};

struct ExternalForce {
  int link = 0;
  Vec3 point = Vec3::Zero();  // world
  Vec3 force = Vec3::Zero();  // N, world
};

}  // namespace promenade::physics
