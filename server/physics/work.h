#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "physics/articulated_body.h"
#include "physics/spatial.h"

// Private to physics/: what a body keeps from one stage of a step to the next.
namespace promenade::physics {

struct GeomSet;  // ODE shapes of the links

/// Contacts of one body, at most: one under a heap of others has as many, not one that lies flat.
inline constexpr std::size_t kMaxPoints = 192;

/// Servo and stop of a coordinate in this step. Those of the root do nothing.
struct Servo {
  double torque = 0;                 // N m, without the limit, at the speed of the start
  double damping = 0, spring = 0;    // kd dt and kp dt^2
  double limit = 1e9;                // N m
  double asked_last = 0;             // N m, JointDrive::asked
  double stop = 0, stop_torque = 0;  // what the stop adds to the mass matrix, and its torque
  double share = 1;                  // of the speed at the end of the step in the damping
  int held = 0;                      // to the limit, 1, or that the other way, -1; else 0
};

/// One coordinate of a body in the recursions of the articulated-body method. The mass matrix,
/// servos included, is L^T D L, but L is never written out: its entry of this coordinate and one
/// above it is `force` . that one's axis / d.
struct Coordinate {
  Spatial axis;        // what moves below it, at unit velocity
  Spatial force;       // articulated inertia of what is below, times axis
  double d = 0;        // of the factor D
  double inverse = 0;  // 1 / d
  double servo = 0;    // what implicit servo and stop add to the mass matrix
  double torque = 0;   // of both, at the speed of the start of the step
  double answer = 0;   // its own acceleration (or change of velocity) if nothing above it moved
};

/// One link in the recursions. About the root's origin at the start of the step, world axes.
struct LinkWork {
  int first = 0, end = 0;  // its coordinates
  bool carries = false;    // it, or something that hangs on it, lies on something
  Spatial velocity;        // before the step, then without contacts: prepare_dynamics
  Spatial acceleration;    // with no joint accelerating; then what the joints add
  Spatial force;           // needed for the above, with that of the links below
  SpatialMatrix inertia;   // articulated: of the link and what hangs on it
};

struct RememberedImpulse {
  std::uint64_t key = 0;
  std::array<double, 3> impulse{};
};

struct ArticulatedBody::Work {
  std::shared_ptr<const ArticulationModel> model;
  ArticulationState state;
  std::vector<LinkMotion> links;
  std::vector<JointDrive> drives;
  std::vector<ExternalForce> forces;
  std::vector<ContactPoint> points;
  std::vector<std::uint64_t> keys;  // [points] names a contact from step to step
  std::vector<int> partner_link;    // [points] link of the other body, -1 for terrain
  std::vector<int> partner;         // [points] island index of the other body, -1 for terrain
  std::vector<RememberedImpulse> memory;
  Eigen::AlignedBox3d bounds;

  Vec3 origin = Vec3::Zero();           // of the spatial vectors of this step
  std::vector<Coordinate> coordinates;  // [dof]
  std::vector<LinkWork> recursion;      // [links]
  std::vector<Servo> servos;            // [dof]
  std::vector<double> velocity;         // [dof] at the end of the step; without contacts at first
  std::unique_ptr<GeomSet> geoms;
  bool geoms_placed = false;  // in this step

  Work();
  ~Work();
};

/// Link motions and bounds from the state.
void update_kinematics(ArticulatedBody::Work& w);
/// Mass matrix with implicit servos, factored; velocity at the end of the step without contacts.
/// Uses and clears `forces`.
void prepare_dynamics(ArticulatedBody::Work& w, const StepSettings& settings);
/// Adds to `velocity` what impulses on links do.
/// @param touched  links, ascending
/// @param impulses [touched] about the origin
void apply_impulses(ArticulatedBody::Work& w, std::span<const int> touched,
                    std::span<const Spatial> impulses);
/// velocity -> new state, link motions.
void integrate(ArticulatedBody::Work& w, double dt);

/// Fills points of each body: against terrain and against later bodies of the island.
void collide(std::span<ArticulatedBody* const> bodies, const Terrain& terrain);
/// Solves all contacts of an island; changes velocities, writes forces into points.
void solve_contacts(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                    const StepSettings& settings);

}  // namespace promenade::physics
