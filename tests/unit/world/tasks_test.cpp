// Tests of the work of characters with things: the command set_tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "creature/biped/biped_state.h"
#include "promenade/v1/checkpoint.pb.h"
#include "promenade/v1/command.pb.h"
#include "schema/message.h"
#include "world/command/command_codec.h"
#include "world/command/task_message.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr double kLong = 90;  // s, of simulated time: more than any of these tasks takes

std::shared_ptr<const Library> task_library() {
  static const auto made = [] {
    auto loaded = library_with({{"yard", R"(
        "characters": [{"body": "human", "style": "normal", "position_m": [0, 0]}],
        "things": [{"thing": "small_crate", "position_m": [2, 0.3]}])"},
                                {"doorway", R"(
        "characters": [{"body": "human", "style": "normal", "position_m": [0, 0]}],
        "things": [{"thing": "door", "position_m": [2, 0]}, {"thing": "ball", "position_m": [-2, 1]}])"},
                                {"balls", R"(
        "characters": [{"body": "human", "style": "normal", "position_m": [0, 0]}],
        "things": [{"thing": "small_crate", "position_m": [2, 0.3]},
                   {"thing": "ball", "position_m": [-2, 1]}])"}});
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return made;
}

Room room_of(const std::string& scene) {
  RoomSettings settings;
  settings.scene = scene;
  return Room(task_library(), settings);
}

Room yard() { return room_of("yard"); }

constexpr CharacterId kPerson = 1, kCrate = 2;

CommandResult tell(Room& room, const std::string& tasks, const std::string& more = "") {
  const auto message = schema::parse_message<v1::Command>(
      R"({"set_tasks": {"character": 1, "tasks": [)" + tasks + "]" + more + "}}");
  if (!message) throw std::runtime_error(message.error().text());
  const auto command = command_from_proto(*message);
  if (const auto* error = std::get_if<CommandError>(&command)) {
    CommandResult refused;
    refused.error = *error;
    return refused;
  }
  return room.apply(std::get<Command>(command));
}

/// The texts of all events until so many tasks are over.
std::vector<RoomEvent> run_until_over(Room& room, std::size_t tasks,
                                      const std::function<void(const RoomEvent&)>& told = {}) {
  std::vector<RoomEvent> out;
  std::size_t over = 0;
  while (over < tasks && double(room.tick_count()) * room.tick_seconds() < kLong) {
    for (RoomEvent& event : room.tick()) {
      if (event.kind == RoomEvent::Kind::kTaskDone || event.kind == RoomEvent::Kind::kTaskFailed)
        ++over;
      if (told) told(event);
      out.push_back(std::move(event));
    }
  }
  return out;
}

Vec3 palm_of(const Room& room, std::size_t side) {
  const physics::ArticulatedBody& body = *room.body_for_test(kPerson);
  const Biped biped = biped_of(*task_library()->find_creature("human")->body).value();
  const auto& lower = body.links()[std::size_t(biped.link[kLeftLowerArm + int(side)])];
  return lower.position + lower.rotation * biped.palm[side];
}

class ReachesPoints : public ::testing::TestWithParam<double> {};

TEST_P(ReachesPoints, WithinThreeAndAHalfCentimetres) {
  Room room = yard();
  const Vec3 point(-1.2, 0.8, GetParam());
  ASSERT_FALSE(tell(room, R"({"reach": {"point_m": [-1.2, 0.8, )" + std::to_string(GetParam()) +
                              R"(], "hold_s": 1}})")
                   .error);
  const auto events = run_until_over(room, 1);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().kind, RoomEvent::Kind::kTaskDone) << events.back().text;
  const double missed =
      std::min((palm_of(room, 0) - point).norm(), (palm_of(room, 1) - point).norm());
  EXPECT_LT(missed, 0.035) << events.back().text;
}

INSTANTIATE_TEST_SUITE_P(Heights, ReachesPoints, ::testing::Values(0.1, 0.3, 0.6, 1.0, 1.4, 1.8));

Vec3 link_point(const Room& room, CharacterId id, std::size_t link, const Vec3& point) {
  const auto& seen = room.body_for_test(id)->links()[link];
  return seen.position + seen.rotation * point;
}

TEST(Tasks, BothPalmsMeetAtAPoint) {
  for (const double height : {0.2, 1.0, 1.7}) {
    Room room = yard();
    const Vec3 point(-1.2, 0.8, height);
    ASSERT_FALSE(tell(room, R"({"reach": {"hand": "BOTH_HANDS", "point_m": [-1.2, 0.8, )" +
                                std::to_string(height) + R"(], "hold_s": 1}})")
                     .error);
    const auto events = run_until_over(room, 1);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().kind, RoomEvent::Kind::kTaskDone) << events.back().text;
    // Each beside the point by half the thickness of a hand.
    for (const std::size_t side : {0u, 1u})
      EXPECT_LT((palm_of(room, side) - point).norm(), 0.09) << height << " m, hand " << side;
  }
}

TEST(Tasks, BothHandsHoldAThingAtTwoSidesOfIt) {
  Room room = yard();
  ASSERT_FALSE(tell(room, R"({"reach": {"thing": 2, "hand": "BOTH_HANDS", "grip": true}})").error);
  const auto events = run_until_over(room, 1);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().kind, RoomEvent::Kind::kTaskDone) << events.back().text;
  EXPECT_LT(events.back().missed_by, 0.035);
  const Vec3 apart = palm_of(room, 0) - palm_of(room, 1);
  EXPECT_GT(apart.norm(), 0.3);  // as wide as the crate
  const Vec3 middle = 0.5 * (palm_of(room, 0) + palm_of(room, 1));
  EXPECT_LT((middle - link_point(room, kCrate, 0, Vec3::Zero())).head<2>().norm(), 0.06);
  EXPECT_EQ(room.make_snapshot(false)->roster->ties.size(), 2u);
}

