#pragma once
#include <array>
#include <memory>
#include "control/controller.h"
#include "creature/biped/biped_state.h"

namespace promenade::control {

struct RiseSettings {
  double band = 0.15;       // rad, error at which a servo asks for all its torque
  double damp = 0.12;      // s
  double rate = 4;         // rad/s
  double gather_rate = 4;
  double stand_rate = 0.9; // 1/s
  double x[60] = {0.8, -0.2, 0.27, 0.15, 0.4, 0.55, 0.2, 0.0, 0.12, 0.03, 0.8,
      0.5, 0.6, 1.4, 0.1, 0.1, 0.2, 0.5, 0.06, 0.3, 0.85, 0.35, 0.3, 0.05, 0.2, 0,
      0.9, 1.2, 0.6, 1.4, 0.0, 1.57, 1.2, 0.0, 2.9, 0.55, -0.2, 0.0,
      0.5, 0.3, 0.0, 0.3, 0.0, 0.8, 1.2, 0.0, 2.9, 0.55, 0.0, 0.0};
};

class Rise final : public Controller {
 public:
  enum class Stage : std::uint8_t { kFall, kRoll, kGather, kRock, kStand, kDone };
  Rise(std::shared_ptr<const Creature> creature, std::shared_ptr<const RiseSettings> p);
  void reset(const physics::ArticulatedBody& body, const Goal& goal) override;
  void update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              double dt) override;
  void set_creature(std::shared_ptr<const Creature> creature,
                    const physics::ArticulatedBody& state) override;
  const ControlReport& report() const override { return report_; }
  void visit(StateVisitor& state) override;
  Stage stage() const { return stage_; }
  bool done() const { return stage_ == Stage::kDone; }
  int tries() const { return tries_; }

 private:
  using Angles = std::array<Vec3, kPartCount>;
  struct Frame;
  void enter(Stage stage);
  void fall(const Frame& f);
  void roll(const Frame& f);
  void gather(const Frame& f);
  void rock(const Frame& f);
  void stand(Frame& f);
  void drive(const Frame& f, double rate);
  void set_arms(double roll, double pitch, double yaw, double elbow);
  void set_legs(double hip, double spread, double yaw, double knee, double ankle, double toe);
  void set_spine(double roll, double pitch, double yaw);
  void knees_to_ground(const Frame& f);
  void hands_to_ground(const Frame& f, double ahead, double aside, const Quat& trunk, double lift, double push);
  Quat trunk_wanted(const Frame& f, double pitch) const;
  Vec3 ball(const Frame& f, int side) const;
  Vec3 hand_tip(const Frame& f, int side) const;
  void stand_on(const Frame& f, const Mat3& level, const Vec3& pelvis, const Quat& turn, double heel);
  void hand_to(const Frame& f, int side, const Vec3& target, const Quat& trunk, double lift, double push);
  Vec3 angles_of(const physics::ArticulatedBody& body, int part) const;

  std::shared_ptr<const Creature> creature_;
  std::shared_ptr<const RiseSettings> p_;
  Biped biped_;
  double size_ = 1;
  ControlReport report_;
  Stage stage_ = Stage::kFall;
  double clock_ = 0;       // s, of the stage
  double total_ = 0;
  double quiet_ = 0;
  double still_ = 0;
  int tries_ = 0;
  int side_ = 0;           // rolls to
  double extent_ = 0;
  double strength_ = 1, pitch_ = 0;
  Vec3 anchor_ = Vec3::Zero();
  std::array<Vec3, 2> hand_{Vec3::Zero(), Vec3::Zero()};
  Angles goal_{}, now_{};
};
}  // namespace promenade::control
