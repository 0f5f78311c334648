// Several who work in one room: things that two want, that bear others, that are taken away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "schema/message.h"
#include "world/command/command_codec.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;

std::shared_ptr<const Library> together_library() {
  static const auto made = [] {
    auto loaded = library_with({{"depot", R"(
        "blocks": [{"center_m": [-6, 0, 0.75], "size_m": [0.3, 4, 1.5]},
                   {"center_m": [-9, 0, 0.75], "size_m": [0.3, 4, 1.5]},
                   {"center_m": [-7.5, 2, 0.75], "size_m": [3.3, 0.3, 1.5]},
                   {"center_m": [-7.5, -2, 0.75], "size_m": [3.3, 0.3, 1.5]}],
        "characters": [{"body": "human", "style": "normal", "position_m": [0, 1.2]},
                       {"body": "human", "style": "normal", "position_m": [0, -1.2]}],
        "things": [{"thing": "small_crate", "position_m": [2, 0]},
                   {"thing": "carton", "position_m": [0, 3.5]},
                   {"thing": "carton", "position_m": [0, 3.5]},
                   {"thing": "carton", "position_m": [-7.5, 0]},
                   {"thing": "barrel", "position_m": [2, -2]}])"}});
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return made;
}

constexpr CharacterId kAnna = 1, kBen = 2;
constexpr CharacterId kFirstCrate = 3, kBarrel = 7;

Room depot() {
  RoomSettings settings;
  settings.scene = "depot";
  return Room(together_library(), settings);
}

CommandResult order(Room& room, const std::string& command) {
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

CommandResult tell(Room& room, CharacterId who, const std::string& tasks) {
  return order(room, R"({"set_tasks": {"character": )" + std::to_string(who) + R"(, "tasks": [)" +
                         tasks + "]}}");
}

/// Runs until `enough` says so of an event, for so long at most. @return the last event
RoomEvent run_until(Room& room, double seconds,
                    const std::function<bool(const RoomEvent&)>& enough) {
  const std::uint64_t end = room.tick_count() + std::uint64_t(seconds / room.tick_seconds());
  while (room.tick_count() < end) {
    for (RoomEvent& event : room.tick()) {
      if (enough(event)) return std::move(event);
    }
  }
  return {};
}

RoomEvent next_failure(Room& room, double seconds = 60) {
  return run_until(room, seconds,
                   [](const RoomEvent& e) { return e.kind == RoomEvent::Kind::kTaskFailed; });
}

RoomEvent next_done(Room& room, CharacterId who, double seconds = 60) {
  return run_until(room, seconds, [who](const RoomEvent& e) {
    return e.kind == RoomEvent::Kind::kTaskDone && e.character == who;
  });
}

constexpr const char* kTakeCrate = R"({"pick_up": {"thing": 3}})";

TEST(TasksTogether, OfTwoWhoWantTheSameThingTheFirstGetsIt) {
  Room room = depot();
  ASSERT_FALSE(tell(room, kBen, kTakeCrate).error);
  for (int i = 0; i < 20; ++i) room.tick();
  ASSERT_FALSE(
      tell(room, kAnna, kTakeCrate + std::string(R"(, {"sit_out": {"seconds": 0.1}})")).error);
  const RoomEvent refused = next_failure(room, 1);
  EXPECT_EQ(refused.character, kAnna);
  EXPECT_THAT(refused.text, HasSubstr("somebody else has it"));
  EXPECT_NE(next_done(room, kAnna, 2).character, 0u) << "the list goes on";
  EXPECT_THAT(next_done(room, kBen).text, HasSubstr("pick_up"));
  ASSERT_FALSE(tell(room, kAnna, R"({"push_to": {"thing": 3, "position_m": [3, 0]}})").error);
  EXPECT_THAT(next_failure(room, 1).text, HasSubstr("somebody else has it"));
}

TEST(TasksTogether, OfTwoWhoBeginAtOnceOneGetsIt) {
  Room room = depot();
  ASSERT_FALSE(tell(room, kBen, kTakeCrate).error);
  ASSERT_FALSE(tell(room, kAnna, kTakeCrate).error);
  EXPECT_EQ(next_failure(room, 1).character, kBen);
  EXPECT_THAT(next_done(room, kAnna).text, HasSubstr("pick_up"));
}

TEST(TasksTogether, WhatBearsAnotherThingIsNotPickedUp) {
  Room room = depot();
  ASSERT_FALSE(tell(room, kAnna, R"({"pick_up": {"thing": 4}}, {"pick_up": {"thing": 5}},
                                {"go_to": {"position_m": [4, 4]}})")
                   .error);
  EXPECT_THAT(next_failure(room, 1).text, HasSubstr("something stands on it"));
  EXPECT_THAT(next_done(room, kAnna).text, HasSubstr("pick_up"));
  EXPECT_THAT(next_done(room, kAnna).text, HasSubstr("go_to"));
  ASSERT_FALSE(tell(room, kBen, R"({"pick_up": {"thing": 4}})").error);
  EXPECT_THAT(next_done(room, kBen).text, HasSubstr("pick_up")) << "it is free now";
}

TEST(TasksTogether, WhatIsTakenAwayWhileSomebodyGripsOrPushesItEndsTheTask) {
  const std::pair<CharacterId, const char*> each[] = {
      {kFirstCrate, kTakeCrate}, {kBarrel, R"({"push_to": {"thing": 7, "position_m": [5, -2]}})"}};
  for (const auto& [thing, task] : each) {
    Room room = depot();
    ASSERT_FALSE(tell(room, kBen, task + std::string(R"(, {"sit_out": {"seconds": 0.1}})")).error);
    const auto held = [&] { return !room.snapshot()->roster->ties.empty(); };
    for (int i = 0; i < 3000 && !held(); ++i) room.tick();
    ASSERT_TRUE(held()) << task;
    ASSERT_FALSE(room.apply(Remove{thing}).error);
    EXPECT_THAT(next_failure(room, 1).text, HasSubstr("not there any more")) << task;
    EXPECT_EQ(next_done(room, kBen, 2).character, kBen);
    EXPECT_FALSE(held());
    EXPECT_EQ(
        run_until(room, 3, [](const RoomEvent& e) { return e.kind == RoomEvent::Kind::kFell; })
            .character,
        0u);
  }
}

TEST(TasksTogether, WhatIsBehindAWallIsGivenUp) {
  Room room = depot();
  ASSERT_FALSE(tell(room, kAnna, R"({"go_to": {"position_m": [-7.5, 0.5]}})").error);
  ASSERT_FALSE(tell(room, kBen, R"({"pick_up": {"thing": 6}})").error);
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(next_failure(room, 90).text, HasSubstr("there is no way"));
}

}  // namespace
}  // namespace promenade::world
