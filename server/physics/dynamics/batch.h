#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "physics/dynamics/lanes.h"
#include "physics/dynamics/work.h"

// Private to physics/: the working numbers of a step, of several bodies of the same tree of joints
// at once, one body a lane. Lanes never mix, so that a body's step is the same to the last bit
// whoever is beside it. Lanes without a body hold anything, NaN as well, and are never stored.
namespace promenade::physics {

/// One coordinate in the recursions of the articulated-body method. The mass matrix, servos
/// included, is L^T D L, but L is never written out: its entry of this coordinate and one above it
/// is `force` . that one's axis * inverse.
struct CoordinateLanes {
  SpatialLanes axis;   // what moves below it, at unit velocity
  SpatialLanes force;  // articulated inertia of what is below, times axis
  Lanes inverse{};     // of the factor D's entry
  Lanes answer{};      // its own acceleration (or change of velocity) if nothing above it moved
  Lanes start{};       // velocity at the start of the step
  Lanes velocity{};    // at its end; without contacts at first
};

/// Servo and stop of a coordinate in this step. Those of the root do nothing.
struct ServoLanes {
  Lanes torque{};               // N m, without the limit, at the speed of the start
  Lanes damping{}, spring{};    // kd dt and kp dt^2
  Lanes limit{};                // N m
  Lanes asked_last{};           // N m, JointDrive::asked
  Lanes stop{}, stop_torque{};  // what the stop adds to the mass matrix, and its torque
  Lanes share{};                // of the speed at the end of the step in the damping
  Lanes held{};                 // to the limit: 1, to its opposite: -1, free: 0
  Lanes applied{}, asked{};     // N m, out: as in JointDrive
};

/// One link. Spatial vectors are about the root's origin at the start of the step, in world axes.
struct LinkLanes {
  // Of the model.
  Lanes mass{};
  Vec3Lanes moments, at_parent, at_child, axis;
  // Of the state, and what follows from it: see ArticulationState and LinkMotion.
  QuatLanes joint;  // of the root: world_from_root
  Lanes angle[2]{};
  Vec3Lanes position, linear, omega;
  Mat3Lanes rotation;
  // Of the recursions.
  SpatialLanes velocity;      // before the step, then without contacts
  SpatialLanes acceleration;  // with no joint accelerating; then what the joints add
  SpatialLanes force;         // needed for the above, with that of the links below
  SpatialLanes impulse;       // of contacts, with that on the links below
  InertiaLanes inertia;       // articulated: of the link and what hangs on it
  InertiaLanes response;      // velocity for a unit impulse on it; of links that are reached
  Lanes carries{};            // 1 where it, or something that hangs on it, lies on something
};

struct alignas(64) Batch {
  int count = 0;                            // bodies: in the first lanes
  const ArticulationModel* tree = nullptr;  // of the first; links and kinds of joints are all alike
  std::uint32_t reached = 0;  // links that something touches or that lead to one, of any body; bits
  // Of models by_the_middle: by how much of a step the velocities at its start lie behind the
  // place, 1/2, or 0 in the first step after the state was set.
  Lanes behind{};
  // Aligned to 64 bytes: more than their types say, but what AVX2 reads them by.
  LinkLanes* link = nullptr;              // [links]
  CoordinateLanes* coordinate = nullptr;  // [dof]
  ServoLanes* servo = nullptr;            // [dof]
};

/// The batches of a step, and the memory that their arrays lie in, one after another.
class Batches {
 public:
  /// Gives each body a lane, beside others of its tree where there are any, and each batch its
  /// arrays. What is in those is of earlier steps.
  void assign(std::span<ArticulatedBody* const> bodies);
  void clear() { used_ = 0; }

  std::size_t size() const { return used_; }
  Batch& operator[](std::size_t i) { return batches_[i]; }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  Batch& next_lane(const ArticulationModel& tree);

  std::deque<Batch> batches_;  // stay where they are when more are needed
  std::size_t used_ = 0;
  std::size_t open_ = 0;  // those before it are full
  std::vector<Line> lines_;
};

/// What is computed of a batch, and nothing else: the same for every processor, to the last bit.
struct BatchKernels {
  /// Axes, inertias, servos, factors; velocities at the end of the step without contacts; what
  /// links answer to impulses.
  void (*prepare)(Batch& batch, double dt, double gravity);
  /// Adds to the velocities what the impulses on links do.
  void (*answer)(Batch& batch);
  /// Servos' torques and the new state.
  void (*advance)(Batch& batch, double dt);
  /// Link motions from the state.
  void (*place)(Batch& batch);
};
const BatchKernels& plain_kernels();
/// For processors with AVX2; the plain ones where the compiler can make no others.
const BatchKernels& avx2_kernels();
/// The fastest that this processor runs.
const BatchKernels& kernels();

/// Servos and stops of a body into its lane. @param dt s, of the step
void load_servos(Batch& batch, const ArticulatedBody::Work& w, double dt);

}  // namespace promenade::physics
