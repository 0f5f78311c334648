#include "stream/scene.h"

#include "stream/quantize.h"
#include "world/definitions.h"

namespace promenade::stream {
namespace {

void set_end(const world::TieEntry::End& end, v1::Anchor* out) {
  out->set_id(end.id);
  out->set_link(end.link);
  out->mutable_point_m()->Assign(end.point.begin(), end.point.end());
}

}  // namespace

std::string encode_scene(const SceneContent& content, std::uint64_t epoch) {
  v1::ServerMessage message;
  v1::SceneInfo* info = message.mutable_scene();
  info->set_epoch(epoch);
  *info->mutable_scene() = content.scene;
  info->mutable_bodies()->Assign(content.bodies.begin(), content.bodies.end());
  info->mutable_styles()->Assign(content.styles.begin(), content.styles.end());
  info->mutable_scenes()->Assign(content.scenes.begin(), content.scenes.end());
  info->mutable_things()->Assign(content.things.begin(), content.things.end());
  info->mutable_thing_bodies()->Assign(content.thing_bodies.begin(), content.thing_bodies.end());
  info->mutable_controllers()->Assign(content.controllers.begin(), content.controllers.end());
  info->set_scene_tick(content.scene_tick);
  info->set_position_unit_m(kPositionUnit);
  info->set_angle_unit_rad(kAngleUnit);
  return message.SerializeAsString();
}

std::string encode_roster(const world::Roster& roster) {
  v1::ServerMessage message;
  v1::Roster* out = message.mutable_roster();
  out->set_version(roster.version);
  for (const world::RosterEntry& entry : roster.entries) {
    v1::RosterEntry* one = out->add_entries();
    one->set_id(entry.id);
    one->set_body(static_cast<std::uint32_t>(entry.body));
    one->set_style(entry.style);
    one->set_color(entry.color);
    one->set_controller(entry.controller);
    const auto edited = [](const auto& definition) {
      return definition && definition->origin == world::Origin::kEdited;
    };
    one->set_style_edited(edited(entry.style_definition));
    one->set_body_edited(edited(entry.body_definition));
  }
  for (const world::ThingEntry& entry : roster.things) {
    v1::RosterEntry* one = out->add_things();
    one->set_id(entry.id);
    one->set_body(static_cast<std::uint32_t>(entry.body));
    one->set_color(entry.color);
  }
  for (const world::TieEntry& tie : roster.ties) {
    v1::TieInfo* one = out->add_ties();
    one->set_id(tie.id);
    one->set_grip(tie.grip);
    one->set_kind(static_cast<v1::Tie::Kind>(tie.kind));
    set_end(tie.a, one->mutable_a());
    set_end(tie.b, one->mutable_b());
  }
  for (const auto& body : roster.more_bodies) *out->add_bodies() = body->whole;
  return message.SerializeAsString();
}

std::string encode_catalogue(const v1::Catalogue& catalogue) {
  v1::ServerMessage message;
  *message.mutable_catalogue() = catalogue;
  return message.SerializeAsString();
}

}  // namespace promenade::stream
