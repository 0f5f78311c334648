#pragma once

#include <memory>
#include <string>
#include <utility>

#include "service/rooms/publication.h"
#include "service/store/catalogue.h"
#include "service/store/saved.h"
#include "stream/scene.h"
#include "support/paths.h"
#include "world/room/room.h"

// The stage that tests of the service share: the data files, and a room without threads or viewers.
namespace promenade::service {

inline std::shared_ptr<const Library> data() {
  static const auto loaded = *Library::load(test::data_dir());
  return loaded;
}

/// The saved definitions, of which there are none.
inline const SavedDefinitions& saved() {
  static const SavedDefinitions definitions(data(), ":memory:");
  return definitions;
}

inline Parts scene_of(const world::Roster& roster, std::uint64_t epoch) {
  return make_parts(stream::encode_scene(scene_content(*data(), roster), epoch));
}

/// A room, and its states as a RoomHost publishes them.
struct Stage {
  explicit Stage(const std::string& scene = "one")
      : room(data(), [&scene] {
          world::RoomSettings settings;
          settings.scene = scene;
          return settings;
        }()) {}
  std::shared_ptr<const Publication> publication() {
    auto snapshot = room.make_snapshot();
    if (snapshot->roster != last) {
      last = snapshot->roster;
      description = std::make_shared<Description>(last->epoch, scene_of(*last, last->epoch), last);
    }
    return std::make_shared<const Publication>(std::move(snapshot), description, 1);
  }
  world::Room room;
  std::shared_ptr<const world::Roster> last;
  std::shared_ptr<const Description> description;
};

}  // namespace promenade::service
