#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "control/controller.h"
#include "creature/biped/biped_state.h"
#include "promenade/v1/controller.pb.h"

namespace promenade::control {

using RiseParameters = v1::RiseParameters;

/// Falls with its arms towards the ground, rolls over to the belly, pushes itself up to all fours,
/// sits back onto its feet and stands up, by the servos of its joints alone. Where a try does not
/// get on, it begins anew in another way: over the other side, and more slowly. Poses are found by
/// inverse kinematics from hands and feet on the ground, so that one set of parameters serves
/// bodies of any proportions. Once it stands it stays standing; it ignores the goal.
/// Source: the order of poses is that of Lin and Huang, "Animating rising up from various lying
///         postures and environments", 2012; one controller a pose, with conditions between them,
///         as in Faloutsos et al., "Composable controllers for physics-based character animation",
///         2001.
class Rise final : public Controller {
 public:
  enum class Stage : std::uint8_t {
    kFall,    // until it lies still
    kRoll,    // over to the belly
    kGather,  // up to hands and knees
    kRock,    // back onto the feet, to a squat
    kStand,   // up from the squat
    kUp,      // stands
  };
  static constexpr std::size_t kStages = 6;

  /// @pre biped_of(*creature) has a value
  Rise(std::shared_ptr<const Creature> creature, std::shared_ptr<const RiseParameters> parameters);

  void reset(const physics::ArticulatedBody& body, const Goal& goal) override;
  void update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              double dt) override;
  void set_creature(std::shared_ptr<const Creature> creature,
                    const physics::ArticulatedBody& state) override;
  const ControlReport& report() const override { return report_; }
  bool recovered() const override { return stage_ == Stage::kUp; }
  void visit(StateVisitor& state) override;

  Stage stage() const { return stage_; }
  /// Tries since reset that did not get on.
  int tries() const { return static_cast<int>(tries_); }

 private:
  /// Angles of the joint of each part: rotation vector of balls, [0] of hinges, roll and pitch of
  /// universal joints, as limited in physics::LinkModel.
  using Angles = std::array<Vec3, kPartCount>;
  struct Frame;

  void take_creature(std::shared_ptr<const Creature> creature);
  Frame frame_of(physics::ArticulatedBody& body, const physics::GroundNow& ground, double dt) const;
  void enter(Stage stage);
  void try_again(Stage stage);

  void fall(const Frame& f);
  void roll(const Frame& f);
  void gather(const Frame& f);
  void rock(const Frame& f);
  void stand(const Frame& f);

  Vec3 angles_of(const physics::ArticulatedBody& body, int part) const;
  void set_arms(double roll, double pitch, double yaw, double elbow);
  void set_legs(double hip, double spread, double knee, double ankle, double toes);
  void set_spine(double pitch, double yaw = 0);
  void set_head(const Frame& f);
  void knees_to_ground(const Frame& f);
  Quat level_trunk(const Frame& f, double pitch) const;
  void reach(const Frame& f, int side, const Vec3& shoulder, const Vec3& target, const Quat& trunk);
  struct Hands;
  void hands_to_ground(const Frame& f, const Hands& hands);
  struct Seat;
  void stand_on_feet(const Frame& f, const Seat& seat);
  void drive(const Frame& f);

  std::shared_ptr<const Creature> creature_;
  std::shared_ptr<const RiseParameters> p_;
  Biped biped_;
  std::array<double, 2> upper_arm_{}, lower_arm_{}, thigh_{}, shank_{};  // m, lengths
  double size_ = 1;                                                      // leg over the human's

  Stage stage_ = Stage::kFall;
  double clock_ = 0;  // s, of the stage
  double done_ = 0;   // how far the stage has come: s, or a share
  double quiet_ = 0;  // s, for which it has lain still
  std::uint64_t tries_ = 0;
  int side_ = kLeft;            // to which it rolls
  double pitch_ = 0;            // rad, of the pelvis when the stage began
  Vec3 seat_ = Vec3::Zero();    // m, pelvis against the balls of the feet when the stage began
  double legs_ = 1, arms_ = 1;  // shares of the servos' gains
  Angles wanted_, target_;      // where the stage wants the joints; the targets on the way there
  ControlReport report_;
};

}  // namespace promenade::control
