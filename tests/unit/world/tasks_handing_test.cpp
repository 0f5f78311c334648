// Handing a thing over to somebody else: the tasks hand_over and take_over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "promenade/v1/checkpoint.pb.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;

constexpr CharacterId kCarla = 1, kDan = 2, kBox = 4;

std::shared_ptr<const Library> counter_library() {
  static const auto made = [] {
    auto loaded = library_with({{"counter", R"(
        "characters": [{"body": "human", "style": "normal", "position_m": [0, 0]},
                       {"body": "human", "style": "normal", "position_m": [3.5, 0]},
                       {"body": "child", "style": "normal", "position_m": [0, 4]}],
        "things": [{"thing": "small_crate", "position_m": [1.2, 0.3]},
                   {"thing": "carton", "position_m": [4.5, -1.2]},
                   {"thing": "barrel", "position_m": [-2, 0]}])"}});
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return made;
}

Room counter() {
  RoomSettings settings;
  settings.scene = "counter";
  return Room(counter_library(), settings);
}

CommandResult give(Room& room, CharacterId who, const std::string& tasks) {
  return order(room, R"({"set_tasks": {"character": )" + std::to_string(who) + R"(, "tasks": [)" +
                         tasks + "]}}");
}

/// Runs until `enough` says so of an event, for so long at most. @return that event
RoomEvent run_to(Room& room, double seconds, const std::function<bool(const RoomEvent&)>& enough) {
  const std::uint64_t end = room.tick_count() + std::uint64_t(seconds / room.tick_seconds());
  while (room.tick_count() < end) {
    for (RoomEvent& event : room.tick()) {
      if (enough(event)) return std::move(event);
    }
  }
  return {};
}

/// The next task of somebody that is over.
RoomEvent next_over(Room& room, CharacterId who, double seconds = 60) {
  return run_to(room, seconds, [who](const RoomEvent& e) {
    return e.character == who &&
           (e.kind == RoomEvent::Kind::kTaskDone || e.kind == RoomEvent::Kind::kTaskFailed);
  });
}

/// How many hands of somebody hold the box.
int hands_of(const Room& room, CharacterId who) {
  const auto& ties = room.snapshot()->roster->ties;
  return int(std::count_if(ties.begin(), ties.end(), [who](const TieEntry& tie) {
    return tie.a.id == who && tie.b.id == kBox;
  }));
}

double height_of_box(const Room& room) { return room.body_for_test(kBox)->links()[0].position.z(); }

constexpr const char* kBring = R"({"pick_up": {"thing": 4}}, {"hand_over": {"to": 2}})";

TEST(Handing, SomebodyWithNothingToDoTakesWhatIsBroughtAndPutsItDown) {
  Room room = counter();
  ASSERT_FALSE(give(room, kCarla, kBring).error);
  EXPECT_THAT(next_over(room, kCarla).text, HasSubstr("did pick_up"));
  const RoomEvent taken =
      run_to(room, 60, [](const RoomEvent& e) { return e.kind == RoomEvent::Kind::kTaskDone; });
  EXPECT_EQ(taken.character, kDan);
  EXPECT_THAT(taken.text, HasSubstr("did take_over"));
  EXPECT_THAT(next_over(room, kCarla).text, HasSubstr("did hand_over"));
  EXPECT_EQ(hands_of(room, kCarla), 0);
  EXPECT_EQ(hands_of(room, kDan), 2);
  EXPECT_GT(height_of_box(room), 0.6);
  ASSERT_FALSE(give(room, kDan, R"({"put_down": {"position_m": [4, 2]}})").error);
  EXPECT_THAT(next_over(room, kDan).text, HasSubstr("did put_down"));
  const Vec3 at = room.body_for_test(kBox)->links()[0].position;
  EXPECT_LT((at - Vec3(4, 2, 0.15)).norm(), 0.1);
}

TEST(Handing, WhoHasItInTheListIsWaitedFor) {
  Room room = counter();
  ASSERT_FALSE(give(room, kDan, R"({"sit_out": {"seconds": 25}}, {"take_over": {}})").error);
  ASSERT_FALSE(give(room, kCarla, kBring).error);
  EXPECT_THAT(next_over(room, kCarla).text, HasSubstr("did pick_up"));
  EXPECT_THAT(next_over(room, kDan).text, HasSubstr("did sit_out"));
  EXPECT_EQ(hands_of(room, kCarla), 2);
  EXPECT_THAT(next_over(room, kDan).text, HasSubstr("did take_over"));
}

TEST(Handing, WhoCannotTakeItIsToldAndItStaysInTheHands) {
  Room room = counter();
  ASSERT_FALSE(give(room, kCarla, R"({"hand_over": {"to": 2}})").error);
  EXPECT_THAT(next_over(room, kCarla, 2).text, HasSubstr("nothing is carried"));
  ASSERT_FALSE(give(room, kDan, R"({"pick_up": {"thing": 5}})").error);
  EXPECT_THAT(next_over(room, kDan).text, HasSubstr("did pick_up"));
  ASSERT_FALSE(give(room, kCarla, R"({"pick_up": {"thing": 4}}, {"hand_over": {"to": 2}},
                                     {"sit_out": {"seconds": 0.1}})")
                   .error);
  EXPECT_THAT(next_over(room, kCarla).text, HasSubstr("did pick_up"));
  EXPECT_THAT(next_over(room, kCarla, 2).text, HasSubstr("their hands are full"));
  EXPECT_THAT(next_over(room, kCarla, 2).text, HasSubstr("did sit_out")) << "the list goes on";
  EXPECT_EQ(hands_of(room, kCarla), 2);
  ASSERT_FALSE(give(room, kDan, R"({"sit_out": {"seconds": 60}})").error);
  ASSERT_FALSE(give(room, kCarla, R"({"hand_over": {"to": 2}})").error);
  EXPECT_THAT(next_over(room, kCarla, 2).text, HasSubstr("they are at something else"));
  EXPECT_EQ(hands_of(room, kCarla), 2);
}

/// Runs until the one who takes the box has both hands at it.
void run_until_both_hold(Room& room) {
  ASSERT_FALSE(give(room, kCarla, kBring).error);
  for (int i = 0; i < 3600 && hands_of(room, kDan) < 2; ++i) room.tick();
  ASSERT_EQ(hands_of(room, kDan), 2);
  ASSERT_EQ(hands_of(room, kCarla), 2);
}

TEST(Handing, WhoIsToldSomethingElseMeanwhileLetsGoAndTheOtherKeepsIt) {
  Room room = counter();
  run_until_both_hold(room);
  ASSERT_FALSE(give(room, kDan, R"({"sit_out": {"seconds": 60}})").error);
  EXPECT_THAT(next_over(room, kCarla, 5).text, HasSubstr("they are at something else"));
  EXPECT_EQ(hands_of(room, kDan), 0);
  EXPECT_EQ(hands_of(room, kCarla), 2);
  EXPECT_GT(height_of_box(room), 0.6);
}

TEST(Handing, WhoIsLeftAloneWithItInBothHandsKeepsIt) {
  Room room = counter();
  run_until_both_hold(room);
  ASSERT_FALSE(room.apply(Remove{kCarla}).error);
  EXPECT_THAT(next_over(room, kDan, 20).text, HasSubstr("did take_over"));
  EXPECT_EQ(hands_of(room, kDan), 2);
  EXPECT_GT(height_of_box(room), 0.5);
}

TEST(Handing, WhatIsTakenAwayMeanwhileEndsBothTasks) {
  Room room = counter();
  run_until_both_hold(room);
  ASSERT_FALSE(room.apply(Remove{kBox}).error);
  std::vector<RoomEvent> failed;
  run_to(room, 2, [&](const RoomEvent& e) {
    if (e.kind == RoomEvent::Kind::kTaskFailed) failed.push_back(e);
    return failed.size() == 2;
  });
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_THAT(failed[0].text, HasSubstr("no longer in the hands"));
  EXPECT_THAT(failed[1].text, HasSubstr("not there any more"));
}

TEST(Handing, ASavedRoomGoesOnInTheMiddle) {
  Room room = counter();
  run_until_both_hold(room);
  Room other = counter();
  ASSERT_FALSE(other.restore(room.save()));
  for (int i = 0; i < 300; ++i) {
    room.tick();
    other.tick();
  }
  EXPECT_EQ(room.state_hash(), other.state_hash());
  EXPECT_EQ(hands_of(room, kCarla), 0);
}

TEST(Handing, WhoWalksSomewhereIsNotMadeToTakeIt) {
  Room room = counter();
  ASSERT_FALSE(room.apply(FollowPath{kDan, {{Vec2(3.5, 2), Vec2(3.5, -2)}, true, 0.6}}).error);
  ASSERT_FALSE(give(room, kCarla, R"({"pick_up": {"thing": 4}}, {"hand_over": {"to": 2}})").error);
  std::string why;
  run_to(room, 60, [&](const RoomEvent& e) {
    if (e.kind == RoomEvent::Kind::kTaskFailed) why = e.text;
    return !why.empty();
  });
  EXPECT_THAT(why, HasSubstr("at something else"));
  EXPECT_EQ(hands_of(room, kCarla), 2) << "it is kept";
  const double before = room.snapshot()->characters[kDan - 1].root.position.y();
  run_to(room, 2, [](const RoomEvent&) { return false; });
  EXPECT_GT(std::abs(room.snapshot()->characters[kDan - 1].root.position.y() - before), 0.2);
}

TEST(Handing, BadOnesAreRefused) {
  Room room = counter();
  const auto refusal = [&](const std::string& tasks) {
    const CommandResult result = give(room, kCarla, tasks);
    return result.error ? result.error->message : "taken";
  };
  EXPECT_THAT(refusal(R"({"hand_over": {}})"), HasSubstr("tasks[0].hand_over.to"));
  EXPECT_THAT(refusal(R"({"hand_over": {"to": 1}})"), HasSubstr("somebody else"));
  EXPECT_THAT(refusal(R"({"hand_over": {"to": 4}})"), HasSubstr("another character"));
  EXPECT_THAT(refusal(R"({"take_over": {"from": 9}})"), HasSubstr("take_over.from"));
}

}  // namespace
}  // namespace promenade::world
