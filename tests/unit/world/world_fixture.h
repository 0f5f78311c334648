#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "schema/message.h"
#include "support/paths.h"
#include "world/command/command_codec.h"
#include "world/library/library.h"
#include "world/room/room.h"

namespace promenade::world::testing {

/// A directory of this test's own, removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("promenade_world_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// The program's own data, with its scenes and gaits.
inline std::shared_ptr<const Library> own_library() {
  static const auto library = Library::load(test::data_dir());
  if (!library) throw std::runtime_error(library.error().text());
  return *library;
}

/// The program's own bodies and styles, with these scenes: name and JSON without the name.
inline schema::Result<std::shared_ptr<const Library>> library_with(
    const std::vector<std::pair<std::string, std::string>>& scenes) {
  const TemporaryDirectory directory;
  const std::filesystem::path data = test::data_dir();
  for (const char* folder : {"creatures", "things", "styles", "controllers"}) {
    std::filesystem::copy(data / folder, directory.path() / folder,
                          std::filesystem::copy_options::recursive);
  }
  std::filesystem::copy(data / "tasks.json", directory.path() / "tasks.json");
  for (const auto& [name, body] : scenes) {
    directory.write("scenes/" + name + ".json", "{\"name\": \"" + name + "\",\n" + body + "}");
  }
  return Library::load(directory.path());
}

/// Scenes for tests:
///   pair    1 and 2, two humans standing 3 m apart, set upright 0.5 s after a fall
///   crowd   8 humans and children strolling close together
///   empty   nobody
///   lying   1, a human, never set upright again
inline std::shared_ptr<const Library> test_library() {
  static const auto library = [] {
    auto loaded = library_with({
        {"pair",
         R"("get_up_delay_s": 0.5, "get_up_for_s": -1, "characters": [
            {"body": "human", "position_m": [0, 0]},
            {"body": "human", "style": "stroll", "position_m": [0, 3], "heading_deg": 90}])"},
        {"crowd",
         R"("crowds": [{"count": 8, "bodies": ["human", "child"], "styles": ["normal", "stroll"],
                        "radius_m": 3, "wander": true}])"},
        {"empty", R"("title": "Nobody")"},
        {"lying", R"("get_up_delay_s": -1, "characters": [{"body": "human"}])"},
    });
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return library;
}

inline RoomSettings settings_for(const std::string& scene, int threads = 1) {
  RoomSettings settings;
  settings.scene = scene;
  settings.threads = threads;
  return settings;
}

inline std::vector<RoomEvent> run(Room& room, double seconds) {
  std::vector<RoomEvent> all;
  const auto ticks = int(seconds / room.tick_seconds() + 0.5);
  for (int i = 0; i < ticks; ++i) {
    for (RoomEvent& event : room.tick()) all.push_back(std::move(event));
  }
  return all;
}

inline int count(const std::vector<RoomEvent>& events, RoomEvent::Kind kind) {
  return int(std::count_if(events.begin(), events.end(),
                           [kind](const RoomEvent& e) { return e.kind == kind; }));
}

/// A character's state turned on its side, just above the ground.
inline physics::ArticulationState lying_state(const Room& room, CharacterId id) {
  physics::ArticulationState state = room.body_for_test(id)->state();
  state.root.position.z() = 0.35;
  state.root.rotation = Quat(Eigen::AngleAxisd(1.5, Vec3::UnitX()));
  std::fill(state.velocity.begin(), state.velocity.end(), 0.0);
  return state;
}

inline physics::ArticulationState broken_state(const Room& room, CharacterId id) {
  physics::ArticulationState state = room.body_for_test(id)->state();
  state.velocity[4] = std::numeric_limits<double>::quiet_NaN();
  return state;
}

/// Gives a command as JSON. @return with the error if it is refused
inline CommandResult order(Room& room, const std::string& command) {
  const auto message = schema::parse_message<v1::Command>(command);
  if (!message) throw std::runtime_error(message.error().text());
  const auto made = command_from_proto(*message);
  if (const auto* error = std::get_if<CommandError>(&made)) {
    CommandResult refused;
    refused.error = *error;
    return refused;
  }
  return room.apply(std::get<Command>(made));
}

}  // namespace promenade::world::testing
