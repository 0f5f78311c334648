#pragma once

#include "control/pendulum/gait_table.h"
#include "control/pendulum/stepper.h"
#include "creature/biped/biped.h"
#include "physics/articulation.h"

namespace promenade::control::pendulum {

/// What of a body the poses need, and the pendulum that stands for it.
class Poser {
 public:
  /// @pre the table is of this creature
  Poser(std::shared_ptr<const Creature> creature, const Biped& biped,
        std::shared_ptr<const GaitTable> table);

  const StepperBody& body() const { return stepper_body_; }
  const GaitTable& table() const { return *table_; }
  /// The gait of the table at a speed, m/s, forward.
  StepperGait gait(double speed) const;

  /// The pose of the whole body: trunk and arms as the walk of full physics has them at this moment
  /// of the stride, the mass where the pendulum has it, and legs by inverse kinematics to feet that
  /// stand where the pendulum's stand. Velocities are not touched.
  /// Source: Kenwright2014 §5.9 and §6.3.3: lower and upper body apart, feet first.
  /// @param out  [links] joints and angles, of the creature's model
  void pose(const Stepper& stepper, physics::ArticulationState& out) const;

  /// Share of the stride, 0 at a touch-down of the left foot, [0, 1).
  double stride_phase(const Stepper& stepper) const;

 private:
  struct Sole {
    Vec2 middle = Vec2::Zero();  // m, ahead of the ankle and beside it
    double height = 0;           // m, of the ankle above the ground
    double heel = 0, ball = 0;   // m, behind and ahead of the ankle
  };
  void place_leg(int side, const Vec3& ankle, const Quat& foot, double toe_bend, double heading,
                 physics::ArticulationState& out) const;

  std::shared_ptr<const Creature> creature_;
  Biped biped_;
  std::shared_ptr<const GaitTable> table_;
  StepperBody stepper_body_;
  std::array<Sole, 2> soles_;
};

}  // namespace promenade::control::pendulum
