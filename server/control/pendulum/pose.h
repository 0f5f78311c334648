#pragma once

#include <array>
#include <memory>
#include <vector>

#include "control/pendulum/gait_table.h"
#include "control/pendulum/handover.h"
#include "control/pendulum/sole.h"
#include "control/pendulum/stepper.h"
#include "creature/biped/biped.h"
#include "math/state.h"
#include "physics/articulated_body.h"
#include "physics/articulation.h"

namespace promenade::control::pendulum {

/// Poses a body as its pendulum moves. Never changed once made; shared by all characters of the
/// same body and style.
class Poser {
 public:
  /// @param table  of this creature, or of one with the same links
  Poser(std::shared_ptr<const Creature> creature, const Biped& biped,
        std::shared_ptr<const GaitTable> table);

  const Creature& creature() const { return *creature_; }
  /// The pendulum that stands for the body.
  const StepperBody& body() const { return stepper_body_; }
  const GaitTable& table() const { return *table_; }
  std::shared_ptr<const GaitTable> shared_table() const { return table_; }
  const Biped& biped() const { return biped_; }
  const std::array<Sole, 2>& soles() const { return soles_; }
  /// The gait of the table at a speed, m/s, forward.
  StepperGait gait(double speed) const;

  /// The pose of the whole body: trunk and arms as the walk in full physics has them at this moment
  /// of the stride, the mass where the pendulum has it, and legs by inverse kinematics to feet that
  /// stand where the pendulum's stand. Velocities are not touched. Allocates nothing.
  /// Source: Kenwright2014 §5.9 and §6.3.3: lower and upper body apart, feet first.
  /// @param speed  m/s, forward, of the cycle that is shown; 0: standing
  /// @param out    [links] joints and angles, of the creature's model
  /// @param offset  is added; null: none
  void pose(const Stepper& stepper, double speed, physics::ArticulationState& out,
            const PoseOffset* offset = nullptr) const;
  /// The offset that leads from the pose that pose() makes to another one. Joints that the poser
  /// does not set are left as they are.
  PoseOffset offset_to(const physics::ArticulationState& actual, const Stepper& stepper,
                       double speed) const;
  /// Share of a foot's way that is over at a share of the swing's time, in a walk at that speed.
  double swung(double speed, std::size_t side, double share) const;

 private:
  struct FootPose {
    Vec3 ankle;
    Quat turn;
    double yaw, pitch, toe_bend;
  };
  struct Blend;
  Vec3 root_of(const Stepper& stepper, const Blend& blend) const;
  FootPose foot_pose(const Stepper& stepper, std::size_t side, const Blend& blend) const;
  /// How far the pelvis has to come down so that the leg reaches the ankle; negative: may go up.
  double out_of_reach(std::size_t side, const Vec3& ankle,
                      const physics::ArticulationState& out) const;
  /// How far the pelvis comes down so that the legs reach.
  double drop(const Stepper& stepper, const std::array<FootPose, 2>& feet,
              const physics::ArticulationState& out) const;
  /// Draws a foot in the air in to where the leg reaches.
  void keep_in_reach(const Stepper& stepper, std::size_t side, FootPose& foot,
                     const physics::ArticulationState& out) const;
  /// Turns the foot about the ground, or the thigh, where a joint would get past its limits.
  /// @return  m, how much too low the foot is then
  double place_within_limits(std::size_t side, FootPose foot,
                             physics::ArticulationState& out) const;
  void place_leg(std::size_t side, const FootPose& foot, physics::ArticulationState& out) const;
  void turn_foot(std::size_t side, const FootPose& foot, physics::ArticulationState& out) const;
  double keep_thigh(std::size_t side, const FootPose& foot, physics::ArticulationState& out) const;
  void turn_leg(std::size_t side, const PoseOffset::Foot& by,
                physics::ArticulationState& out) const;
  Pose foot_of(std::size_t side, const physics::ArticulationState& state) const;
  /// Joint rotations of a leg from the angles of its knee, ankle and toes.
  void set_leg_joints(std::size_t side, physics::ArticulationState& out) const;

  std::shared_ptr<const Creature> creature_;
  Biped biped_;
  std::shared_ptr<const GaitTable> table_;
  StepperBody stepper_body_;
  std::array<Sole, 2> soles_;
  struct LegLinks {
    std::size_t thigh, shank, foot, toes;
    double upper, lower;  // m
  };
  std::array<LegLinks, 2> legs_;
};

}  // namespace promenade::control::pendulum
