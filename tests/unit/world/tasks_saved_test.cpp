// Tasks of each kind that are interrupted anywhere: saved and restored, and what they need taken
// away.
#include <gtest/gtest.h>

#include "promenade/v1/checkpoint.pb.h"
#include "promenade/v1/command.pb.h"
#include "schema/message.h"
#include "world/command/command_codec.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing

constexpr CharacterId kEva = 1, kFay = 2, kSmallCrate = 3;
constexpr int kBetween = 210;  // ticks, between interruptions
constexpr int kMost = 8;       // interruptions, at most
constexpr int kGoesOn = 90;    // ticks, after each
constexpr double kFar = 50;    // m: nobody gets so far

std::shared_ptr<const Library> saved_library() {
  static const auto made = [] {
    auto loaded = library_with({{"shed", R"(
        "characters": [{"body": "human", "style": "normal", "position_m": [0, 0]},
                       {"body": "human", "style": "normal", "position_m": [1.5, 1.5]}],
        "blocks": [{"center_m": [0, -2.5, 0.1], "size_m": [2, 2, 0.2]}],
        "things": [{"thing": "small_crate", "position_m": [1.3, 0.1]}])"}});
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return made;
}

Room shed() {
  RoomSettings settings;
  settings.scene = "shed";
  return Room(saved_library(), settings);
}

std::unique_ptr<Room> as_saved(const v1::Checkpoint& saved) {
  RoomSettings settings;
  settings.scene = "shed";
  auto room = std::make_unique<Room>(saved_library(), settings);
  EXPECT_FALSE(room->restore(saved));
  return room;
}

class InterruptedTasks : public ::testing::TestWithParam<const char*> {
 protected:
  /// Calls `look` with the room as it is, again and again.
  template <typename Look>
  void run(const Look& look) {
    Room room = shed();
    const auto message = schema::parse_message<v1::Command>(
        std::string(R"({"set_tasks": {"character": 1, "tasks": [)") + GetParam() + "]}}");
    ASSERT_TRUE(message) << message.error().text();
    const auto command = command_from_proto(*message);
    ASSERT_TRUE(std::holds_alternative<Command>(command));
    ASSERT_FALSE(room.apply(std::get<Command>(command)).error);
    for (int i = 0; i < kMost; ++i) {
      for (int k = 0; k < kBetween; ++k) room.tick();
      look(room);
    }
  }
};

TEST_P(InterruptedTasks, GoOnAsTheyWereSaved) {
  run([](const Room& room) {
    const auto one = as_saved(room.save());
    auto other = as_saved(room.save());
    EXPECT_EQ(one->state_hash(), room.state_hash());
    // A room that is saved once more in between goes on the same.
    for (int i = 0; i < kGoesOn; ++i) {
      one->tick();
      other->tick();
      if (i == kGoesOn / 2) other = as_saved(other->save());
    }
    EXPECT_EQ(one->state_hash(), other->state_hash()) << room.tick_count();
  });
}

TEST_P(InterruptedTasks, EndWhenWhatTheyNeedIsTakenAway) {
  run([](const Room& room) {
    for (const CharacterId gone : {kEva, kFay, kSmallCrate}) {
      const auto cut = as_saved(room.save());
      ASSERT_FALSE(cut->apply(Remove{gone}).error);
      for (int i = 0; i < 2 * kGoesOn; ++i) cut->tick();
      const auto snapshot = cut->make_snapshot(false);
      for (const auto& one : snapshot->characters)
        EXPECT_LT(one.root.position.norm(), kFar) << "without " << gone;
      EXPECT_TRUE(snapshot->roster->ties.empty() || gone != kSmallCrate);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, InterruptedTasks,
    ::testing::Values(R"({"go_to": {"position_m": [3, 1], "heading_rad": 2}})",
                      R"({"reach": {"thing": 3, "hand": "BOTH_HANDS", "grip": true, "hold_s": 5}})",
                      R"({"reach": {"thing": 2, "hold_s": 5}})",
                      R"({"pick_up": {"thing": 3}}, {"put_down": {"position_m": [-1, 1]}})",
                      R"({"carry": {"thing": 3, "position_m": [-1, 1]}})",
                      R"({"push_to": {"thing": 3, "position_m": [3, 0]}})",
                      R"({"pull_to": {"thing": 3, "position_m": [-1, 0]}})",
                      R"({"climb": {"position_m": [0, -2.5]}}, {"sit_out": {"seconds": 3}})",
                      R"({"pick_up": {"thing": 3}}, {"hand_over": {"to": 2}})"));

TEST(SharedTasksSaved, AreRestoredRightAfterOneOfThoseWhoShareIsRemoved) {
  for (const CharacterId removed : {kEva, kSmallCrate}) {
    Room room = shed();
    const auto message =
        schema::parse_message<v1::Command>(R"({"share_tasks": {"characters": [1, 2],
        "tasks": [{"carry": {"thing": 3, "position_m": [3, 0]}}]}})");
    ASSERT_TRUE(message) << message.error().text();
    ASSERT_FALSE(room.apply(std::get<Command>(command_from_proto(*message))).error);
    ASSERT_FALSE(room.apply(Remove{removed}).error);
    const auto one = as_saved(room.save());  // no tick has passed
    room.tick();
    one->tick();
    EXPECT_EQ(one->state_hash(), room.state_hash()) << removed;
  }
}

}  // namespace
}  // namespace promenade::world
