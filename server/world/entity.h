#pragma once

#include <memory>
#include <string>
#include <vector>

#include "behaviour/behaviour.h"
#include "control/gbwc/gbwc.h"
#include "creature/biped/biped.h"
#include "creature/creature.h"
#include "physics/articulated_body.h"
#include "world/command/command.h"
#include "world/definitions.h"
#include "world/hash.h"
#include "world/scene/scene.h"

namespace promenade::world {

/// A push under way.
struct ActivePush {
  int link = 0;
  Vec3 point = Vec3::Zero();  // in the link's frame
  Vec3 force = Vec3::Zero();  // N, world
  int substeps_left = 0;
};

/// Substeps of one tick, shared by the workers.
struct StepContext {
  const physics::Terrain* terrain = nullptr;
  physics::StepSettings settings;
  int substeps = 8;
};

/// One character of a room: body, controller, behaviour and what happens to them.
struct Entity {
  Entity(CharacterId id_in, std::shared_ptr<const CreatureDefinition> body_in,
         std::shared_ptr<const StyleDefinition> style_in,
         std::shared_ptr<const control::GbwcParameters> parameters);

  CharacterId id;
  std::shared_ptr<const CreatureDefinition> body_definition;
  std::shared_ptr<const StyleDefinition> style_definition;
  std::shared_ptr<const Creature> body;  // of the definition, and so is style
  Biped biped;                           // which of its links are which parts
  std::shared_ptr<const Style> style;
  physics::ArticulatedBody physics;
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
  double step_width = 0;                       // m, at the last foot-strike; for show
  std::vector<ActivePush> pushes;
  bool fallen = false;
  bool down = false;          // lies, as seen at the end of the last tick: is_down()
  bool quarantined = false;   // not in the physics
  bool broke = false;         // set by a worker when the state stops being finite
  int island = 0;             // in this tick; see islands.h
  std::uint64_t back_at = 0;  // tick at which it is set upright again; 0: not waiting

  bool present() const { return !quarantined; }
  /// Follows the root's motion: once a tick, after the physics. @pre sound
  void observe(double dt);
  behaviour::Self self() const;

  /// Upright at a place, at rest; the controller starts afresh.
  void place(const physics::Terrain& terrain, const Vec2& position, double heading);
  void set_style(std::shared_ptr<const StyleDefinition> new_style);
  /// Goes on with another body where it is and as it moves; see character/body_change.h.
  void set_body(std::shared_ptr<const CreatureDefinition> new_body,
                const physics::Terrain& terrain);
  /// Lets the joints go slack: what a fallen body does.
  void go_limp();
  /// Whether it lies: pelvis low above the ground, or trunk far from upright.
  bool is_down(const physics::Terrain& terrain) const;
  /// Whether its state can be stepped on: finite, and slow and near enough to be real.
  bool is_sound() const;
  /// Of all that decides its future, bit by bit.
  std::uint64_t digest(std::vector<double>& scratch) const;

 private:
  void measure();  // what follows from the body

  std::uint64_t steps_seen_ = 0;
};

/// What stepping a tick needs while it runs; kept from tick to tick so that nothing is allocated.
struct StepScratch {
  std::vector<Entity*> alive;
  std::vector<physics::ArticulatedBody*> bodies;
  std::vector<int> ends;
  physics::Workspace workspace;
  double control_s = 0, physics_s = 0;  // time spent is added
};

/// Steps islands through all substeps of a tick and observes what became of them. A member that
/// stops being sound in a substep is marked `broke` and left out of the next. Allocates nothing
/// once the scratch has grown.
/// @param members island after island, as `Entity::island` says
void step_through_tick(std::span<Entity* const> members, const StepContext& context,
                       StepScratch& scratch);

}  // namespace promenade::world
