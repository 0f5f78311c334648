#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "creature/creature.h"
#include "math/hash.h"
#include "math/state.h"
#include "physics/articulated_body.h"
#include "world/command/command.h"
#include "world/library/definitions.h"

namespace promenade::world {

struct StepContext;

/// A push under way.
struct ActivePush {
  int link = 0;
  Vec3 point = Vec3::Zero();  // in the link's frame
  Vec3 force = Vec3::Zero();  // N, world
  int substeps_left = 0;
};
inline constexpr std::size_t kMaxPushes = 8;  // under way on one body
/// m. A body that is further from the origin is taken for a numerical failure.
inline constexpr double kMaxDistance = 3000;

/// A body in a room: the common part of characters (Entity) and things (Prop).
struct Occupant {
  Occupant(CharacterId id_in, std::shared_ptr<const CreatureDefinition> definition)
      : id(id_in),
        body_definition(std::move(definition)),
        body(body_definition->body),
        physics(body->model) {}
  virtual ~Occupant() = default;

  CharacterId id;
  std::shared_ptr<const CreatureDefinition> body_definition;
  std::shared_ptr<const Creature> body;  // of the definition
  physics::ArticulatedBody physics;
  std::vector<ActivePush> pushes;
  int island = 0;      // in this tick; see islands.h
  bool broke = false;  // set by a worker when the state stops being finite

  /// Sets the servos for the next substep.
  virtual void decide(const StepContext& context) { (void)context; }
  /// Updates what the room knows of it, after the last substep of a tick. @pre is_sound()
  virtual void settle(const StepContext& context) = 0;

  /// Whether its state can be stepped: finite, not too fast and not too far away.
  virtual bool is_sound() const;
  /// Adds the forces of its pushes to the body for one substep and drops pushes that are over.
  void apply_pushes();

 protected:
  void visit_pushes(StateVisitor& state);
};

}  // namespace promenade::world
