#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "physics/articulated_body.h"
#include "physics/dynamics/spatial.h"
#include "physics/tie.h"

// Private to physics/: what a body keeps from one stage of a step to the next.
namespace promenade::physics {

struct Batch;    // numbers of several bodies in a step
struct GeomSet;  // ODE shapes of the links
struct NearBlocks;

/// Most contacts of one body. A body under a heap of others may have that many.
inline constexpr std::size_t kMaxPoints = 192;
/// Forces on one body for its next step, at most, in a state that is read.
inline constexpr std::size_t kMaxForces = 256;

/// One coordinate of a body that is in a step: see CoordinateLanes.
struct Coordinate {
  Spatial axis, force;
  double inverse = 0;
  double velocity = 0;
};

struct RememberedImpulse {
  std::uint64_t key = 0;
  std::array<double, 3> impulse{};
  Vec3 at = Vec3::Zero();  // m, in the link's frame
};

struct ArticulatedBody::Work {
  std::shared_ptr<const ArticulationModel> model;
  ArticulationState state;
  std::vector<LinkMotion> links;
  std::vector<JointDrive> drives;
  std::vector<ExternalForce> forces;
  std::vector<ContactPoint> points;
  std::vector<std::uint64_t> keys;  // [points] names a contact from step to step
  // These two are of the other body, -1 for the ground.
  std::vector<int> partner_link;  // [points] empty after a step in parts
  std::vector<int> partner;       // [points] its index in the island
  std::vector<RememberedImpulse> memory;
  double memory_dt = 0;      // s, the step, or its part, that `memory` is of
  bool asleep = false;       // nothing moves it; to others it is like ground
  bool state_is_new = true;  // not stepped since it was set
  Disturbance disturbance;
  double pressed = 0;  // N s, sum of the impulses of others on it in this step while it sleeps
  // In the step under way: its island in the list that it is stepped with, its place in the island,
  // and whether it has a tie.
  int island = 0, place = 0;
  bool tied = false;
  bool fine = false;
  bool in_parts = false;                  // the last step was
  std::vector<ContactPoint> whole;        // contacts of the parts done so far, of a step in parts
  std::vector<std::uint64_t> whole_keys;  // [whole]
  std::vector<int> whole_partner;         // [whole]
  std::uint32_t touched = 0;  // bits: links that something touches, also by points of other bodies
  mutable Eigen::AlignedBox3d bounds;
  mutable bool bounds_known = false;

  // The batch that holds its numbers in the step under way; null between steps.
  Batch* batch = nullptr;
  int lane = 0;
  std::unique_ptr<GeomSet> geoms;
  bool geoms_placed = false;  // in this step
  std::unique_ptr<NearBlocks> near_blocks;

  Work();
  ~Work();
};

/// Link motions from the state.
void update_kinematics(ArticulatedBody::Work& w);
/// World bounds of all shapes.
const Eigen::AlignedBox3d& bounds_of(const ArticulatedBody::Work& w);

/// Mass matrices with implicit servos, factored; velocities at the end of the step without
/// contacts. Until `integrate` the numbers are in the workspace.
void prepare_dynamics(std::span<ArticulatedBody* const> bodies, const StepSettings& settings,
                      Workspace& workspace);
/// A coordinate of a body between prepare_dynamics and integrate, about the root's origin.
Coordinate coordinate_of(const ArticulatedBody::Work& w, int k);
/// Between the same two calls: the velocity of a link at the end of the step without contacts.
Spatial link_velocity(const ArticulatedBody::Work& w, int link);
/// Between them, too: the velocity that a link gets from a unit impulse on it. @pre it is in
/// `touched` or leads to one that is
SpatialMatrix own_response(const ArticulatedBody::Work& w, int link);
/// Between them, too: applies the impulses of contacts and ties to links.
/// @param impulses [touched] about the origin
void apply_impulses(const ArticulatedBody::Work& w, std::span<const int> touched,
                    std::span<const Spatial> impulses);
/// Impulses -> velocities -> new states, link motions.
/// @pre prepare_dynamics with the same bodies and workspace, and nothing stepped in it since
void integrate(std::span<ArticulatedBody* const> bodies, double dt, Workspace& workspace);

/// Fills points of each body: against the ground as it is at `time`, s, and against later bodies of
/// the island. Links that are tied to each other do not touch, unless their tie says so.
void collide(std::span<ArticulatedBody* const> bodies, std::span<Tie* const> ties,
             const Ground& ground, double time, Workspace& workspace);
/// Solves all contacts and ties of an island; changes velocities, writes forces into points and
/// ties.
void solve_constraints(std::span<ArticulatedBody* const> bodies, std::span<Tie* const> ties,
                       const StepSettings& settings, Workspace& workspace);

}  // namespace promenade::physics