TEST(Tasks, AHandGoesAfterADoorThatSwings) {
  Room room = room_of("doorway");
  const Vec3 point(-0.02, -0.35, 0.1);
  ASSERT_FALSE(
      tell(room, R"({"reach": {"thing": 2, "link": 1, "point_m": [-0.02, -0.35, 0.1]}})").error);
  double nearest = 1e9, swung = 0;
  bool done = false;
  for (int i = 0; i < 120 * 60 && !done; ++i) {
    // Somebody holds it open, more and less.
    if (i % 120 == 0)
      room.apply(Push{2, "leaf", Vec3(0, -0.4, 0), Vec3(i % 240 == 0 ? 9.0 : 4.0, 0, 0), 1});
    for (const RoomEvent& event : room.tick())
      done = done || event.kind == RoomEvent::Kind::kTaskDone;
    const Vec3 at = link_point(room, 2, 1, point);
    swung = std::max(swung, at.x() - 2);
    for (const std::size_t side : {0u, 1u})
      nearest = std::min(nearest, (palm_of(room, side) - at).norm());
  }
  EXPECT_TRUE(done);
  EXPECT_GT(swung, 0.05);
  EXPECT_LT(nearest, 0.035);
}

TEST(Tasks, WhatGoesAwayFasterThanOneWalksIsGivenUp) {
  Room room = room_of("doorway");
  ASSERT_FALSE(tell(room, R"({"reach": {"thing": 3}})").error);
  bool failed = false;
  for (int i = 0; i < 120 * 60 && !failed; ++i) {
    if (i % 60 == 0) room.apply(Push{3, "ball", Vec3::Zero(), Vec3(0.5, 0, 0), 0.5});
    for (const RoomEvent& event : room.tick()) {
      if (event.kind != RoomEvent::Kind::kTaskFailed) continue;
      failed = true;
      EXPECT_THAT(event.text,
                  AnyOf(HasSubstr("does not stay in reach"), HasSubstr("no way to it")));
    }
  }
  EXPECT_TRUE(failed);
}

