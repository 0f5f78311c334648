#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "control/goal.h"
#include "creature/creature.h"
#include "math/state.h"
#include "physics/articulated_body.h"
#include "physics/ground/ground.h"

namespace promenade {
struct Style;
}

namespace promenade::control {

/// A controller's report about itself, for overlays, panels and experiments. World frame, SI. A
/// family leaves the numbers that it does not know as they are here.
struct ControlReport {
  Vec3 com = Vec3::Zero();
  Vec3 com_velocity = Vec3::Zero();
  Vec2 capture_point = Vec2::Zero();
  Vec3 foot_target = Vec3::Zero();  // goal of the swing ankle
  bool left_stance = true;
  bool standing = true;
  double phase = 0;                   // share of the step that is over, [0, 1]
  double step_time = 0;               // s, of the last whole step
  double step_length = 0;             // m, of the last whole step, along the heading
  double heading = 0;                 // rad
  Vec2 mean_velocity = Vec2::Zero();  // m/s, heading frame; the last step counts half,
                                      // of gaits from files it fades over two strides
  std::array<Vec3, 2> foot_force{Vec3::Zero(), Vec3::Zero()};  // N, on left and right foot
  std::array<bool, 2> foot_on_ground{false, false};
  std::uint64_t steps = 0;  // foot-strikes since reset
  double stoop = 0;         // 0 upright, 1 stooped as deep as it goes, on purpose

  /// @tparam Visitor  StateVisitor, or a class that sends the report to another process
  template <typename Visitor>
  void visit(Visitor& state) {
    state(com, com_velocity, capture_point, foot_target, left_stance, standing, phase, step_time,
          step_length, heading, mean_velocity, foot_force, foot_on_ground, steps, stoop);
  }
};

/// The usual speed and steps of a creature, for behaviours, and how low it comes. Zero: it does not
/// walk.
struct Manner {
  double cruise_speed = 0;  // m/s
  double step_time = 0;     // s
  double step_width = 0;    // m
  // m, of the middle of the shoulders in the deepest stoop: ahead of the ankles, above the soles.
  Vec2 low_shoulders = Vec2::Zero();
};

/// The part of a controller whose motion has a style.
class Styled {
 public:
  virtual ~Styled() = default;
  /// Changes the style and goes on in the same motion. @pre `style` is not null
  virtual void set_style(std::shared_ptr<const Style> style) = 0;
};

namespace posegraph {
struct Gait;
}

/// The part of a controller that plays gaits from files.
class GaitPlayer {
 public:
  virtual ~GaitPlayer() = default;
  /// Goes on with another gait of its creature, unmixed: at the moment that the gait names for the
  /// one before, else at once from its first state. Null: it stands.
  virtual void set_gait(std::shared_ptr<const posegraph::Gait> gait) = 0;
  /// Mixes the gait and its variants by hand from the next state on.
  /// @param shares  [1 + variants] of the gait itself, then of each variant; their sum is 1. Empty:
  /// the goal mixes them
  virtual void mix_by_hand(std::span<const double> shares) = 0;
  /// Goes through the chain at the end of this cycle, once.
  /// @param size  0 the smallest leap to 1 the greatest that a variant knows
  virtual void leap(double size) = 0;
  /// Whether it does about its balance what its gait says; true at first.
  virtual void set_feedback(bool on) = 0;
  virtual bool feedback_on() const = 0;
  /// Null: it has none, and stands.
  virtual const posegraph::Gait* gait() const = 0;
  /// As for mix_by_hand(), as they are in the present state.
  virtual std::vector<double> shares() const = 0;
  virtual bool leaps() const = 0;
};

/// Where a walker is in its gait, for another controller to go on from.
struct GaitMoment {
  bool walking = false;          // else it stands, or begins or ends to
  bool left_stance = false;      // the foot that carries, or that has just come down
  double phase = 0;              // share of the step that is over since that foot came down
  Vec2 velocity = Vec2::Zero();  // m/s, aimed at, in the frame of the heading
  Vec2 mean = Vec2::Zero();      // m/s, of the last steps, in that frame
  double heading = 0;            // rad, aimed at, world
};

/// How a foot presses on the ground or thing that bears it. World frame.
struct FootPress {
  Vec3 position = Vec3::Zero();  // m, under the middle of the foot
  Vec2 ball = Vec2::Zero();      // m, from there to where the front of the sole bears; rear: as far
  Vec3 force = Vec3::Zero();     // N, on the ground or thing; zero of a foot in the air
};

/// The part of a controller that moves its creature by a model of its own instead of through the
/// physics: light enough for crowds. The model knows where the creature is, how it moves and when
/// it steps (ControlReport); the pose of all links is made from it when somebody needs to know.
class Kinematic {
 public:
  virtual ~Kinematic() = default;
  /// Goes on from the motion of a body, whatever it did before. To be called after each
  /// Controller::reset() and set_creature(), before all else here.
  virtual void begin(const physics::ArticulatedBody& body, const physics::GroundNow& ground) = 0;
  /// Moves on by dt seconds. Called once a tick instead of Controller::update() and a step of the
  /// physics. Allocates nothing.
  /// @param force  [3] N, on the body besides gravity, as of pushes; world frame
  virtual void move(const physics::GroundNow& ground, const Goal& goal, const Vec3& force,
                    double dt) = 0;
  /// The pose now.
  /// @param out  of the creature's model; its velocities stay as they are
  virtual void pose(physics::ArticulationState& out) const = 0;
  /// The pose now, with the velocities that led there in the last move().
  virtual void pose_in_motion(physics::ArticulationState& out) const = 0;
  /// How the left and the right foot press.
  virtual std::array<FootPress, 2> foot_presses() const = 0;
  /// Whether it has lost its balance: the physics takes over from its present motion.
  virtual bool lost() const = 0;
};

/// Reads the state of its creature's body and sets the servos of its joints. Each creature has one;
/// control/registry.h lists the families of controllers.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Starts afresh from the body's present state, which may be in motion.
  virtual void reset(const physics::ArticulatedBody& body, const Goal& goal) = 0;
  /// Goes on with a walk that is under way, where it can. To be called right after reset(), and
  /// before Kinematic::begin().
  virtual void resume(const GaitMoment& moment) { (void)moment; }
  /// Sets the body's drives, or leaves them as they are, for the next step of dt seconds. Called
  /// once before each step. Allocates nothing.
  virtual void update(physics::ArticulatedBody& body, const physics::GroundNow& ground,
                      const Goal& goal, double dt) = 0;
  /// Goes on with another creature, whose state continues that of the creature before.
  /// @param state  of the new creature, as it is now; its drives are not set
  virtual void set_creature(std::shared_ptr<const Creature> creature,
                            const physics::ArticulatedBody& state) = 0;
  virtual const ControlReport& report() const = 0;
  /// Whether a creature that had fallen stands again, so that its own controller can take over.
  virtual bool recovered() const { return false; }
  virtual GaitMoment moment() const { return {}; }
  virtual Manner manner() const { return {}; }
  /// Null where the creature is moved through the physics.
  virtual Kinematic* kinematic() { return nullptr; }
  /// Null where the family has no styles.
  virtual Styled* styled() { return nullptr; }
  /// Null where the family plays no gaits.
  virtual GaitPlayer* gait_player() { return nullptr; }
  /// Visits everything that decides the future, and the report. Creature, parameters and style are
  /// not part of it: a controller that a state is read into is made with them.
  virtual void visit(StateVisitor& state) = 0;
};

}  // namespace promenade::control
