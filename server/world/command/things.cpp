// Commands to things, and those that put bodies somewhere: spawn_thing, place, drag.
#include "math/rotation.h"
#include "promenade/v1/command.pb.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

using Code = CommandError::Code;

template <typename Message>
void write_position(const std::optional<Vec2>& on_ground, const std::optional<Vec3>& position,
                    Message& m) {
  if (on_ground) m.mutable_position_m()->Assign(on_ground->begin(), on_ground->end());
  if (position) m.mutable_position_m()->Assign(position->begin(), position->end());
}

SpawnThing parse(const v1::SpawnThing& m, CommandChecker& check) {
  SpawnThing out;
  out.thing = check.name("thing", m.thing(), false);
  check.choice("thing", m.thing(), "thing_definition", m.has_thing_definition());
  out.on_ground = ground_point(m.position_m());
  out.position = point(m.position_m());
  out.yaw = wrap_angle(m.yaw_rad());
  out.pitch = wrap_angle(m.pitch_rad());
  out.roll = wrap_angle(m.roll_rad());
  out.velocity = point(m.velocity_mps()).value_or(Vec3::Zero());
  out.angular_velocity = point(m.angular_velocity_radps()).value_or(Vec3::Zero());
  if (m.has_thing_definition()) {
    auto unresolved = std::make_shared<CreatureDefinition>();
    unresolved->given = m.thing_definition();
    out.definition = std::move(unresolved);
  }
  return out;
}
void write(const SpawnThing& c, v1::SpawnThing& m) {
  if (c.definition) {
    *m.mutable_thing_definition() = portable(*c.definition);
  } else {
    m.set_thing(c.thing);
  }
  write_position(c.on_ground, c.position, m);
  m.set_yaw_rad(c.yaw);
  m.set_pitch_rad(c.pitch);
  m.set_roll_rad(c.roll);
  m.mutable_velocity_mps()->Assign(c.velocity.begin(), c.velocity.end());
  m.mutable_angular_velocity_radps()->Assign(c.angular_velocity.begin(), c.angular_velocity.end());
}
void apply(const SpawnThing& c, Applier& applier) {
  auto& room = applier.room;
  ThingPlan plan;
  plan.definition = applier.thing(c);
  if (!plan.definition) return;
  if (room.occupants.props.size() >= std::size_t(kMaxThings)) {
    return applier.error(Code::kBusy, "spawn_thing",
                         std::to_string(room.occupants.props.size()) + " things are here",
                         "up to " + std::to_string(kMaxThings) + "; remove one first");
  }
  if (!applier.has_space("spawn_thing", {.body = plan.definition.get()}, nullptr)) return;
  plan.on_ground = c.on_ground;
  plan.position = c.position;
  plan.rotation = rotation_z(c.yaw) * rotation_y(c.pitch) * rotation_x(c.roll);
  plan.velocity = c.velocity;
  plan.angular_velocity = c.angular_velocity;
  applier.result.character = room.add(plan).id;
}

Place parse(const v1::Place& m, CommandChecker& check) {
  return {check.character(m.character()), ground_point(m.position_m()), point(m.position_m()),
          wrap_angle(m.heading_rad())};
}
void write(const Place& c, v1::Place& m) {
  m.set_character(c.character);
  write_position(c.on_ground, c.position, m);
  m.set_heading_rad(c.heading);
}
void apply(const Place& c, Applier& applier) {
  auto& room = applier.room;
  if (Prop* prop = room.occupants.find_prop(c.character)) {
    room.ties.release_all(c.character);
    Pose root;
    root.rotation = rotation_z(c.heading);
    if (c.position) {
      root.position = *c.position;
    } else {
      root.position = room.resting_place(*prop, *c.on_ground, root.rotation);
    }
    room.sleep.wake_around(*prop);
    prop->place(root);
    room.ties.bring_back_own(prop->id);
    room.sleep.places_changed();
    return;
  }
  Entity* e = applier.character("place", c.character);
  if (!e) return;
  if (!c.on_ground) {
    return applier.error(Code::kInvalid, "place.position_m", "3 numbers",
                         "2 numbers for a character, which is always set down on the ground");
  }
  room.ties.release_all(c.character);
  room.sleep.wake_around(*e);
  e->place(room.courses.ground(), *c.on_ground, c.heading);
  room.ties.bring_back_own(e->id);
  e->behaviour->relocated(e->self());
}

Drag parse(const v1::Drag& m, CommandChecker& check) {
  return {check.character(m.character()), check.name("link", m.link(), false), point(m.point_m()),
          point(m.target_m()), m.max_force_n()};
}
void write(const Drag& c, v1::Drag& m) {
  m.set_character(c.character);
  m.set_link(c.link);
  if (c.point) m.mutable_point_m()->Assign(c.point->begin(), c.point->end());
  if (c.target) m.mutable_target_m()->Assign(c.target->begin(), c.target->end());
  m.set_max_force_n(c.max_force);
}
void apply(const Drag& c, Applier& applier) {
  Occupant* body = applier.occupant("drag", c.character);
  if (!body) return;
  if (!c.target) return applier.room.ties.end_drag(c.character);
  if (!applier.can_be_held("drag.character", *body)) return;
  const int link = c.link.empty() ? 0 : body->body->find_link(c.link);
  if (link < 0) return applier.unknown_link("drag.link", c.link, *body->body);
  applier.room.ties.drag(*body, link, c.point.value_or(Vec3::Zero()), *c.target, c.max_force,
                         applier.room.view());
}

}  // namespace

CommandKinds thing_kinds() {
  static const CommandKind kinds[] = {
      describe<SpawnThing, v1::SpawnThing, parse, write, apply>(),
      describe<Place, v1::Place, parse, write, apply>(),
      describe<Drag, v1::Drag, parse, write, apply>(),
  };
  return kinds;
}

}  // namespace promenade::world