TEST(Tasks, ACrateIsPickedUpCarriedAndPutDown) {
  Room room = yard();
  ASSERT_FALSE(tell(room, R"({"pick_up": {"thing": 2}}, {"go_to": {"position_m": [0, 2]}},
                             {"put_down": {"position_m": [-1, -1]}})")
                   .error);
  double lifted = 0;
  const auto events = run_until_over(room, 3, [&](const RoomEvent&) {
    lifted = std::max(lifted, room.body_for_test(kCrate)->links()[0].position.z());
  });
  for (const RoomEvent& event : events) {
    EXPECT_EQ(event.kind, RoomEvent::Kind::kTaskDone) << event.text;
  }
  EXPECT_GT(lifted, 0.8);
  const Vec3 at = room.body_for_test(kCrate)->links()[0].position;
  EXPECT_LT((at - Vec3(-1, -1, 0.15)).norm(), 0.15);
  EXPECT_TRUE(room.snapshot()->roster->ties.empty()) << "the hands have let go";
}

Vec3 crate_at(const Room& room) { return link_point(room, kCrate, 0, Vec3::Zero()); }

TEST(Tasks, WhatIsPutDownIsDoneOnceItRests) {
  Room room = yard();
  ASSERT_FALSE(tell(room, R"({"carry": {"thing": 2, "position_m": [-1.5, -1]}})").error);
  const auto events = run_until_over(room, 1);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().kind, RoomEvent::Kind::kTaskDone) << events.back().text;
  EXPECT_LT(room.body_for_test(kCrate)->links()[0].velocity.norm(), 0.05);
  const Vec3 then = crate_at(room);
  EXPECT_NEAR((then - Vec3(-1.5, -1, 0)).head<2>().norm(), events.back().missed_by, 0.01);
  run(room, 3);
  EXPECT_LT((crate_at(room) - then).norm(), 0.02);
}

TEST(Tasks, NothingIsPutDownInTheAir) {
  for (const double high : {0.5, 1.0}) {
    Room room = yard();
    ASSERT_FALSE(
        tell(room, R"({"pick_up": {"thing": 2}}, {"put_down": {"position_m": [-1.5, -1, )" +
                       std::to_string(high) + "]}}")
            .error);
    const auto events = run_until_over(room, 2);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().kind, RoomEvent::Kind::kTaskFailed) << events.back().text;
    EXPECT_THAT(events.back().text, HasSubstr("nothing to put it on at that height"));
    run(room, 2);
    EXPECT_GT(crate_at(room).z(), 0.4) << "it stays in the hands";
  }
}

TEST(Tasks, WhatRollsOffIsToldNotToStayThere) {
  Room room = room_of("balls");
  ASSERT_FALSE(tell(room, R"({"carry": {"thing": 2, "on": 3}})").error);
  const auto events = run_until_over(room, 1);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().kind, RoomEvent::Kind::kTaskFailed) << events.back().text;
  EXPECT_THAT(events.back().text, HasSubstr("it did not stay there"));
}

TEST(Tasks, ASavedRoomGoesOnWithWhatTheHandsHold) {
  Room room = yard();
  ASSERT_FALSE(
      tell(room, R"({"pick_up": {"thing": 2}}, {"put_down": {"position_m": [-1, -1]}})").error);
  run_until_over(room, 1);
  Room other = yard();
  ASSERT_FALSE(other.restore(room.save()));
  for (int i = 0; i < 300; ++i) {
    room.tick();
    other.tick();
  }
  EXPECT_EQ(room.state_hash(), other.state_hash());
}

