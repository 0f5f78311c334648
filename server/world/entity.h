#pragma once

#include <memory>
#include <string>
#include <vector>

#include "behaviour/behaviour.h"
#include "control/gbwc/gbwc.h"
#include "creature/biped/biped.h"
#include "world/occupant.h"
#include "world/scene/scene.h"

namespace promenade::world {

/// One character of a room: body, controller, behaviour and what happens to them.
struct Entity : Occupant {
  Entity(CharacterId id_in, std::shared_ptr<const CreatureDefinition> body_in,
         std::shared_ptr<const StyleDefinition> style_in,
         std::shared_ptr<const control::GbwcParameters> parameters);

  std::shared_ptr<const StyleDefinition> style_definition;
  std::shared_ptr<const Style> style;  // of the definition
  Biped biped;                         // which of the body's links are which parts
  control::Gbwc controller;
  std::unique_ptr<behaviour::Behaviour> behaviour;
  control::Intent intent;

  Task task;  // what it started with
  Vec2 start_position = Vec2::Zero();
  double start_heading = 0;

  Vec2 smooth_velocity = Vec2::Zero();  // m/s, of the root, without the sway of steps
  double smooth_heading = 0;            // rad, of the pelvis, likewise
  Vec2 last_position = Vec2::Zero();    // where it was last well, for coming back
  double last_heading = 0;
  double radius = behaviour::kPersonalRadius;  // m, of the space it wants
  std::vector<std::uint32_t> limb_bits;        // [links] of CharacterSnapshot::limb_contacts
  double step_width = 0;                       // m, at the last foot-strike; for show
  bool fallen = false;
  bool down = false;          // lies, as seen at the end of the last tick: is_down()
  bool quarantined = false;   // not in the physics
  std::uint64_t back_at = 0;  // tick at which it is set upright again; 0: not waiting

  bool present() const { return !quarantined; }
  void decide(const StepContext& context) override;
  void settle(const StepContext& context) override;
  /// Follows the root's motion: once a tick, after the physics. @pre sound
  void observe(double dt);
  behaviour::Self self() const;

  /// Upright at a place, at rest; the controller starts afresh.
  void place(const physics::GroundNow& terrain, const Vec2& position, double heading);
  void set_style(std::shared_ptr<const StyleDefinition> new_style);
  /// Goes on with another body where it is and as it moves; see character/body_change.h.
  void set_body(std::shared_ptr<const CreatureDefinition> new_body,
                const physics::GroundNow& terrain);
  /// Lets the joints go slack: what a fallen body does.
  void go_limp();
  /// Whether it lies: see creature/fallen.h.
  bool is_down(const physics::GroundNow& ground) const;
  /// Whether it has fallen out of the world: far below the lowest ground.
  bool is_out(const physics::Ground& ground) const;
  /// Of all that decides its future, bit by bit.
  std::uint64_t digest(std::vector<double>& scratch) const;

 private:
  void measure();  // what follows from the body

  std::uint64_t steps_seen_ = 0;
};

}  // namespace promenade::world
