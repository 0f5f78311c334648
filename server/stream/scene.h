#pragma once

#include <string>
#include <vector>

#include "promenade/v1/wire.pb.h"
#include "world/snapshot.h"

namespace promenade::stream {

/// What the files say about a room's scene, found by the caller.
struct SceneContent {
  v1::Scene scene;                    // as loaded
  std::vector<v1::Character> bodies;  // resolved; order of Roster::bodies
  std::vector<v1::StyleInfo> styles;  // all there are
  std::vector<v1::SceneName> scenes;  // all that can be loaded
};

/// A ServerMessage with the SceneInfo of an epoch: all that its frames do not repeat.
std::string encode_scene(const SceneContent& content, std::uint64_t epoch);

/// A ServerMessage with a Roster.
std::string encode_roster(const world::Roster& roster);

}  // namespace promenade::stream