TEST(Tasks, WhatIsTakenAwayWhileItIsCarriedEndsTheTask) {
  Room room = yard();
  ASSERT_FALSE(
      tell(room, R"({"pick_up": {"thing": 2}}, {"put_down": {"position_m": [-1, -1]}})").error);
  run_until_over(room, 1);
  ASSERT_FALSE(room.apply(Remove{kCrate}).error);
  const auto events = run_until_over(room, 1);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().kind, RoomEvent::Kind::kTaskFailed);
  EXPECT_THAT(events.back().text, HasSubstr("no longer in the hands"));
  for (int i = 0; i < 180; ++i) {
    for (const RoomEvent& event : room.tick()) EXPECT_NE(event.kind, RoomEvent::Kind::kFell);
  }
}

TEST(Tasks, WhatCannotBeDoneIsToldWithTheReason) {
  Room room = yard();
  ASSERT_FALSE(tell(room, R"({"reach": {"point_m": [1, 1, 2.6]}}, {"put_down": {}},
                             {"sit_out": {"seconds": 0.5}})")
                   .error);
  const auto events = run_until_over(room, 3);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_THAT(events[0].text, HasSubstr("too high"));
  EXPECT_THAT(events[1].text, HasSubstr("nothing is carried"));
  EXPECT_EQ(events[2].kind, RoomEvent::Kind::kTaskDone);
}

TEST(Tasks, ASnapshotHasTheListAndWhichOneIsUnderWay) {
  Room room = yard();
  EXPECT_TRUE(room.snapshot()->task_lists.empty());
  ASSERT_FALSE(tell(room, R"({"sit_out": {"seconds": 0.2}}, {"push_to": {"thing": 2,
                             "position_m": [3, 1], "heading_rad": 0.5}})")
                   .error);
  room.tick();
  const auto first = room.snapshot();
  ASSERT_EQ(first->task_lists.size(), 1u);
  EXPECT_EQ(first->task_lists[0].id, kPerson);
  EXPECT_EQ(first->task_lists[0].current, 0u);
  EXPECT_FALSE(first->task_lists[0].repeat);
  run_until_over(room, 1);
  const auto then = room.snapshot();
  ASSERT_EQ(then->task_lists.size(), 1u);
  EXPECT_EQ(then->task_lists[0].current, 1u);
  v1::Task message;
  write_task(then->task_lists[0].tasks.at(1), message);
  EXPECT_EQ(message.push_to().thing(), kCrate);
  EXPECT_EQ(message.push_to().position_m(1), 1);
  EXPECT_EQ(message.push_to().heading_rad(), 0.5);
}

TEST(Tasks, AnotherListGoesOnWithTheOneUnderWay) {
  Room room = yard();
  const auto current = [&] { return room.snapshot()->task_lists.at(0).current; };
  ASSERT_FALSE(tell(room, R"({"sit_out": {"seconds": 1}}, {"sit_out": {"seconds": 2}})").error);
  for (int i = 0; i < 90; ++i) room.tick();
  ASSERT_EQ(current(), 1u);
  ASSERT_FALSE(tell(room, R"({"sit_out": {"seconds": 3}}, {"sit_out": {"seconds": 1}},
                             {"sit_out": {"seconds": 2}})",
                    R"(, "begin_at": 2, "repeat": true)")
                   .error);
  EXPECT_EQ(current(), 2u);
  for (int i = 0; i < 96; ++i) room.tick();
  EXPECT_EQ(current(), 0u) << "half a second of it had passed before";
}

