// People who come into a room, do something there and leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world/checkpoint/checkpoint.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;

std::shared_ptr<const Library> lanes() {
  static const auto library = [] {
    const std::string lane = R"("blocks": [{"center_m": [0, 0, 0.5], "size_m": [2, 2, 1]}],
      "flow": {"entrances": [{"name": "west", "area": {"center_m": [-8, 0], "size_m": [2, 5]},
                              "rates": [{"at_s": 0, "per_minute": 60}]}],
               "exits": [{"name": "east", "area": {"center_m": [8, 0], "size_m": [2, 5]}}],
               "bodies": ["human", "child"], "styles": ["normal"], "controller": "pendulum")";
    auto loaded = library_with({
        {"lane", lane + "}"},
        {"full", lane + R"(, "present_at_start": 12, "most_people": 14})"},
        {"walled", R"("blocks": [{"center_m": [5, 0, 0.5], "size_m": [0.5, 6, 1]},
                                  {"center_m": [11, 0, 0.5], "size_m": [0.5, 6, 1]},
                                  {"center_m": [8, 3, 0.5], "size_m": [6.5, 0.5, 1]},
                                  {"center_m": [8, -3, 0.5], "size_m": [6.5, 0.5, 1]}], "flow": {
          "entrances": [{"area": {"center_m": [-8, 0], "size_m": [2, 2]},
                         "rates": [{"at_s": 0, "per_minute": 60}]}],
          "exits": [{"area": {"center_m": [8, 0], "size_m": [2, 2]}}]})"},
    });
    if (!loaded) {
      EXPECT_THAT(loaded.error().text(), HasSubstr("walled"));
      loaded = library_with({{"lane", lane + "}"},
                             {"full", lane + R"(, "present_at_start": 12, "most_people": 14})"}});
    } else {
      ADD_FAILURE() << "an exit that nobody reaches was let through";
    }
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return library;
}

std::size_t present(const Room& room) {
  std::size_t count = 0;
  const auto shown = room.snapshot();
  for (const CharacterSnapshot& c : shown->characters) {
    count += (c.flags & kFlagAway) == 0;
  }
  return count;
}

TEST(FlowRoom, PeopleComeGoRoundWhatStandsThereAndLeave) {
  Room room(lanes(), settings_for("lane"));
  EXPECT_EQ(room.character_count(), 0u);
  double nearest = 1e9;
  for (int i = 0; i < 300; ++i) {
    run(room, 0.1);
    const auto shown = room.snapshot();
    for (const CharacterSnapshot& c : shown->characters) {
      if (c.flags & kFlagAway) continue;
      const Vec2 beyond = c.root.position.head<2>().cwiseAbs() - Vec2(1, 1);
      const Vec2 out = beyond.cwiseMax(0.0);
      nearest = std::min(nearest, out.norm());
    }
  }
  EXPECT_GT(nearest, 0.1) << "m, between a body's middle and the block";
  EXPECT_GT(present(room), 5u);
  EXPECT_GT(room.character_count(), present(room)) << "some have left";
  const std::size_t made = room.character_count();
  run(room, 30);
  EXPECT_LT(room.character_count(), made + 8) << "who is away comes again";
}

TEST(FlowRoom, BeginsWithPeopleAndKeepsWithinItsMost) {
  Room room(lanes(), settings_for("full"));
  run(room, 0.5);
  EXPECT_GE(present(room), 7u);
  run(room, 20);
  EXPECT_LE(room.character_count(), 14u);
}

TEST(FlowRoom, WhoIsToldSomethingElseLeavesTheFlow) {
  Room room(lanes(), settings_for("lane"));
  run(room, 6);
  const auto before = room.snapshot();
  ASSERT_GE(before->characters.size(), 3u);
  const CharacterId id = before->characters[0].id, other = before->characters[1].id;
  EXPECT_FALSE(room.apply(Stop{id}).error);
  EXPECT_FALSE(room.apply(Remove{other}).error);
  run(room, 20);
  const auto after = room.snapshot();
  ASSERT_FALSE(after->characters.empty());
  EXPECT_EQ(after->characters[0].id, id);
  EXPECT_FALSE(after->characters[0].flags & kFlagAway);
  EXPECT_LT((after->characters[0].root.position - before->characters[0].root.position).norm(), 1.5);
  EXPECT_FALSE(room.apply(Reset{id}).error);
  run(room, 1);
  EXPECT_FALSE(room.apply(Reset{0}).error);
  EXPECT_EQ(present(room), 0u);
  run(room, 8);
  EXPECT_GE(present(room), 3u);
}

TEST(FlowRoom, AnAlarmMakesThemRunAndIsRefusedWhereNobodyComesAndGoes) {
  Room room(lanes(), settings_for("lane"));
  run(room, 8);
  EXPECT_FALSE(room.apply(Alarm{Vec2(-2, 0), 20, 20}).error);
  run(room, 3);
  double fastest = 0;
  const auto shown = room.snapshot();
  for (const CharacterSnapshot& c : shown->characters) {
    if (!(c.flags & kFlagAway)) fastest = std::max(fastest, c.report.com_velocity.norm());
  }
  EXPECT_GT(fastest, 1.6);
  Room pair(test_library(), settings_for("pair"));
  const CommandResult refused = pair.apply(Alarm{Vec2::Zero(), 20, 20});
  ASSERT_TRUE(refused.error);
  EXPECT_THAT(refused.error->message, HasSubstr("come and go"));
}

TEST(FlowRoom, GoesOnToTheSameHashFromASavedStateAndOnAnyNumberOfThreads) {
  RoomSettings settings = settings_for("full");
  Room room(lanes(), settings);
  settings.threads = 3;
  Room threaded(lanes(), settings);
  run(room, 7.31);
  run(threaded, 7.31);
  EXPECT_EQ(threaded.state_hash(), room.state_hash());
  const v1::Checkpoint saved = room.save();
  Room restored(lanes(), settings_for("full"));
  const auto error = restored.restore(saved);
  ASSERT_FALSE(error) << error->message;
  for (Room* one : {&room, &threaded, &restored}) run(*one, 9);
  EXPECT_EQ(threaded.state_hash(), room.state_hash());
  EXPECT_EQ(restored.state_hash(), room.state_hash());

  v1::Checkpoint damaged = saved;
  damaged.mutable_flow_state()->RemoveLast();
  const auto refused = restored.restore(damaged);
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->message, HasSubstr("flow_state"));
}

}  // namespace
}  // namespace promenade::world
