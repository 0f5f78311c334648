#include "stream/scene.h"

#include "stream/quantize.h"
#include "world/definitions.h"

namespace promenade::stream {

std::string encode_scene(const SceneContent& content, std::uint64_t epoch) {
  v1::ServerMessage message;
  v1::SceneInfo* info = message.mutable_scene();
  info->set_epoch(epoch);
  *info->mutable_scene() = content.scene;
  info->mutable_bodies()->Assign(content.bodies.begin(), content.bodies.end());
  info->mutable_styles()->Assign(content.styles.begin(), content.styles.end());
  info->mutable_scenes()->Assign(content.scenes.begin(), content.scenes.end());
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
    const auto edited = [](const auto& definition) {
      return definition && definition->origin == world::Origin::kEdited;
    };
    one->set_style_edited(edited(entry.style_definition));
    one->set_body_edited(edited(entry.body_definition));
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
