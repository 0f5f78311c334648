#pragma once

#include <memory>
#include <span>
#include <vector>

#include "math/state.h"
#include "physics/articulation.h"
#include "physics/gravity.h"
#include "physics/ground/ground.h"
#include "physics/tie.h"
#include "physics/workspace.h"

namespace promenade::physics {

/// How hard others touched a sleeping body; hard enough, and the body would have moved.
struct Disturbance {
  double speed = 0;  // m/s, the fastest that something came to touch it
  double force = 0;  // N, the greatest sum of the sizes of contacts' and ties' forces in a step
};

/// The dynamics of a character or thing in joint coordinates: state, servos, contacts.
/// Not thread-safe; bodies of different islands may be stepped at the same time.
class ArticulatedBody {
 public:
  explicit ArticulatedBody(std::shared_ptr<const ArticulationModel> model);
  ~ArticulatedBody();
  ArticulatedBody(ArticulatedBody&&) noexcept;
  ArticulatedBody& operator=(ArticulatedBody&&) noexcept;

  const ArticulationModel& model() const;
  const ArticulationState& state() const;
  /// Sets the state and recomputes the link motions; contacts and their memory are dropped.
  void set_state(const ArticulationState& state);
  /// The model's zero pose with the root at `root`, at rest.
  static ArticulationState zero_state(const ArticulationModel& model, const Pose& root);

  std::span<const LinkMotion> links() const;
  /// Contacts of the last step. One between two bodies is listed by the body that comes first in
  /// the island.
  std::span<const ContactPoint> contacts() const;
  /// [links], entry 0 unused. The controller sets them; they stay until it sets them anew.
  std::span<JointDrive> drives();
  std::span<const JointDrive> drives() const;
  /// Forces for the next step only.
  void add_force(const ExternalForce& force);
  /// Sets whether its steps, and with them those of its island, are done in parts. Holds until it
  /// is set again.
  void set_fine(bool fine);
  bool fine() const;
  /// World bounds of all shapes, m. Computed when first asked for after a step.
  const Eigen::AlignedBox3d& bounds() const;
  /// Whether all positions, in joint coordinates, are finite numbers.
  bool positions_finite() const;
  /// Whether all positions are finite and no velocity is so great that it must be a failure.
  bool finite() const;
  /// Kinetic energy over mass, m^2/s^2.
  double kinetic_energy() const;
  /// Speed that no point of its shapes exceeds, m/s.
  double fastest_point() const;
  /// A sleeping body stays where it is, whatever touches it, and costs no more than the search for
  /// contacts with it. Falling asleep sets its velocity to zero, so it wakes at rest.
  void set_asleep(bool asleep);
  bool asleep() const;
  /// How hard others touched it while it slept, since the last call.
  Disturbance take_disturbance();
  /// Visits everything that decides the future. A state is read into a body of the same model; link
  /// motions follow from it.
  void visit(StateVisitor& state);

  struct Work;
  Work& work() { return *work_; }

 private:
  std::unique_ptr<Work> work_;
};

struct StepSettings {
  double dt = 1.0 / 480;        // s
  double time = 0;              // s since the scene was loaded: where moving ground is
  double fine_dt = 1.0 / 1920;  // s, of the parts of a fine body's step, at most
  double gravity = kGravity;    // m/s^2
  // Of a contact point, N/m and N s/m. Multiplied by the greatest stiffness_scale and damping_scale
  // of the models of bodies that hang together by contacts.
  double contact_stiffness = kContactStiffness;
  double contact_damping = kContactDamping;
  int iterations = 24;  // of the contact solver, at most
};

/// Bodies of the same tree of joints that are computed side by side.
inline constexpr int kSideBySide = 4;

/// Steps islands by dt: collision, servos, contacts, integration. Bodies of an island may touch
/// each other; those of different islands do not. Stepping many islands in one call takes less time
/// than one call each, and gives the same bits. An island is stepped in parts if it has a fine
/// body, a body that is tied to the world and spins fast, or a thing that gets further in a step
/// than it is thick. Allocates nothing once the workspace has grown.
/// @param bodies island after island
/// @param ends   [islands] index one past the last body of each, ascending
/// @param ties   each between bodies of one of these islands
void step_islands(std::span<ArticulatedBody* const> bodies, std::span<const int> ends,
                  const Ground& ground, const StepSettings& settings, Workspace& workspace,
                  std::span<Tie* const> ties = {});
/// The same for a single island.
void step_island(std::span<ArticulatedBody* const> bodies, const Ground& ground,
                 const StepSettings& settings, Workspace& workspace,
                 std::span<Tie* const> ties = {});

}  // namespace promenade::physics
