#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/controller_library.h"
#include "control/goal.h"
#include "creature/biped/biped.h"
#include "physics/articulated_body.h"
#include "promenade/v1/controller.pb.h"
#include "world/library/library.h"

namespace promenade::trial {

/// Physics step of experiments that name no other, s: that of a room.
inline constexpr double kRoomStep = 1.0 / 480;
inline constexpr double kRoomTick = 1.0 / 60;  // s, of characters that the physics does not move

/// The subject of an experiment: body, style, controller, parameters and ground. Shared by threads.
struct Walker {
  std::shared_ptr<const Creature> body;
  std::shared_ptr<const Style> style;
  const control::Family* family = nullptr;
  control::Parameters parameters;                 // of the family
  std::shared_ptr<const physics::Ground> ground;  // null: level ground
  /// Torque limits of the source: 200 N m at hips and knees, 100 N m elsewhere (Coros2010 §6).
  bool source_torque_limits = false;
  /// Starts with heading 0 whatever the seed: for ground that lies ahead.
  bool straight_on = false;
  /// The ground that the controller is told of; null: the real one.
  std::shared_ptr<const physics::Ground> believed_ground;
  double step = kRoomStep;  // s, of physics and control

  /// The walk and gaits that poses of light families are made of, see control::ControllerSetup.
  control::Parameters walk;
  std::shared_ptr<control::pendulum::GaitTables> gaits;
  /// Of the family posegraph.
  std::shared_ptr<const control::posegraph::Gait> gait;
  /// The style for work, of families that have styles: see control::ControllerSetup.
  std::shared_ptr<const Style> plain;

  std::unique_ptr<control::Controller> make_controller() const {
    return family->make({body, parameters, style, walk, gaits, plain, gait});
  }
  /// Driven by another family with the parameters of its file; a light one is stepped once a tick
  /// of a room. Throws std::invalid_argument where it cannot drive the body.
  void drive_by(const Library& library, const std::string& family_name);
  /// The parameters of a walker that is driven by gbwc, for experiments that change some.
  v1::GbwcParameters gbwc() const { return dynamic_cast<const v1::GbwcParameters&>(*parameters); }
  void set_gbwc(const v1::GbwcParameters& changed) {
    parameters = std::make_shared<const v1::GbwcParameters>(changed);
  }
  /// A body and a style of the library, with the default controller of the body and its parameters,
  /// on level ground.
  /// Throws std::invalid_argument that lists the known names if the library has no such name.
  static Walker of(const Library& library, const std::string& body, const std::string& style);
  /// Any creature of the library driven by a family that has no styles. Throws as of() does.
  static Walker unstyled(const Library& library, const std::string& body,
                         const std::string& family);
};

/// A speed that suits a style on a body, m/s: the style's own, scaled with the leg length so that
/// the Froude number stays.
/// Law: v = style.speed sqrt(leg / human leg)
double fitting_speed(const Walker& walker);
/// Time of two steps of its style on its body, s.
double stride_time(const Walker& walker);

/// One character alone in a world, stepped as a room steps it: the controller before every physics
/// step. Its result depends on the walker, the seed and the goals alone; it has no clock and no
/// shared state.
class Rollout {
 public:
  static constexpr double kStep = kRoomStep;  // s, unless the walker has another

  /// Seed 0 starts exactly in the rest pose, upright, with heading 0. Any other seed turns the
  /// character to a random heading and bends its joints by up to 2 degrees, so that no two rollouts
  /// are alike.
  Rollout(const Walker& walker, std::uint64_t seed);

  /// Begins anew from the present state of a creature of the same kind, with a controller of the
  /// walker's family. Allocates nothing once it has been called before.
  /// @param ground_time  s, of moving ground: see physics::GroundNow
  /// @throws std::invalid_argument where the state is not one of this walker's
  void start_from(const physics::ArticulatedBody& body, const control::Controller& controller,
                  const control::Goal& present_goal, double ground_time);
  /// Begins anew from where another rollout is.
  void start_from(const Rollout& other) {
    start_from(other.physics_, *other.controller_, other.goal, other.ground_start_);
    ground_steps_ = other.ground_steps_ + other.steps_;
  }

