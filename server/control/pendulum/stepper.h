#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "control/goal.h"
#include "control/pendulum/landing.h"
#include "control/pendulum/orbit.h"
#include "control/pendulum/parameters.h"
#include "control/pendulum/swing.h"
#include "control/pendulum/trunk.h"
#include "control/pendulum/way_ahead.h"
#include "math/state.h"
#include "math/types.h"
#include "physics/ground/ground.h"

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
  double step_time = 0.5;   // s, at walking speeds
  double both_share = 0.2;  // of it, on both feet
  double width = 0.16;      // m, between the feet
  double crouch = 0;        // share of the leg by which it stands lower
  SwingShape swing;
};

enum class Phase { kStand, kShift, kSwing, kTransfer, kFallen };

struct Foot {
  Vec3 position = Vec3::Zero();  // centre of its circle on the ground, m
  double yaw = 0;
  double pitch = 0;  // rad, positive with the toes down

  void visit(StateVisitor& state) { state(position, yaw, pitch); }
};

/// The motion of a body that a pendulum goes on from. World frame, SI.
struct StepperStart {
  Vec3 com = Vec3::Zero(), velocity = Vec3::Zero();
  std::array<Foot, 2> feet;  // of one that is in the air: where it is
  double heading = 0;
  bool standing = true;  // on both feet, hardly moving
  bool landing = false;  // on both feet, the weight about to go over to the one in front
  int stance = 0;        // the foot that carries, where it does not stand; landing: the one behind
  double phase = 0;      // share of the swing, or of the landing, that is over, [0, 1)
  double swung = 0;      // share of its way that a foot in the air is on
  Vec2 aimed_velocity = Vec2::Zero(), mean_velocity = Vec2::Zero();  // m/s, heading frame
  std::uint64_t steps = 0;
};

/// A pendulum that steps: a mass on massless legs, two circles for feet and a trunk.
/// Source: Kenwright2014 chapters 3 to 6. World frame, SI.
class Stepper {
 public:
  /// The three outlive the stepper. Body and gait may be changed between two updates.
  Stepper(const StepperBody& body, const StepperGait& gait, const Tuning& tuning)
      : body_(&body), gait_(&gait), tuning_(&tuning), parts_(tuning.parts) {}

  /// Stands upright at a place of the ground, at rest.
  void stand(const physics::GroundNow& ground, const Vec2& position, double heading);
  /// Goes on from the motion of a body.
  void start(const physics::GroundNow& ground, const StepperStart& from);
  /// Moves on by one step of time. Allocates nothing.
  /// @param force  [3] N, on the mass, besides gravity
  /// @param known  [2] N, the part of it that is allowed for, as of a crate that is pulled
  void update(const physics::GroundNow& ground, const Goal& goal, const Vec3& force,
              const Vec2& known, double dt);

  Phase phase() const { return phase_; }
  const Vec3& com() const { return com_; }
  const Vec3& velocity() const { return velocity_; }
  const Foot& foot(int side) const { return feet_[std::size_t(side)]; }
  /// m, from the middle of a foot to where the front of its sole bears; its rear is as far behind.
  Vec2 ball(int side) const;
  int stance() const { return stance_; }
  double heading() const { return heading_; }
  const Trunk& trunk() const { return trunk_; }
  const Vec3& cop() const { return cop_; }
  const Vec3& ground_force() const { return ground_force_; }
  /// Where the mass is about to come to rest, on the ground: x + v / w.
  Vec2 captured() const { return (com_ + velocity_ / rate()).head<2>(); }
  /// Share of the weight on a foot.
  double load(int side) const;
  const Vec3& target() const { return to_; }
  /// Where the foot in the air comes from, and the yaws there and at the target.
  const Vec3& origin() const { return from_; }
  double yaw_from() const { return from_yaw_; }
  double yaw_to() const { return to_yaw_; }
  /// Velocity that it aims at, m/s, heading frame.
  Vec2 aimed_velocity() const { return aimed_velocity_; }
  /// Share of the present swing or transfer that is over.
  double share() const;
  /// s, of it that is left.
  double time_left() const { return duration_ - time_; }
  std::uint64_t steps() const { return steps_; }
  double step_length() const { return step_length_; }
  Vec2 mean_velocity() const { return mean_velocity_; }
  /// How much lower than upright above its foot the mass is told to be, m: the steps are wide.
  double dip() const { return dip_; }
  bool fallen() const { return phase_ == Phase::kFallen; }
  /// It does not go on as it is asked to, as there is nowhere to put a foot.
  bool barred() const { return barred_; }
  void set_com(const Vec3& com, const Vec3& velocity) { com_ = com, velocity_ = velocity; }

  void visit(StateVisitor& state);

 private:
  static constexpr double kNoCap = 10;
  static constexpr double kMargin = 0.02;  // m, border of the support that is kept free
  static double side_of(int foot) { return foot == 0 ? 1 : -1; }
  static Vec2 flat(const Vec3& v) { return v.head<2>(); }
  /// The point that bears a standing foot: the highest under its middle, front and rear.
  physics::GroundPoint bearer(const physics::GroundNow& ground, int side) const;
  /// Whether it holds a foot that stood at this height, or is to step down from there.
  bool bears(const physics::GroundPoint& under, double height) const;
  Vec2 tuned_velocity() const { return aimed_velocity_ + bias_; }
  void face(double heading);
  Vec2 to_heading(const Vec2& v) const;
  Vec2 to_world(const Vec2& v) const;
  StepTiming timing() const;
  double rate() const;
  double leg(int side) const;
  /// m, of the foot in the air from the mass, at most.
  double longest_step() const { return tuning_->step_limit * leg(1 - stance_); }

