#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "physics/dynamics/lanes.h"
#include "physics/dynamics/work.h"

// Private to physics/: the working numbers of a step for several bodies of the same tree of joints,
// one body in each lane. Lanes never mix, so a body's step has the same bits whatever body is
// beside it. Lanes without a body hold arbitrary numbers, NaN included, and are never stored.
namespace promenade::physics {

/// One coordinate in the recursions of the articulated-body method. The mass matrix M, servos
/// included, is L^T D L. L is never written out: its entry for this coordinate and a coordinate a
/// above it in the tree is dot(force, axis of a) * inverse.
struct CoordinateLanes {
  SpatialLanes axis;   // motion of the links below it at unit velocity
  SpatialLanes force;  // articulated inertia of the links below it, times axis
  Lanes inverse{};     // 1 / entry of the factor D
  Lanes answer{};      // its acceleration (or change of velocity) if nothing above it moved
  Lanes start{};       // velocity at the start of the step
  Lanes velocity{};    // at its end; without contacts at first
};

/// Servo and stop of a coordinate in this step. Those of the root do nothing.
struct ServoLanes {
  Lanes torque{};               // N m, without the limit, at the speed of the start
  Lanes damping{}, spring{};    // kd dt and kp dt^2
  Lanes limit{};                // N m
  Lanes asked_last{};           // N m, JointDrive::asked
  Lanes stop{}, stop_torque{};  // the stop's addition to the mass matrix, and its torque
  Lanes share{};                // of the damper that acts on the speed at the end of the step
  Lanes held{};                 // 1: held to the limit; -1: to its negative; 0: free
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
  SpatialLanes force;         // needed for that acceleration, with those of the links below
  SpatialLanes impulse;       // of contacts, with those on the links below
  InertiaLanes inertia;       // articulated: of the link and all that hangs on it
  InertiaLanes response;      // velocity for a unit impulse on it; only where `reached`
  Lanes carries{};            // 1 where it, or a link that hangs on it, lies on something
};

struct alignas(64) Batch {
  int count = 0;                            // bodies: in the first lanes
  const ArticulationModel* tree = nullptr;  // of the first; links and kinds of joints are all alike
  std::uint32_t reached = 0;  // bits: links that are touched, or lead to one, in any body
  // For models by_the_middle, in steps: how far the velocities at the start lie behind the
  // positions, half the step before: 1/2, or 0 where the state has just been set.
  Lanes behind{};
  Lanes moving{};  // share of their forces of motion that acts: 1, or 1/2 just after that
  // For those models, in steps, the time from these velocities to the ones found: 1, unless the
  // step before was longer or shorter. 1 in lanes without a body, too: `any` asks all of them.
  Lanes reach = Lanes{} + 1.0;
  // Aligned to 64 bytes, which AVX2 needs and their types do not say.
  LinkLanes* link = nullptr;              // [links]
  CoordinateLanes* coordinate = nullptr;  // [dof]
  ServoLanes* servo = nullptr;            // [dof]
};

/// The batches of a step, and the memory that their arrays lie in, one after another.
class Batches {
 public:
  /// Gives each body a lane, beside others with the same tree where there are any, and each batch
  /// its arrays, which still hold numbers of earlier steps.
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

/// The computations on a batch. Their results have the same bits on every processor.
struct BatchKernels {
  /// Computes axes, inertias, servos and factors, the velocities at the end of the step without
  /// contacts, and the responses of links to impulses.
  void (*prepare)(Batch& batch, double dt, double gravity);
  /// Adds the effect of the impulses on links to the velocities.
  void (*answer)(Batch& batch, double dt);
  /// Servos' torques and the new state.
  void (*advance)(Batch& batch, double dt);
  /// Link motions from the state.
  void (*place)(Batch& batch);
};
const BatchKernels& plain_kernels();
/// Those for processors with AVX2, or the plain ones where the compiler cannot make them.
const BatchKernels& avx2_kernels();
/// The fastest kernels that this processor can run.
const BatchKernels& kernels();

/// Servos and stops of a body into its lane. @param dt s, of the step
void load_servos(Batch& batch, const ArticulatedBody::Work& w, double dt);

}  // namespace promenade::physics
