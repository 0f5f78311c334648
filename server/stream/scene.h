#pragma once

#include <string>
#include <vector>

#include "promenade/v1/wire.pb.h"
#include "world/snapshot.h"

namespace promenade::stream {

/// What the files say about a room's scene, found by the caller.
struct SceneContent {
  v1::Scene scene;                    // as loaded
  std::vector<v1::Creature> bodies;   // built in, resolved; the first of Roster::bodies
  std::vector<v1::StyleInfo> styles;  // built in
  std::vector<v1::SceneName> scenes;  // all that can be loaded
  std::vector<v1::CatalogueEntry> things;
  std::vector<v1::Creature> thing_bodies;  // [things] resolved
  std::vector<std::string> controllers;
  std::uint64_t scene_tick = 0;  // at which the scene was loaded
};

/// A ServerMessage with the SceneInfo of an epoch: all that its frames do not repeat.
std::string encode_scene(const SceneContent& content, std::uint64_t epoch);

/// A ServerMessage with a Roster and the bodies in it that SceneInfo lacks.
std::string encode_roster(const world::Roster& roster);

/// A ServerMessage with the Catalogue.
std::string encode_catalogue(const v1::Catalogue& catalogue);

}  // namespace promenade::stream
