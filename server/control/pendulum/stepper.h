#pragma once

#include <array>
#include <cstdint>

#include "control/goal.h"
#include "control/pendulum/orbit.h"
#include "control/pendulum/swing.h"
#include "control/pendulum/trunk.h"
#include "math/state.h"
#include "math/types.h"
#include "physics/ground.h"

namespace promenade::control::pendulum {

/// The body as the pendulum sees it. SI.
struct StepperBody {
  double mass = 70;
  std::array<double, 2> leg{0.95, 0.95};  // m, mass to sole, standing; left, right
  double hip_width = 0.18;                // m, between the hips
  double foot_radius = 0.10;              // m, of the circle that stands for a sole
  TrunkShape trunk;
};

/// How it steps: from the style of a walk, see gait tables.
struct StepperGait {
  double step_time = 0.5;       // s, at walking speeds
  double both_share = 0.2;      // of it, on both feet
  double width = 0.16;          // m, between the feet
  double crouch = 0;            // share of the leg by which it stands lower
  SwingShape swing;
};

/// Parts of the model that can be switched. Source: Kenwright2014 figure 6.3.
struct StepperParts {
  bool feet = true;            // circles instead of points: it can stand
  bool ankle_torque = true;    // within them
  bool elongated_body = true;  // trunk and virtual pivot point
  bool variable_leg = true;    // height of the ground ahead, capture height
  bool comfort = true;         // steps back into a comfortable stance
};

/// Numbers of the laws. The data file data/controllers/pendulum.json has those in use.
struct StepperTuning {
  double distance_scale = 0.9;     // on eq. 3.3
  double bias = 0.1;               // s, alpha of eq. 3.4, most
  double step_limit = 0.6;         // of the leg
  double push_scale = 1.0;         // k_p of eq. 3.7, in heights of the mass
  double speed_feedback = 0.1;  // of the mean speed's error, added to the speed aimed at each step
  double speed_feedback_limit = 0.25;  // m/s
  double acceleration = 1.2;       // m/s^2, of the speed that is aimed at
  double turn_rate = 1.6;          // rad/s
  double turn_lead = 0.5;          // rad, most that the pelvis is ahead of the feet
  double leg_stiffness = 180;      // 1/s^2, of the leg towards its length
  double leg_damping = 24;         // 1/s
  double level_time = 0.10;        // s, in which the mass follows the height of the ground
  double step_up = 0.34;           // of the leg, highest step
  double step_down = 0.5;          // of the leg, deepest
  double leg_shortest = 0.55;      // of the leg's length
  double leg_longest = 1.04;
  double arc = 0.35;               // share of a stiff leg's arc in the height of the mass
  double ankle_stiffness = 1.9;    // of m g h a rad, k_p of eq. 5.3
  double ankle_damping = 0.9;      // of m g h s a rad
  double comfort_distance = 0.12;  // m, of a foot from where it is comfortable
  double comfort_angle = 0.35;     // rad
  double comfort_wait = 0.5;       // s
  double shortest_swing = 0.22;    // s
  double vpp_speed = 0.05;         // s, offset a m/s of speed error (eq. 4.7)
  double vpp_slope = 0.5;          // offset a m of height change (eq. 4.6)
  double vpp_limit = 0.15;         // m
  double fall_share = 0.45;        // of the leg: lower than this is a fall
};

enum class Phase { kStand, kShift, kSwing, kTransfer, kFallen };

struct Foot {
  Vec3 position = Vec3::Zero();  // centre of its circle on the ground, m
  double yaw = 0;
  double pitch = 0;  // rad, positive with the toes down

  void visit(StateVisitor& state) { state(position, yaw, pitch); }
};

/// A pendulum that steps: a mass on massless legs, two circles for feet and a trunk.
/// Source: Kenwright2014 chapters 3 to 6. World frame, SI.
class Stepper {
 public:
  Stepper(const StepperBody& body, const StepperGait& gait, const StepperTuning& tuning,
          StepperParts parts = {})
      : body_(&body), gait_(&gait), tuning_(&tuning), parts_(parts) {}