  double timed() const { return duration_ > 0 ? std::min(1.0, time_ / duration_) : 0; }
  void go_on_swinging(const physics::GroundNow& ground, double phase, double swung);
  void turn(const Goal& goal, double dt);
  void hold(const physics::GroundNow& ground, const Goal& goal, double dt);
  void shift(const physics::GroundNow& ground, double dt);
  void share_weight(const Vec2& cop);
  Vec2 lift_off(int stance, const Vec2& velocity) const;
  WaySearch way_search(int side, const Vec2& first, const Vec2& velocity) const;
  void look_ahead(const physics::GroundNow& ground, const Vec2& first, double soonest,
                  double latest, double usual);
  Vec3 next_on_way(const physics::GroundNow& ground) const;
  bool is_barred(const physics::GroundNow& ground, int side, const Vec2& velocity) const;
  Vec2 start_on_way(const WayAhead& way) const;
  Vec2 pressure_for_way(const WayAhead& way, double left) const;
  /// When the foot comes down, and how far from the middle of the sole the pressure is until then.
  struct SwingOnWay {
    double left, off;  // s, m
  };
  SwingOnWay swing_on_way(const WayAhead& way, double soonest, double latest, double usual) const;
  void swing(const physics::GroundNow& ground, const Vec2& known, double dt);
  void transfer(const physics::GroundNow& ground, const Goal& goal, double dt);
  void lift(const physics::GroundNow& ground, int side, double duration);
  Vec2 against(const Vec2& known, double height) const;
  LandingLaw landing_law(const Vec2& known, const Orbits& orbits) const;
  /// @param soonest, latest  s, when the foot may come down
  Landing landing_in_reach(const LandingLaw& law, double soonest) const;
  void aim(const physics::GroundNow& ground, const Vec2& known, const Orbits& orbits);
  void aim_on_way(const physics::GroundNow& ground, double soonest, double latest, double usual);
  void take_foothold(const physics::GroundNow& ground, const Vec2& place, double spare);
  double time_to_foothold(const LandingLaw& law, double soonest, double latest) const;
  void land();
  Vec2 pivot_offset() const;
  Vec3 turn_trunk(const Vec3& arm, const Vec3& leg_force, double dt);
  void move_mass(const Vec3& force, double dt);
  bool is_comfortable() const;

  const StepperBody* body_;
  const StepperGait* gait_;
  const Tuning* tuning_;
  Parts parts_;

  Phase phase_ = Phase::kStand;
  Vec3 com_ = Vec3::Zero(), velocity_ = Vec3::Zero();
  std::array<Foot, 2> feet_;
  Trunk trunk_;
  double heading_ = 0, heading_rate_ = 0;
  Vec2 facing_ = Vec2::UnitX();         // cosine and sine of heading_
  Vec2 aimed_velocity_ = Vec2::Zero();  // heading frame
  Vec2 aimed_before_ = Vec2::Zero();    // at the last foot-strike
  Vec2 asked_ = Vec2::Zero();           // m/s, by the goal; heading frame
  int stance_ = 0;
  double time_ = 0, duration_ = 0;  // s, of the phase
  double swung_ = 0;                // share of the swing's path in time that is behind the foot
  double planned_ = 0;              // s, of the swing, but for a foothold that wants another time
  Vec3 from_ = Vec3::Zero(), to_ = Vec3::Zero();
  double from_yaw_ = 0, to_yaw_ = 0;
  bool has_foothold_ = true;  // whether to_ is a place for a foot
  Vec3 cop_ = Vec3::Zero();
  Vec3 cop_from_ = Vec3::Zero();  // at touch-down
  Vec3 ground_force_ = Vec3::Zero();
  double level_ = 0;          // m, of the ground that the mass goes by
  double dip_ = 0;            // m, that the mass is told to be lower than upright above the foot
  double short_by_ = 0;       // m, that the foothold is nearer than was wanted
  double cap_ = kNoCap;       // m/s, that the ground ahead allows
  double upright_ = 0;        // m, height of the mass above its foot that the leg aims at
  Vec2 bias_ = Vec2::Zero();  // m/s, on top of the speed aimed at; heading frame
  Vec2 travelled_ = Vec2::Zero();  // m in this step, heading frame
  double step_clock_ = 0;          // s since the last foot-strike
  Vec2 mean_velocity_ = Vec2::Zero();
  double still_ = 0;     // s, uncomfortable
  WayAhead way_;         // over ground with holes; of the present swing and the transfer after it
  bool looked_ = false;  // in this swing
  double look_in_ = 0;   // s, until one that is barred looks again
  bool barred_ = false;
  std::uint64_t steps_ = 0;
  double step_length_ = 0;
};

}  // namespace promenade::control::pendulum
