#pragma once

#include <memory>
#include <span>
#include <vector>

#include "control/intent.h"
#include "creature/creature.h"
#include "physics/articulated_body.h"
#include "physics/ground.h"

namespace promenade::control {

/// What a controller can tell about itself, for overlays, panels and experiments. World frame, SI.
struct ControlReport {
  Vec3 com = Vec3::Zero();
  Vec3 com_velocity = Vec3::Zero();
  Vec2 capture_point = Vec2::Zero();
  Vec3 foot_target = Vec3::Zero();  // goal of the swing ankle
  bool left_stance = true;
  bool standing = true;
  double phase = 0;                   // [0, 1] of the step
  double step_time = 0;               // s, of the last whole step
  double step_length = 0;             // m, of the last whole step, along the heading
  double heading = 0;                 // rad
  Vec2 mean_velocity = Vec2::Zero();  // m/s, heading frame; the last step counts half
  std::array<Vec3, 2> foot_force{Vec3::Zero(), Vec3::Zero()};  // N, on left and right foot
  std::array<bool, 2> foot_on_ground{false, false};
  std::uint64_t steps = 0;  // foot-strikes since reset
};

/// Sees the state, sets the servos of its body. One for each character.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Starts afresh from the body's present state.
  virtual void reset(const physics::ArticulatedBody& body, const Intent& intent) = 0;
  /// Sets the body's drives, or leaves them, for the next step of dt seconds. Once before each
  /// step. Allocates nothing.
  virtual void update(physics::ArticulatedBody& body, const physics::GroundNow& terrain,
                      const Intent& intent, double dt) = 0;
  virtual const ControlReport& report() const = 0;
  /// Bytes of internal state that decide the future, appended for the state hash and checkpoints.
  virtual void append_state(std::vector<double>& out) const = 0;
};

}  // namespace promenade::control
