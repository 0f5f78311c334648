#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/flow/person.h"
#include "behaviour/kinds.h"
#include "control/controller_library.h"
#include "creature/biped/biped.h"
#include "math/dense_memory.h"
#include "world/crowd/crowd_walk.h"
#include "world/entity/occupant.h"
#include "world/scene/scene.h"

namespace promenade::world {

/// Links in the physics that take about as much time as a character moved outside it.
inline constexpr std::size_t kLightWork = 1;

/// One character of a room: body, controller, behaviour and what happens to them.
struct Entity : Occupant, DenseMemory {
  /// @param style_in  null where the family has no styles
  /// @pre family_in.why_not(creature) is empty
  Entity(CharacterId id_in, std::shared_ptr<const CreatureDefinition> body_in,
         std::shared_ptr<const StyleDefinition> style_in, const control::Family& family_in,
         const control::ControllerLibrary& controllers);

  // Members that every tick looks at come first: passes over a large crowd read little memory.
  bool fallen = false;
  bool down = false;         // lies, as seen at the end of the last tick: is_down()
  bool lost = false;         // out of the world, as seen then: is_out()
  bool quarantined = false;  // not in the physics
  bool away = false;         // not in the scene at present: one of its flow, between two visits
  bool simplified = false;   // `stand_in` moves it
  bool stepped = false;      // a foot has come down in this tick
  bool arrived = false;      // its behaviour has come to its end in this tick
  bool risen = false;        // has got up by itself, as seen at the end of the last tick
  bool unchecked = true;     // its state may be none that the room has made
  bool wants_light = false;  // by the room's ranking, of Level::kAuto
  Level level = Level::kAuto;
  std::uint64_t back_at = 0;            // tick at which it is set upright again; 0: not waiting
  std::uint64_t leaves_at = 0;          // tick at which it will be away; 0: it does not leave
  std::uint64_t in_physics_until = 0;   // tick until which it has to be there: a touch, an edit
  Vec2 smooth_velocity = Vec2::Zero();  // m/s, of the root, without the sway of steps
  double smooth_heading = 0;            // rad, of the pelvis, without that sway
  double radius = behaviour::kPersonalRadius;  // m, of the space it wants
  behaviour::BehaviourKind behaviour_kind =
      behaviour::kind_of<behaviour::Direct>();  // see follow()
  std::unique_ptr<behaviour::Behaviour> behaviour;

  double shoulder_height = 0;  // m, over the soles, upright; of bipeds, as the next
  double toes_ahead = 0;       // m, of the foot ahead of the ankle
  std::optional<Biped> biped;  // which of the body's links are which parts, if it is one
  /// The style of the present controller or of the last one that had styles. Null: none so far.
  std::shared_ptr<const StyleDefinition> style_definition;
  /// The gait of the present controller or of the last one that played gaits. Null: none so far.
  std::shared_ptr<const GaitDefinition> gait_definition;
  const control::Family* family;  // of `controller`
  std::unique_ptr<control::Controller> controller;
  /// Moves it outside the physics while `simplified`; else null.
  std::unique_ptr<control::Controller> stand_in;
  std::unique_ptr<control::Controller> limp;  // takes over while the creature has fallen
  /// Takes over instead of `limp` while a fallen walker tries to get up by itself; else null.
  std::unique_ptr<control::Controller> rise;
  control::Goal goal;

  behaviour::Order start_order;  // what it was told to do at first, and is again after a reset
  Vec2 start_position = Vec2::Zero();
  double start_heading = 0;

  Vec2 last_position = Vec2::Zero();  // where it was before it fell, m: it comes back there
  double last_heading = 0;
  std::vector<std::uint32_t> limb_bits;  // [links] of CharacterSnapshot::limb_contacts
  double step_width = 0;                 // m, at the last foot-strike; only shown
  std::uint64_t came_back = 0;           // tick at which that was last done, 0: never; only shown

  behaviour::flow::PersonId person = 0;  // of the room's flow; 0: none
  CrowdWalk in_step;                     // with its crowd, while in_crowd()

