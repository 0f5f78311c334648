#pragma once

#include <array>
#include <memory>
#include <span>

#include "control/goalless.h"
#include "control/posegraph/gait.h"
#include "promenade/v1/controller.pb.h"

namespace promenade::control::posegraph {

/// A wind-up toy: it works towards one pose after another by time, with the gains of the creature.
/// It senses nothing but what its gait's feedback and the reaches of its leaps ask for. Where it is
/// to stand it holds the rest pose. Of the goal it follows the heading by mixing in variants that
/// turn, and the speed by one that is fast.
/// Source: Panne1996, "Pose-control graphs", "Parameterizing motions" and "Aperiodic motions"
class PoseGraph final : public Goalless, public GaitPlayer {
 public:
  /// @param gait  null: it stands until it has one
  PoseGraph(std::shared_ptr<const Creature> creature,
            std::shared_ptr<const v1::PosegraphParameters> parameters,
            std::shared_ptr<const Gait> gait);

  void reset(const physics::ArticulatedBody& body, const Goal& goal) override;
  void update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              double dt) override;
  /// The gait goes on where it fits the new creature; else it stands.
  void set_creature(std::shared_ptr<const Creature> creature,
                    const physics::ArticulatedBody& state) override;
  Manner manner() const override;
  void visit(StateVisitor& state) override;

  GaitPlayer* gait_player() override { return this; }
  void set_gait(std::shared_ptr<const Gait> gait) override;
  void mix_by_hand(std::span<const double> shares) override;
  void leap(double size) override;
  void set_feedback(bool on) override { feels_ = on; }
  bool feedback_on() const override { return feels_; }
  const Gait* gait() const override { return gait_.get(); }
  std::vector<double> shares() const override;
  bool leaps() const override { return in_chain_; }

 private:
  using Weights = std::array<double, kMostVariants>;
  void begin_cycle(const Goal& goal);
  void next_state(const physics::ArticulatedBody& body, const physics::GroundNow& ground,
                  const Goal& goal);
  std::size_t cycles_a_look() const;
  void count_cycle();
  /// Asks for a leap where one that begins now passes over what lies ahead.
  void look_ahead(const physics::ArticulatedBody& body, const physics::GroundNow& ground);
  Weights weights_for(const Goal& goal) const;
  void steer(const Goal& goal, Weights& weights) const;
  void mix_anew(const Weights& weights);
  void visit_left(StateVisitor& state);
  /// What is gone through now: the cycle of a gait that is being left, the chain or the cycle.
  const std::vector<State>& states() const;
  void report_speed(double dt);
  void drive(physics::ArticulatedBody& body);
  void feel(const physics::ArticulatedBody& body);

  std::shared_ptr<const v1::PosegraphParameters> p_;
  std::shared_ptr<const Gait> given_;  // for the creature that it had then
  std::shared_ptr<const Gait> gait_;   // the same for the present one; null: it does not fit
  Graph graph_;                        // follows from gait_ and mixed_

  Weights weights_{};             // by hand, from the next state on
  bool by_hand_ = false;          // else the goal mixes
  Weights mixed_{};               // that graph_ has
  std::vector<Vec3> added_;       // [links] rad, to the pose, by the feedback of this step
  std::vector<bool> limb_bears_;  // [limbs] in the last step
  bool feels_ = true;
  bool stands_ = true;
  bool in_chain_ = false;
  bool leap_asked_ = false;
  double leap_size_ = 1;    // of the leap that is under way
  double asked_size_ = 1;   // of the leap that is asked for
  std::size_t cycles_ = 0;  // since the last leap or the start, as far as they are counted
  std::size_t at_ = 0;      // of states()
  double elapsed_ = 0;      // s, in the state
  // The gait before, which goes on until the moment to leave it; empty: the gait itself is played.
  std::vector<State> left_;
  std::size_t leave_ = 0, enter_ = 0;  // of `left_`, the last one; of the cycle, the one after it
};

}  // namespace promenade::control::posegraph
