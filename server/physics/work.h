#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "physics/articulated_body.h"

// Private to physics/: what a body keeps from one stage of a step to the next.
namespace promenade::physics {

struct GeomSet;  // ODE shapes of the links, made on first need

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

/// One unilateral contact with its two friction directions, in the solver.
struct ContactRow {
  int point = 0;              // index into Work::points of body a
  int a = 0;                  // index in the island
  int b = -1;                 // the other body, -1 for terrain
  int count_a = 0, count_b = 0;  // length of the chains
  const std::int16_t* chain_a = nullptr;  // DOF from the link to the root, descending
  const std::int16_t* chain_b = nullptr;
  // Rows of D^-1/2 L^-T J^T over the chains: normal and two tangents.
  std::array<std::array<double, 24>, 3> y_a, y_b;
  std::array<double, 3> impulse{};
  std::array<double, 3> inverse_mass{};  // 1 / (y.y + softness)
  double softness = 0;
  double target = 0;          // normal velocity wanted, m/s
  double friction = 0;
  std::array<Vec3, 3> direction;
};

struct RememberedImpulse {
  std::uint32_t key = 0;
  std::array<double, 3> impulse{};
};

struct Chain {
  std::array<std::int16_t, 24> dof{};
  int count = 0;
};

struct ArticulatedBody::Work {
  std::shared_ptr<const ArticulationModel> model;
  ArticulationState state;
  std::vector<LinkMotion> links;
  std::vector<JointDrive> drives;
  std::vector<ExternalForce> forces;
  std::vector<ContactPoint> points;
  std::vector<std::uint32_t> keys;     // [points] names a contact from step to step
  std::vector<int> partner_link;       // [points] link of the other body, -1 for terrain
  std::vector<int> partner;            // [points] island index of the other body, -1 for terrain
  std::vector<RememberedImpulse> memory;
  Eigen::AlignedBox3d bounds;
  std::vector<Chain> chains;           // [links]

  Vec3 origin = Vec3::Zero();          // of the spatial vectors of this step
  std::vector<Spatial> axes;           // [dof]
  std::vector<Spatial> spatial_velocity, spatial_acceleration, spatial_force;  // [links]
  std::vector<SpatialInertia> inertia; // [links], composite after the mass matrix is made
  std::vector<double> factor;          // [dof * dof] row-major lower: L below, D on the diagonal
  std::vector<double> root_d;          // [dof] sqrt(D)
  std::vector<double> rhs;             // [dof]
  std::vector<double> servo_error;     // [dof] rad, of the drives at the start of the step
  std::vector<double> z;               // [dof] D^1/2 L v: the velocity in the solver's coordinates
  std::unique_ptr<GeomSet> geoms;

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