TEST(Tasks, BadOnesAreRefusedAndNothingChanges) {
  Room room = yard();
  const auto before = room.state_hash();
  const auto refusal = [&](const std::string& tasks) {
    const CommandResult result = tell(room, tasks);
    return result.error ? result.error->message : "taken";
  };
  EXPECT_THAT(refusal("{}"), HasSubstr("set_tasks.tasks[0]"));
  EXPECT_THAT(refusal(R"({"pick_up": {}})"), HasSubstr("tasks[0].pick_up.thing"));
  EXPECT_THAT(refusal(R"({"pick_up": {"thing": 9}})"), HasSubstr("a thing of this room"));
  EXPECT_THAT(refusal(R"({"pick_up": {"thing": 1}})"), HasSubstr("a thing of this room"));
  EXPECT_THAT(refusal(R"({"reach": {"point_m": [1, 2]}})"), HasSubstr("3 numbers"));
  EXPECT_THAT(refusal(R"({"reach": {"point_m": [1, 2, 1], "hand": 3, "grip": true}})"),
              HasSubstr("reach.grip"));
  EXPECT_THAT(refusal(R"({"reach": {"thing": 2, "link": 1}})"), HasSubstr("reach.link"));
  EXPECT_THAT(refusal(R"({"reach": {"point_m": [1, 2, 1], "link": 1}})"), HasSubstr("reach.link"));
  EXPECT_THAT(refusal(R"({"reach": {"thing": 2, "link": 1, "point_m": [0, 0, 0]}})"),
              HasSubstr("0, as it has one link"));
  EXPECT_THAT(refusal(R"({"go_to": {"position_m": [1, 2000]}})"), HasSubstr("position_m[1]"));
  EXPECT_THAT(refusal(R"({"put_down": {"on": 2, "position_m": [0, 0]}})"),
              HasSubstr("only one of"));
  EXPECT_THAT(refusal(R"({"carry": {"thing": 2}})"), HasSubstr("neither position_m nor on"));
  EXPECT_THAT(refusal(R"({"carry": {"thing": 2, "on": 2}})"), HasSubstr("another thing"));
  EXPECT_THAT(refusal(R"({"carry": {"thing": 2, "on": 9}})"), HasSubstr("carry.on"));
  EXPECT_THAT(refusal(R"({"sit_out": {"seconds": -1}})"), HasSubstr("sit_out.seconds"));
  EXPECT_THAT(refusal(R"({"sit_out": {}})"), HasSubstr("more than 0"));
  EXPECT_THAT(refusal(R"({"reach": {"thing": 1}})"), HasSubstr("else than who does it"));
  const auto beyond = tell(room, R"({"put_down": {}})", R"(, "begin_at": 2)");
  ASSERT_TRUE(beyond.error);
  EXPECT_THAT(beyond.error->message, HasSubstr("begin_at"));
  std::string many;
  for (int i = 0; i < 65; ++i) many += std::string(i ? "," : "") + R"({"sit_out": {"seconds": 1}})";
  EXPECT_THAT(refusal(many), HasSubstr("up to 64"));
  EXPECT_EQ(room.state_hash(), before);
}

// As over the websocket, where numbers are not read from text.
TEST(Tasks, NoNumbersAndUnknownHandsAreRefusedInMessages) {
  const auto refusal = [](const auto& fill) {
    v1::Command message;
    v1::SetTasks& set = *message.mutable_set_tasks();
    set.set_character(kPerson);
    fill(*set.add_tasks());
    const auto command = command_from_proto(message);
    const auto* error = std::get_if<CommandError>(&command);
    return error ? error->field : "taken";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&](v1::Task& task) {
              for (const double value : {1.0, nan}) task.mutable_go_to()->add_position_m(value);
            }),
            "set_tasks.tasks[0].go_to.position_m[1]");
  EXPECT_EQ(refusal([&](v1::Task& task) {
              for (const double value : {1.0, 1.0, 1.0}) task.mutable_reach()->add_point_m(value);
              task.mutable_reach()->set_hold_s(nan);
            }),
            "set_tasks.tasks[0].reach.hold_s");
  EXPECT_EQ(refusal([&](v1::Task& task) {
              for (const double value : {1.0, 1.0, 1.0}) task.mutable_reach()->add_point_m(value);
              task.mutable_reach()->set_hand(static_cast<v1::Hand>(4));
            }),
            "set_tasks.tasks[0].reach.hand");
  EXPECT_EQ(refusal([&](v1::Task& task) {
              task.mutable_sit_out()->set_seconds(nan);
              task.set_speed_mps(nan);
            }),
            "set_tasks.tasks[0].speed_mps");
}

}  // namespace
}  // namespace promenade::world