  /// Stands upright at a place of the ground, at rest.
  void stand(const physics::GroundNow& ground, const Vec2& position, double heading);
  /// One step of time. Allocates nothing.
  /// @param force  [3] N, on the mass, besides gravity
  /// @param known  [2] N, the part of it that is allowed for, as of a crate that is pulled
  void update(const physics::GroundNow& ground, const Goal& goal, const Vec3& force,
              const Vec2& known, double dt);

  Phase phase() const { return phase_; }
  const Vec3& com() const { return com_; }
  const Vec3& velocity() const { return velocity_; }
  const Foot& foot(int side) const { return feet_[std::size_t(side)]; }
  int stance() const { return stance_; }
  double heading() const { return heading_; }
  const Trunk& trunk() const { return trunk_; }
  const Vec3& cop() const { return cop_; }
  const Vec3& ground_force() const { return ground_force_; }
  const Vec3& target() const { return to_; }
  /// Share of the present swing or transfer that is over.
  double share() const;
  std::uint64_t steps() const { return steps_; }
  double step_length() const { return step_length_; }
  Vec2 mean_velocity() const { return mean_velocity_; }
  bool fallen() const { return phase_ == Phase::kFallen; }
  void set_com(const Vec3& com, const Vec3& velocity) { com_ = com, velocity_ = velocity; }

  void visit(StateVisitor& state);

 private:
  static constexpr double kNoCap = 10;
  Vec2 tuned_velocity() const { return aimed_velocity_ + bias_; }
  Vec2 to_heading(const Vec2& v) const;
  Vec2 to_world(const Vec2& v) const;
  StepTiming timing() const;
  double rate() const;
  double leg(int side) const;

  void turn(const Goal& goal, double dt);
  void hold(const physics::GroundNow& ground, const Goal& goal, double dt);
  void shift(const physics::GroundNow& ground, double dt);
  void share_weight(const Vec2& cop);
  Vec2 lift_off() const;
  void swing(const physics::GroundNow& ground, const Vec2& known, double dt);
  void transfer(const physics::GroundNow& ground, const Goal& goal, double dt);
  void lift(const physics::GroundNow& ground, int side, double duration);
  void aim(const physics::GroundNow& ground, const Vec2& known);
  void land(const physics::GroundNow& ground);
  void move_mass(const Vec3& force, double dt);
  bool is_comfortable() const;

  const StepperBody* body_;
  const StepperGait* gait_;
  const StepperTuning* tuning_;
  StepperParts parts_;

  Phase phase_ = Phase::kStand;
  Vec3 com_ = Vec3::Zero(), velocity_ = Vec3::Zero();
  std::array<Foot, 2> feet_;
  Trunk trunk_;
  double heading_ = 0, heading_rate_ = 0;
  Vec2 aimed_velocity_ = Vec2::Zero();  // heading frame
  int stance_ = 0;
  double time_ = 0, duration_ = 0;  // s, of the phase
  double planned_ = 0;  // s, of the swing, but for a foothold that wants another time
  Vec3 from_ = Vec3::Zero(), to_ = Vec3::Zero();
  double from_yaw_ = 0, to_yaw_ = 0;
  Vec3 cop_ = Vec3::Zero();
  Vec3 cop_from_ = Vec3::Zero();  // at touch-down
  Vec3 ground_force_ = Vec3::Zero();
  double level_ = 0;    // m, of the ground that the mass goes by
  double short_by_ = 0;  // m, that the foothold is nearer than was wanted
  double cap_ = kNoCap;  // m/s, that the ground ahead allows
  double upright_ = 0;  // m, height of the mass above its foot that the leg aims at
  Vec2 bias_ = Vec2::Zero();  // m/s, on top of the speed aimed at; heading frame
  Vec2 travelled_ = Vec2::Zero();  // m in this step, heading frame
  double step_clock_ = 0;          // s since the last foot-strike
  Vec2 mean_velocity_ = Vec2::Zero();
  double still_ = 0;  // s, uncomfortable
  std::uint64_t steps_ = 0;
  double step_length_ = 0;
};

}  // namespace promenade::control::pendulum