  /// The limbs whose feet stand, by the controller's report; as CharacterSnapshot::limb_contacts.
  std::uint32_t feet_on_ground() const;
  bool present() const { return !quarantined && !away; }
  /// Gives it another behaviour.
  void follow(std::unique_ptr<behaviour::Behaviour> next) {
    behaviour_kind = behaviour::kind_of(*next);
    behaviour = std::move(next);
  }
  /// Whether its behaviour is of that class.
  template <typename Behaviour>
  bool follows() const {
    return behaviour_kind == behaviour::kind_of<Behaviour>();
  }
  /// Whether it is one of those who come and go.
  bool of_flow() const {
    return std::holds_alternative<behaviour::flow::OnErrand::Order>(start_order);
  }
  /// Whether its crowd chooses its velocity.
  bool in_crowd() const {
    if (!present() || fallen) return false;
    return follows<behaviour::flow::OnErrand>() || (light_ && !follows<behaviour::Direct>());
  }
  /// Lets its behaviour say what to do for dt seconds.
  void behave(const behaviour::Surroundings& around, double dt) {
    goal = behaviour->update(self(), around, dt);
    arrived = behaviour->take_arrived();
  }
  /// Number of links: a tick's work for it is that of so many.
  std::size_t work() const { return kinematic() ? kLightWork : body->link_names.size(); }
  /// Null while the physics moves it; else the model that moves it instead.
  control::Kinematic* kinematic() const { return fallen ? nullptr : light_; }
  /// Whether it can do tasks: a biped with hands that is driven by a walker.
  bool does_tasks() const { return biped && family->tasks(); }
  /// Whether it can try to get up by itself: a biped that is driven by a walker.
  bool may_rise() const;
  /// Makes it one that has fallen.
  /// @param tries  whether it tries to get up by itself. @pre may_rise()
  void fall(const physics::GroundNow& ground, bool tries, double dt);
  /// Goes on by its own controller after it has got up. @pre risen
  void go_on(const physics::GroundNow& ground);
  /// The controller that drives it while it has not fallen.
  control::Controller& driver() const { return simplified ? *stand_in : *controller; }
  /// The family of controllers that stand in for those in full physics.
  static const control::Family& light_family();
  /// Whether a light controller can stand for its own.
  bool may_be_light() const;
  /// Whether it stands, or is in the middle of a step, one foot planted and the other halfway: then
  /// its joints and the forces of the ground change least, and its level changes unseen.
  bool between_strikes() const;
  /// Goes on outside the physics, or in it again, in its present motion.
  /// @pre simplify(): may_be_light(); embody(): `simplified`
  void simplify(const physics::GroundNow& ground);
  void embody();
  /// Makes sure that the physics moves it, now and for some time: something touches it.
  /// @param tick  the present one; @param dt  s, of a tick
  void need_physics(std::uint64_t tick, double dt);

  /// Where it is on the ground: of its root, or, while the physics does not move it, of its mass.
  Vec2 position() const;
  /// The pose now. While the physics does not move it, `physics` has some earlier one.
  /// @param out  of the body's model; its velocities are left as they are
  void pose(physics::ArticulationState& out) const;
  /// Moves one that the physics does not move through a whole tick. @pre kinematic()
  void move(const StepContext& tick);
  /// Gives its body in `physics` the motion that it has, for the physics to go on from, with slack
  /// joints. Does nothing where the physics moves it anyway.
  void settle_into_physics();
  /// How much of it there is to see at a tick of dt seconds, up to kWholePresence: it fades out
  /// before it is set upright somewhere, and in afterwards.
  std::uint32_t presence(std::uint64_t tick, double dt) const;
  bool is_sound() const override;
  void decide(const StepContext& context) override;
  void settle(const StepContext& context) override;
  /// Updates the smoothed motion of the root; once a tick, after the physics. @pre is_sound()
  void observe(double dt);
  behaviour::Self self() const;

  /// Lets the controller start afresh from the body's present motion, or go on with a walk.
  void restart_controller(const physics::GroundNow& ground, const control::GaitMoment& moment = {});
  /// Puts it upright at a place, at rest; the controller starts afresh.
  void place(const physics::GroundNow& ground, const Vec2& position, double heading);
  /// @pre family->styled
  void set_style(std::shared_ptr<const StyleDefinition> new_style);
  /// Begins another gait, where its controller plays gaits and the gait fits the body; null:
  /// stands.
  void set_gait(std::shared_ptr<const GaitDefinition> new_gait);
  /// Makes another controller take over in the present motion. The behaviour and the style stay; a
  /// character that has fallen gets up first, unless the new controller lets it lie.
  /// @pre new_family.why_not(*body) is empty; style_definition is there if it is styled
  void set_controller(const control::Family& new_family,
                      const control::ControllerLibrary& controllers,
                      const physics::GroundNow& ground);
  /// Goes on with another body where it is and as it moves; see creature/biped/body_change.h.
  /// @pre family->why_not(new body) is empty
  void set_body(std::shared_ptr<const CreatureDefinition> new_body,
                const physics::GroundNow& ground);
  /// Whether it has fallen by the rule of creature/fallen.h.
  bool is_down(const physics::GroundNow& ground) const;
  /// Whether it has fallen out of the world: far below the lowest ground.
  bool is_out(const physics::Ground& ground) const;
  static constexpr double kFade = 0.4;  // s, in which somebody appears or disappears
  /// Whether the remembered places are within kMaxDistance, for a state that was read.
  bool remembers_places_in_the_world() const;
  /// A hash of everything that decides its future.
  std::uint64_t digest() const;
  /// Visits everything that decides its future, except its definitions and family.
  void visit(StateVisitor& state);

 private:
  std::shared_ptr<const Style> style() const {
    return style_definition ? style_definition->style : nullptr;
  }
  void slacken();
  control::Controller& driver_on_ground() const { return rise ? *rise : *limp; }
  void measure();      // sizes that follow from the body
  void note_driver();  // after another controller has come to drive it
  void observe_light(double dt);
  void smooth(const Vec2& velocity, double heading, double dt);

  const control::ControllerLibrary* controllers_;
  control::Kinematic* light_ = nullptr;  // of driver()
  bool biped_for_light_ = false;         // whether a light controller can drive the body
  std::uint64_t steps_seen_ = 0;
};

}  // namespace promenade::world