  /// Advances one step. @return false once the character has fallen; then nothing moves any more
  bool step();
  /// Advances `seconds` or until it falls. @return whether it is still up
  bool run(double seconds);

  control::Goal goal;
  /// N, world frame, on the centre of mass of `push_link` while not zero.
  Vec3 push = Vec3::Zero();
  std::optional<int> push_link;  // none: the trunk
  /// Called after every step; may be empty.
  std::function<void(const Rollout&)> observer;

  /// Asks for walking at a velocity in the frame of the heading, m/s; at zero it walks on the spot.
  void walk(const Vec2& velocity) {
    goal.velocity = velocity;
    goal.stand = false;
  }
  void stop() {
    goal.velocity.setZero();
    goal.stand = true;
  }
  /// @pre the family of the walker is styled
  void set_style(std::shared_ptr<const Style> style) {
    walker_.style = std::move(style);
    controller_->styled()->set_style(walker_.style);
  }

  /// Whether its controller moves it without the physics.
  bool light() const { return walker_.family->light; }
  bool fallen() const { return fallen_; }
  double dt() const { return walker_.step; }                                  // s
  double time() const { return static_cast<double>(steps_) * walker_.step; }  // s, of the rollout
  /// s, of moving ground.
  double ground_time() const {
    return ground_start_ + static_cast<double>(ground_steps_ + steps_) * walker_.step;
  }
  const Creature& body() const { return *walker_.body; }
  /// @pre the walker's body is a biped
  const Biped& biped() const { return *biped_; }
  /// @pre the walker's family is styled
  const Style& style() const { return *walker_.style; }
  const physics::Ground& ground() const { return *walker_.ground; }
  physics::ArticulatedBody& physics() { return physics_; }
  const physics::ArticulatedBody& physics() const { return physics_; }
  const control::ControlReport& report() const { return controller_->report(); }
  control::Manner manner() const { return controller_->manner(); }
  /// Null where the family plays no gaits.
  control::GaitPlayer* gait_player() { return controller_->gait_player(); }
  /// The drives of the body, with the servo torques that were applied last.
  std::span<const physics::JointDrive> drives() const { return drives_; }

 private:
  friend class Herd;
  /// All of a step that comes before the physics. @return whether the physics is to move it
  bool begin_step();
  /// All that comes after it. @return whether it is still up
  bool end_step();

  Walker walker_;
  std::optional<Biped> biped_;
  std::unique_ptr<control::Controller> controller_;
  physics::ArticulatedBody physics_;
  physics::ArticulationState posed_;  // of one that the physics does not move
  physics::Workspace workspace_;
  std::span<physics::JointDrive> drives_;
  StateVisitor::Buffer words_;  // of the last start_from()
  std::uint64_t steps_ = 0;
  double ground_start_ = 0;         // s
  std::uint64_t ground_steps_ = 0;  // since ground_start_, before this rollout began
  bool fallen_ = false;
};

/// Steps rollouts together, as a room steps its characters. Each comes to the same bits as by
/// Rollout::step(), in less time: bodies of one tree of joints are computed side by side, up to
/// physics::kSideBySide of them. It serves one thread.
class Herd {
 public:
  /// Advances each one by a step; those that have fallen stay as they are.
  /// @pre all have the same ground and dt() and, if that ground moves, the same ground_time()
  void step(std::span<Rollout* const> rollouts);

 private:
  std::vector<Rollout*> moved_;  // of the present step, by the physics
  std::vector<physics::ArticulatedBody*> bodies_;
  std::vector<int> ends_;
  physics::Workspace workspace_;
};

}  // namespace promenade::trial
