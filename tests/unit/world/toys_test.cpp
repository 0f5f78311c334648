// The scene toys, and creatures driven by the gaits of the library.
#include <gtest/gtest.h>

#include <map>

#include "support/paths.h"
#include "world/command/command_codec.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

std::map<CharacterId, Vec3> places(const Room& room) {
  std::map<CharacterId, Vec3> out;
  const auto snapshot = room.snapshot();
  for (const CharacterSnapshot& c : snapshot->characters) out[c.id] = c.root.position;
  return out;
}

TEST(Toys, GoForwardByTheirGaits) {
  Room room(own_library(), settings_for("toys"));
  const auto before = places(room);
  run(room, 6);
  const auto roster = room.snapshot()->roster;
  for (const auto& [id, place] : places(room)) {
    EXPECT_GT((place - before.at(id)).norm(), 0.5)
        << roster->bodies[std::size_t(roster->entries[id - 1].body)]->name;
  }
}

TEST(Toys, GoOnFromASavedStateToTheSameBitsWithAnyNumberOfThreads) {
  for (const int threads : {1, 2}) {
    RoomSettings settings = settings_for("toys");
    settings.threads = threads;
    Room room(own_library(), settings);
    run(room, 3.3);
    const v1::Checkpoint saved = room.save();
    Room other(own_library(), settings_for("toys"));
    const auto error = other.restore(saved);
    ASSERT_FALSE(error) << error->message;
    run(room, 2);
    run(other, 2);
    EXPECT_EQ(room.state_hash(), other.state_hash());
  }
}

TEST(Toys, StandWhereTheyAreToldToStopAndGoOnWhenTheyAreToldTo) {
  Room room(own_library(), settings_for("toys"));
  run(room, 1);
  ASSERT_FALSE(room.apply(Stop{3}).error);  // the cat, which may tumble and be set upright
  run(room, 6);
  const Vec3 stopped = places(room).at(3);
  run(room, 2);
  EXPECT_LT((places(room).at(3) - stopped).norm(), 0.02);
  ASSERT_FALSE(room.apply(SetVelocity{3, Vec2(1, 0), Frame::kCharacter}).error);
  run(room, 3);
  EXPECT_GT((places(room).at(3) - stopped).norm(), 0.3);
}

// A body without a gait of its own and without one that fits has none: it stands.
TEST(Toys, WithoutAGaitStand) {
  Room room(own_library(), settings_for("zoo"));
  const auto roster = room.snapshot()->roster;
  for (const RosterEntry& entry : roster->entries) {
    const std::string& name = roster->bodies[std::size_t(entry.body)]->name;
    if (name != "stool" && name != "human") continue;
    ASSERT_FALSE(room.apply(SetController{entry.id, "posegraph"}).error);
    const Vec3 before = places(room).at(entry.id);
    room.apply(SetVelocity{entry.id, Vec2(1, 0), Frame::kCharacter});
    run(room, 1);
    EXPECT_LT((places(room).at(entry.id) - before).head<2>().norm(), 0.3) << name;
  }
}

TEST(Toys, GoOnWithABodyOfAnotherSize) {
  Room room(own_library(), settings_for("toys"));
  run(room, 1);
  const auto message = schema::parse_message<v1::Command>(R"({"set_body": {"character": 3,
      "definition": {"base": "cat", "name": "big", "edit": {"scale": 1.3}}}})");
  ASSERT_TRUE(message.ok());
  const auto result = room.apply(std::get<Command>(command_from_proto(*message)));
  ASSERT_FALSE(result.error) << result.error->message;
  const Vec3 before = places(room).at(3);
  run(room, 4);
  EXPECT_GT((places(room).at(3) - before).norm(), 0.2);
}

}  // namespace
}  // namespace promenade::world
