#include "stream/scene.h"

#include "stream/quantize.h"

namespace promenade::stream {

std::string encode_scene(const SceneContent& content, std::uint64_t epoch) {
  v1::ServerMessage message;
  v1::SceneInfo* info = message.mutable_scene();
  info->set_epoch(epoch);
  *info->mutable_scene() = content.scene;
  info->mutable_styles()->Assign(content.styles.begin(), content.styles.end());
  info->mutable_scenes()->Assign(content.scenes.begin(), content.scenes.end());
  info->mutable_things()->Assign(content.things.begin(), content.things.end());
  info->mutable_families()->Assign(content.families.begin(), content.families.end());
  info->set_scene_tick(content.scene_tick);
  info->set_position_unit_m(kPositionUnit);
  info->set_angle_unit_rad(kAngleUnit);
  return message.SerializeAsString();
}

}  // namespace promenade::stream
