#pragma once

#include <memory>

#include "control/controller.h"
#include "control/pendulum/gait_tables.h"
#include "control/pendulum/pose.h"
#include "control/pendulum/stepper.h"
#include "control/registry.h"
#include "math/dense_memory.h"

namespace promenade::control::pendulum {

/// A biped that is a pendulum on two feet, with the poses of its walk in full physics. It feels
/// pushes, and the ground; it touches nobody.
/// Source: Kenwright2014 chapters 3 to 6.
class Pendulum final : public Controller, public Styled, public Kinematic, public DenseMemory {
 public:
  /// @pre biped_of(*setup.creature) is ok; setup.style and setup.walk are there
  explicit Pendulum(const ControllerSetup& setup);

  void reset(const physics::ArticulatedBody& body, const Goal& goal) override;
  void resume(const GaitMoment& moment) override { resumed_ = moment; }
  /// Sets nothing: a room moves the creature by its Kinematic.
  void update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              double dt) override;
  void set_creature(std::shared_ptr<const Creature> creature,
                    const physics::ArticulatedBody& state) override;
  const ControlReport& report() const override { return report_; }
  Manner manner() const override { return manner_; }
  Styled* styled() override { return this; }
  Kinematic* kinematic() override { return this; }
  /// Takes effect half a second after the last of several edits, as the gait is measured anew.
  void set_style(std::shared_ptr<const Style> style) override;
  void visit(StateVisitor& state) override;

  void begin(const physics::ArticulatedBody& body, const physics::GroundNow& ground) override;
  void move(const physics::GroundNow& ground, const Goal& goal, const Vec3& force,
            double dt) override;
  void pose(physics::ArticulationState& out) const override;
  void pose_in_motion(physics::ArticulationState& out) const override;
  GaitMoment moment() const override;
  std::array<FootPress, 2> foot_presses() const override;
  bool lost() const override { return stepper_.fallen(); }

  const Stepper& stepper() const { return stepper_; }

 private:
  void use(std::shared_ptr<const Poser> poser);
  void measure_when_due(double dt);
  /// m/s, that gait_ was read at: by begin(), or by the last move().
  double speed_of_gait() const;
  StepperStart start_of(const physics::ArticulatedBody& body,
                        const physics::GroundNow& ground) const;
  /// Hands over from a body whose motion stepper_ has just gone on from.
  void hand_over(const physics::ArticulatedBody& body, const physics::GroundNow& ground);
  void pose_at(const Stepper& stepper, double speed, double since,
               physics::ArticulationState& out) const;
  void fill_report(double dt);

  ControllerSetup setup_;
  std::shared_ptr<const Poser> poser_;
  std::shared_ptr<const Tuning> tuning_;
  StepperBody body_;
  StepperGait gait_;
  Manner manner_;
  Stepper stepper_;
  double shown_speed_ = 0;  // m/s, of the cycle that is shown
  GaitMoment resumed_;      // the walk that begin() is to go on with
  /// The state dt seconds ago; at the beginning the state to come, with dt < 0; dt 0: none.
  struct Before {
    Stepper stepper;
    double shown_speed, since, dt;
  } before_;
  Handover handover_;
  double since_ = Handover::kWhole;  // s, the pendulum began, until nothing is left of before
  double pending_ = 0;     // s until the gait is measured anew after an edit; 0: it is up to date
  double step_clock_ = 0;  // s since the last foot-strike
  ControlReport report_;
};

}  // namespace promenade::control::pendulum
