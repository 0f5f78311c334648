#pragma once

#include <memory>
#include <optional>

#include "control/controller.h"
#include "control/gbwc/parameters.h"
#include "control/gbwc/style.h"
#include "control/gbwc/walk_state.h"
#include "control/gbwc/walker_body.h"
#include "creature/biped/biped_state.h"

namespace promenade::control {

namespace gbwc {
struct Frame;
}

/// Generalized biped walking control: a motion generator over the phase of a step, pendulum foot
/// placement, velocity tuning and gravity compensation by Jacobian transposes, a pelvis servo
/// through the stance hip. Source: Coros2010 §3; docs/control.md tells where we depart from it.
class Gbwc final : public Controller, public Styled {
 public:
  /// @param plain  the style in which it does what Goal::plain asks for, and meets obstacles and
  ///               stairs; null: its own
  /// @pre biped_of(*body) is ok
  Gbwc(std::shared_ptr<const Creature> body, std::shared_ptr<const Style> style,
       std::shared_ptr<const GbwcParameters> parameters,
       std::shared_ptr<const Style> plain = nullptr);

  void set_style(std::shared_ptr<const Style> style) override {
    own_style_ = std::move(style);
    put_on_style();
  }
  Styled* styled() override { return this; }
  Manner manner() const override;
  /// Goes on in the same step: remembered lengths are scaled to the new body, and remembered places
  /// move with the centre of mass.
  /// @pre biped_of(*creature) is ok
  void set_creature(std::shared_ptr<const Creature> creature,
                    const physics::ArticulatedBody& state) override;

  void reset(const physics::ArticulatedBody& body, const Goal& goal) override;
  void resume(const GaitMoment& moment) override;
  GaitMoment moment() const override;
  /// Decides every 1/480 s, or in each step where steps are longer. In between it sums the loads of
  /// the feet and leaves the drives, so that its behaviour does not depend on how fine the steps
  /// are.
  void update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              double dt) override;
  const ControlReport& report() const override { return w_.report; }
  void visit(StateVisitor& state) override;

 private:
  struct Since {  // sums since the last decision
    double seconds = 0;
    int steps = 0;                  // of physics
    std::array<FootLoad, 2> loads;  // the sum over those steps
  };

  /// @param loads the mean of the time since the last decision
  /// @param dt    s, that time
  void decide(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              const std::array<FootLoad, 2>& loads, double dt);

  using Frame = gbwc::Frame;
  void perceive(Frame& f, const Goal& goal, double dt);
  void foresee(Frame& f, const Goal& goal);
  void step_on(const Frame& f, const Goal& goal, double dt);
  void look_and_pose(const Frame& f, const Goal& goal);
  void drive_legs(const Frame& f, double dt);
  void begin_step(const Frame& f, int stance);
  void go_on(Frame& f);
  void ride(Frame& f, double dt);

  double work_lean() const;  // rad, of the style for work
  const std::shared_ptr<const Style>& wanted_style() const;
  void put_on_style();
  void put_style_aside(const Frame& f);
  void resume_style();

  std::shared_ptr<const Style> own_style_, plain_style_;
  std::shared_ptr<const Style> style_;  // of these two, the one in which it walks now
  std::shared_ptr<const GbwcParameters> p_;
  gbwc::WalkerBody body_;

  // State that decides the future, all of it in visit().
  double due_clock_ = 0;  // s until the next decision
  Since since_;
  bool resumes_ = false;  // the next decision goes on with a step that is under way, at its phase
  int set_aside_ = 0;     // steps for which its own style is put aside, for what is in the way
  gbwc::WalkState w_;
};

}  // namespace promenade::control
