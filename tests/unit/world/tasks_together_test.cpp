// Several who work in one room: things that two want, that bear others, that are taken away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

#include "behaviour/tasks/shared_list.h"
#include "promenade/v1/checkpoint.pb.h"
#include "world/journal/journal_writer.h"
#include "world/journal/replay.h"
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

/// A stack of two cartons of the depot is to be stacked again elsewhere, and the crate moved.
constexpr const char* kRemoval = R"({"share_tasks": {"characters": [1, 2], "tasks": [
    {"carry": {"thing": 5, "position_m": [-2, 3]}},
    {"carry": {"thing": 4, "on": 5}},
    {"carry": {"thing": 3, "position_m": [2, -1.5]}}]}})";

Vec3 place_of(const Room& room, CharacterId thing) {
  return room.body_for_test(thing)->links()[0].position;
}

TEST(TasksTogether, TwoWhoShareAListDoEachTaskOnce) {
  Room room = depot();
  ASSERT_FALSE(order(room, kRemoval).error);
  std::vector<std::string> done;
  std::set<CharacterId> by;
  const RoomEvent end = run_until(room, 300, [&](const RoomEvent& event) {
    if (event.kind == RoomEvent::Kind::kTaskDone) {
      done.push_back(event.text);
      by.insert(event.character);
    }
    return event.kind == RoomEvent::Kind::kSharedTasksDone;
  });
  EXPECT_THAT(end.text, HasSubstr("Human 1 and Human 2 are through with 3 tasks"));
  EXPECT_EQ(done.size(), 3u);
  EXPECT_EQ(by.size(), 2u);
  EXPECT_LT((place_of(room, 5) - Vec3(-2, 3, 0.15)).norm(), 0.3);
  EXPECT_LT((place_of(room, 4) - place_of(room, 5) - Vec3(0, 0, 0.3)).norm(), 0.12);
  const auto lists = room.snapshot()->task_lists;
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[0].shared_by, (std::vector<CharacterId>{1, 2}));
  for (const auto& progress : lists[0].progress)
    EXPECT_EQ(progress.state, int(behaviour::tasks::SharedList::State::kDone));
}

TEST(TasksTogether, WhatStandsBelowWaitsForWhatStandsOnIt) {
  Room room = depot();
  ASSERT_FALSE(order(room, kRemoval).error);
  run(room, 1);
  using State = behaviour::tasks::SharedList::State;
  const auto list = room.snapshot()->task_lists.at(0);
  EXPECT_EQ(list.progress.at(0).state, int(State::kTaken));
  EXPECT_EQ(list.progress.at(1).state, int(State::kOpen));
  EXPECT_EQ(list.progress.at(2).state, int(State::kTaken));
  EXPECT_NE(list.progress.at(0).character, list.progress.at(2).character);
}

TEST(TasksTogether, TheTaskOfWhoFallsIsDoneBySomebodyElse) {
  Room room = depot();
  ASSERT_FALSE(order(room, kRemoval).error);
  run(room, 1);
  const auto list = room.snapshot()->task_lists.at(0);
  const CharacterId faller = list.progress.at(0).character;
  ASSERT_FALSE(room.apply(Push{faller, "torso", Vec3::Zero(), Vec3(0, 900, 0), 0.5}).error);
  const RoomEvent fell =
      run_until(room, 5, [](const RoomEvent& e) { return e.kind == RoomEvent::Kind::kFell; });
  ASSERT_EQ(fell.character, faller);
  run(room, 0.2);
  EXPECT_EQ(room.snapshot()->task_lists.at(0).progress.at(0).state, 0) << "open again";
  EXPECT_EQ(
      run_until(room, 400,
                [](const RoomEvent& e) { return e.kind == RoomEvent::Kind::kSharedTasksDone; })
          .kind,
      RoomEvent::Kind::kSharedTasksDone);
}

TEST(TasksTogether, OtherOrdersTakeSomebodyOutAndTheRestGoOn) {
  Room room = depot();
  ASSERT_FALSE(order(room, kRemoval).error);
  run(room, 1);
  ASSERT_FALSE(tell(room, kAnna, R"({"sit_out": {"seconds": 1}})").error);
  ASSERT_FALSE(order(room, R"({"stop": {"character": 2}})").error);
  run(room, 0.2);
  const auto lists = room.snapshot()->task_lists;
  ASSERT_EQ(lists.size(), 1u);
  EXPECT_TRUE(lists[0].shared_by.empty());
}

TEST(TasksTogether, ASavedRoomGoesOnWithWhatIsShared) {
  Room room = depot();
  ASSERT_FALSE(order(room, kRemoval).error);
  run(room, 8);
  Room other = depot();
  ASSERT_FALSE(other.restore(room.save()));
  EXPECT_EQ(room.state_hash(), other.state_hash());
  run(room, 10);
  run(other, 10);
  EXPECT_EQ(room.state_hash(), other.state_hash());
}

