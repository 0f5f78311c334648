#pragma once

#include <string>
#include <vector>

#include "promenade/v1/wire.pb.h"

namespace promenade::stream {

/// The content of a room's scene as its files have it, found by the caller.
struct SceneContent {
  v1::Scene scene;                    // as loaded
  std::vector<v1::StyleInfo> styles;  // built in
  std::vector<v1::SceneName> scenes;  // all that can be loaded
  std::vector<v1::CatalogueEntry> things;
  std::vector<v1::FamilyInfo> families;  // that set_controller can name
  std::uint64_t scene_tick = 0;          // at which the scene was loaded
};

/// A ServerMessage with the SceneInfo of an epoch: all that its frames do not repeat.
std::string encode_scene(const SceneContent& content, std::uint64_t epoch);

}  // namespace promenade::stream
