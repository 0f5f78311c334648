#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "physics/articulated_body.h"

// Private to physics/: what a body keeps from one stage of a step to the next.
namespace promenade::physics {

struct GeomSet;  // ODE shapes of the links

/// Contacts of one body, at most: one under a heap of others has as many, not one that lies flat.
inline constexpr std::size_t kMaxPoints = 192;

/// A spatial vector about the body's origin of the step: of motion (angular, linear) or of force
/// (moment, force). Featherstone 2008, chapter 2, in world axes.
struct Spatial {
  Vec3 angular = Vec3::Zero();
  Vec3 linear = Vec3::Zero();
};

/// Mass, first moment and second moment of one or more links about that origin.
struct SpatialInertia {
  double mass = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

/// The coordinates that move a link: those of its own joint and of all joints above it, from the
/// last one down to 0. Points into Work::ancestors.
struct Chain {
  const std::int16_t* dof = nullptr;
  int count = 0;
};

/// What one body has to do with a contact, in the solver.
struct ContactSide {
  Chain chain;
  double* z = nullptr;  // Work::z of the body
  std::size_t row = 0;  // in the solver's coefficients: D^-1/2 L^-T J^T over the chain, [count] of
                        // the normal, then [count][2] of the two tangents
};

/// One unilateral contact with its two friction directions, in the solver.
struct ContactRow {
  int point = 0;      // index into Work::points of body a
  int a = 0;          // index in the island
  bool pair = false;  // with another body, not with terrain
  ContactSide side_a, side_b;
  std::array<double, 3> impulse{};
  std::array<double, 3> inverse_mass{};  // 1 / (y.y + softness)
  double softness = 0;
  double target = 0;  // normal velocity wanted, m/s
  double friction = 0;
  std::array<Vec3, 3> direction;
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
  std::vector<Chain> chains;  // [links]
  int longest_chain = 0;      // coordinates
  // The mass matrix is zero but between a coordinate and those above it, and so is its factor: a
  // row holds the coordinate itself and then those above it, upwards.
  std::vector<int> row;                 // [dof] where its row begins in ancestors and factor
  std::vector<std::int16_t> ancestors;  // the coordinates of the rows

  Vec3 origin = Vec3::Zero();  // of the spatial vectors of this step
  std::vector<Spatial> axes;   // [dof]
  std::vector<Spatial> spatial_velocity, spatial_acceleration, spatial_force;  // [links]
  std::vector<SpatialInertia> inertia;  // [links], composite after the mass matrix is made
  std::vector<double> factor;           // rows of H, then of its factors: D first, then L
  std::vector<double> root_d;           // [dof] sqrt(D)
  std::vector<double> rhs;              // [dof]
  std::vector<double> servo_error;      // [dof] rad, of the drives at the start of the step
  std::vector<double> z;                // [dof] D^1/2 L v: the velocity in the solver's coordinates
  std::unique_ptr<GeomSet> geoms;
  bool geoms_placed = false;  // in this step

  Work();
  ~Work();
};

/// Link motions and bounds from the state.
void update_kinematics(ArticulatedBody::Work& w);
/// Mass matrix with implicit servos, factored; free velocity into z. Uses and clears `forces`.
void prepare_dynamics(ArticulatedBody::Work& w, const StepSettings& settings);
/// z -> velocity -> new state, link motions.
void integrate(ArticulatedBody::Work& w, double dt);

/// Fills points of each body: against terrain and against later bodies of the island.
void collide(std::span<ArticulatedBody* const> bodies, const Terrain& terrain);
/// Solves all contacts of an island; changes z, writes forces into points.
void solve_contacts(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                    const StepSettings& settings);

}  // namespace promenade::physics