TEST(TasksTogether, BadListsAreRefused) {
  Room room = depot();
  const auto before = room.state_hash();
  const auto refusal = [&](const std::string& share) {
    const CommandResult result = order(room, R"({"share_tasks": )" + share + "}");
    return result.error ? result.error->message : "taken";
  };
  const std::string wait = R"("tasks": [{"sit_out": {"seconds": 1}}])";
  EXPECT_THAT(refusal("{" + wait + "}"), HasSubstr("share_tasks.characters"));
  EXPECT_THAT(refusal(R"({"characters": [1]})"), HasSubstr("share_tasks.tasks"));
  EXPECT_THAT(refusal(R"({"characters": [1, 1], )" + wait + "}"), HasSubstr("characters[1]"));
  EXPECT_THAT(refusal(R"({"characters": [1, 9], )" + wait + "}"), HasSubstr("characters[1]"));
  EXPECT_THAT(refusal(R"({"characters": [1], "tasks": [{"pick_up": {"thing": 3}}]})"),
              HasSubstr("carry, which is both"));
  EXPECT_THAT(refusal(R"({"characters": [1], "tasks": [{"carry": {"thing": 3, "on": 99}}]})"),
              HasSubstr("carry.on"));
  EXPECT_THAT(refusal(R"({"characters": [1], "append": true})"),
              HasSubstr("somebody who shares tasks"));
  EXPECT_EQ(room.state_hash(), before);
}

TEST(TasksTogether, TasksAreAddedWhileOthersAreUnderWay) {
  Room room = depot();
  ASSERT_FALSE(order(room, kRemoval).error);
  run(room, 1);
  using State = behaviour::tasks::SharedList::State;
  const auto before = room.snapshot()->task_lists.at(0);
  const std::string more = R"("tasks": [{"go_to": {"position_m": [0, -4]}}])";
  ASSERT_FALSE(
      order(room, R"({"share_tasks": {"characters": [1, 2], "append": true, )" + more + "}}")
          .error);
  run(room, 0.5);
  const auto after = room.snapshot()->task_lists.at(0);
  ASSERT_EQ(after.tasks.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(after.progress[i].state, before.progress[i].state);
    EXPECT_EQ(after.progress[i].character, before.progress[i].character);
  }
  EXPECT_EQ(after.progress[3].state, int(State::kOpen));
  std::string many;
  for (int i = 0; i < 61; ++i) many += std::string(i ? "," : "") + R"({"sit_out": {"seconds": 1}})";
  const auto refused = order(
      room, R"({"share_tasks": {"characters": [1, 2], "append": true, "tasks": [)" + many + "]}}");
  ASSERT_TRUE(refused.error);
  EXPECT_THAT(refused.error->message, HasSubstr("up to 64 altogether"));
  // A character that has left is none of theirs.
  ASSERT_FALSE(order(room, R"({"stop": {"character": 2}})").error);
  run(room, 0.1);
  const auto left =
      order(room, R"({"share_tasks": {"characters": [1, 2], "append": true, )" + more + "}}");
  ASSERT_TRUE(left.error);
  EXPECT_THAT(left.error->message, HasSubstr("share_tasks.characters[1]"));
}

TEST(TasksTogether, WhatIsAddedToAListThatHasEndedIsDoneAndTheRestForgotten) {
  Room room = depot();
  const auto share = [&](const std::string& fields) {
    return order(room, R"({"share_tasks": {"characters": [1, 2], )" + fields + "}}").error;
  };
  const std::string wait = R"("tasks": [{"sit_out": {"seconds": 0.5}}])";
  const auto ends = [&] {
    return run_until(room, 30, [](const RoomEvent& event) {
      return event.kind == RoomEvent::Kind::kSharedTasksDone;
    });
  };
  ASSERT_FALSE(share(wait));
  EXPECT_EQ(ends().kind, RoomEvent::Kind::kSharedTasksDone);
  ASSERT_FALSE(share(wait + R"(, "append": true)"));
  run(room, 0.2);
  EXPECT_EQ(room.snapshot()->task_lists.at(0).tasks.size(), 1u);
  EXPECT_EQ(ends().kind, RoomEvent::Kind::kSharedTasksDone);
  // And it begins again once it is to repeat.
  ASSERT_FALSE(share(R"("append": true, "repeat": true)"));
  ends();
  EXPECT_EQ(ends().kind, RoomEvent::Kind::kSharedTasksDone);
}

TEST(TasksTogether, AJournalOfListsReplaysOnAnyNumberOfThreads) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "tasks.jsonl";
  std::uint64_t hash = 0;
  {
    Room room = depot();
    JournalWriter journal(path, room.settings(), together_library()->digest());
    room.set_command_sink(
        [&](std::uint64_t tick, const Command& command) { journal.add(tick, command); });
    const auto mark = [&] { journal.mark(room.tick_count(), room.state_hash()); };
    ASSERT_FALSE(tell(room, kAnna, R"({"pick_up": {"thing": 3}}, {"put_down": {}})").error);
    run(room, 6);
    mark();
    ASSERT_FALSE(order(room, kRemoval).error);
    run(room, 8);
    mark();
    ASSERT_FALSE(room.apply(Push{kBen, "torso", Vec3::Zero(), Vec3(0, 900, 0), 0.5}).error);
    ASSERT_FALSE(order(room, R"({"share_tasks": {"characters": [1, 2], "append": true, "tasks": [
        {"go_to": {"position_m": [0, -3], "heading_rad": 1}}]}})")
                     .error);
    run(room, 8);
    mark();
    ASSERT_FALSE(tell(room, kBen, R"({"sit_out": {"seconds": 1}})").error);
    EXPECT_TRUE(tell(room, kBen, R"({"pick_up": {"thing": 99}})").error) << "not journaled";
    run(room, 4);
    hash = room.state_hash();
    journal.close(room.tick_count(), hash);
  }
  for (const int threads : {1, 2}) {
    const auto result = replay(std::vector{path}, together_library(), threads);
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_TRUE(result->equal) << result->error << " at " << result->difference;
    EXPECT_EQ(result->marks_checked, 4u);
    EXPECT_EQ(result->commands, 5u);
    EXPECT_EQ(result->hash, hash);
  }
}

}  // namespace
}  // namespace promenade::world
