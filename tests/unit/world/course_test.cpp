// Courses: what may stand in a scene, what is drawn, and when it is drawn anew.
#include "world/scene/course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "math/random.h"
#include "promenade/v1/checkpoint.pb.h"
#include "promenade/v1/scene.pb.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;

const char* const kKinds = R"("kinds": [
    {"height_m": [0.1, 0.2], "depth_m": [0.1, 0.2]},
    {"height_m": [1.4, 1.5], "depth_m": [0.1, 0.1], "bar": true},
    {"height_m": [0.02, 0.04], "depth_m": [1, 1.2], "pieces": 6}])";

std::string lane(const std::string& fields) {
  return R"("courses": [{"from_m": [2, 0], "to_m": [14, 0], "count": 3, )" + fields + "}]";
}

std::shared_ptr<const Library> course_library() {
  static const auto made = [] {
    auto loaded = library_with({{"lane", lane(kKinds) + R"(,
        "characters": [{"body": "human", "style": "normal", "position_m": [0, 0],
                        "path": {"points": [{"x_m": 17, "y_m": 0}], "speed_mps": 0.8}}])"}});
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return made;
}

v1::CourseBlocks blocks_of(const Room& room) {
  v1::CourseBlocks blocks;
  EXPECT_TRUE(blocks.ParseFromString(room.make_snapshot()->roster->course));
  return blocks;
}

/// Where the blocks of a part are, and how high, as text.
std::string part_of(const Room& room, int part) {
  std::string out;
  const double from = 2 + 4.0 * part;
  const v1::CourseBlocks blocks = blocks_of(room);
  for (const v1::Block& block : blocks.blocks()) {
    if (block.center_m(0) > from && block.center_m(0) < from + 4) out += block.ShortDebugString();
  }
  return out;
}

void run_to(Room& room, double x) {
  for (int i = 0; i < 60 * 60; ++i) {
    if (room.body_for_test(1)->state().root.position.x() > x) return;
    room.tick();
  }
  FAIL() << "does not get to " << x;
}

TEST(Course, MistakesInASceneNameTheField) {
  const auto refusal = [](const std::string& scene) {
    const auto loaded = library_with({{"bad", scene}});
    return loaded.ok() ? "taken" : loaded.error().text();
  };
  EXPECT_EQ(refusal(lane(kKinds)), "taken");
  EXPECT_THAT(refusal(lane(R"("width_m": 2)")), HasSubstr("courses[0].kinds: 0 kinds"));
  EXPECT_THAT(refusal(lane(R"("width_m": -1, )" + std::string(kKinds))), HasSubstr("width_m"));
  EXPECT_THAT(refusal(lane(R"("width_m": "NaN", )" + std::string(kKinds))),
              HasSubstr("courses[0].width_m: \"NaN\" is not allowed"));
  EXPECT_THAT(refusal(R"("courses": [{"from_m": [2, "Infinity"], "to_m": [14, 0], "count": 3}])"),
              HasSubstr("courses[0].from_m[1]"));
  EXPECT_THAT(refusal(lane(R"("gap_m": 30, )" + std::string(kKinds))), HasSubstr("gap_m"));
  EXPECT_THAT(refusal(R"("courses": [{"from_m": [2], "to_m": [14, 0], "count": 3}])"),
              HasSubstr("courses[0].from_m"));
  EXPECT_THAT(refusal(R"("courses": [{"from_m": [2, 0], "to_m": [3, 0], "count": 3}])"),
              HasSubstr("courses[0].to_m"));
  EXPECT_THAT(refusal(R"("courses": [{"from_m": [2, 0], "to_m": [14, 0], "count": 99, )" +
                      std::string(kKinds) + "}]"),
              HasSubstr("courses[0].count"));
  const auto kind = [&](const std::string& fields) {
    return refusal(lane(R"("kinds": [{)" + fields + "}]"));
  };
  EXPECT_THAT(kind(R"("height_m": [0.2], "depth_m": [0.1, 0.2])"),
              HasSubstr("courses[0].kinds[0].height_m"));
  EXPECT_THAT(kind(R"("height_m": [0.2, 0.1], "depth_m": [0.1, 0.2])"),
              HasSubstr("courses[0].kinds[0].height_m[1]"));
  EXPECT_THAT(kind(R"("height_m": [0.1, 0.2], "depth_m": [0.1, 1.6])"),
              HasSubstr("courses[0].kinds[0].depth_m[1]"));
  EXPECT_THAT(kind(R"("height_m": [0.1, 0.2], "depth_m": [0.1, 0.2], "pieces": 99)"),
              HasSubstr("kinds[0].pieces"));
  EXPECT_THAT(kind(R"("height_m": [1.4, 1.5], "depth_m": [0.1, 0.2], "bar": true, "pieces": 3)"),
              HasSubstr("kinds[0].pieces"));
  EXPECT_THAT(kind(R"("height_m": [0.1, 0.2], "depth_m": [0.1, 0.2], "color": "red")"),
              HasSubstr("kinds[0].color"));
  EXPECT_THAT(refusal(R"("no_plane": true, )" + lane(kKinds)), HasSubstr("no_plane"));
}

TEST(Course, WhatIsDrawnKeepsToItsRangesAndItsPart) {
  const CoursePlan plan = course_library()->find_scene("lane")->courses.at(0);
  std::set<std::string> kinds;
  for (int draw = 0; draw < 300; ++draw) {
    const int part = draw % 3;
    const auto blocks = draw_obstacle(plan, part, Random(std::uint64_t(draw)));
    const double low = 2 + 4.0 * part + 1.25, high = 2 + 4.0 * (part + 1) - 1.25;
    const bool bar = blocks.size() == 3, strewn = blocks.size() == 6;
    kinds.insert(bar ? "bar" : strewn ? "strewn" : "board");
    for (const v1::Block& block : blocks) {
      const double reach =
          strewn ? 0.5 * std::hypot(block.size_m(0), block.size_m(1)) : 0.5 * block.size_m(0);
      EXPECT_GE(block.center_m(0) - reach, low - 1e-9);
      EXPECT_LE(block.center_m(0) + reach, high + 1e-9);
      const double bottom = block.center_m(2) - 0.5 * block.size_m(2);
      const double top = block.center_m(2) + 0.5 * block.size_m(2);
      if (bar && block.floor()) {
        EXPECT_GE(bottom, 1.4 - 1e-9);
        EXPECT_LE(bottom, 1.5 + 1e-9);
      } else {
        EXPECT_NEAR(bottom, 0, 1e-9);
        EXPECT_LE(top, bar ? 1.61 : strewn ? 0.04 + 1e-9 : 0.2 + 1e-9);
      }
    }
  }
  EXPECT_EQ(kinds.size(), 3u);
}

TEST(Course, TheSeedDecidesWhatIsDrawn) {
  const auto drawn = [](std::uint64_t seed) {
    RoomSettings settings = settings_for("lane");
    settings.seed = seed;
    return blocks_of(Room(course_library(), settings)).SerializeAsString();
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(Course, APartIsDrawnAnewOnceSomebodyHasPassedItAndIsFarEnough) {
  Room room(course_library(), settings_for("lane"));
  const std::string first = part_of(room, 0), second = part_of(room, 1);
  ASSERT_FALSE(first.empty());
  run_to(room, 8.3);  // 2.3 m beyond the first part
  EXPECT_EQ(part_of(room, 0), first);
  run_to(room, 9.3);
  EXPECT_NE(part_of(room, 0), first);
  EXPECT_EQ(part_of(room, 1), second) << "somebody is on it";
  // A thing that lies there is not hit either.
  SpawnThing carton;
  carton.thing = "carton";
  carton.on_ground = Vec2(8, 0.9);
  ASSERT_FALSE(room.apply(carton).error);
  run_to(room, 13.9);
  EXPECT_EQ(part_of(room, 1), second);
}

TEST(Course, RoundsAreCountedAndTold) {
  Room room(course_library(), settings_for("lane"));
  std::string told;
  for (int i = 0; i < 60 * 40 && told.empty(); ++i) {
    for (const RoomEvent& event : room.tick()) {
      if (event.kind == RoomEvent::Kind::kNotice) told = event.text;
    }
  }
  EXPECT_EQ(told, "Human 1 passed the course without a fall: 1 of 1 rounds so far");
}

TEST(Course, WhoIsPutBeyondTheEndHasNotPassedIt) {
  Room room(course_library(), settings_for("lane"));
  run_to(room, 3);
  ASSERT_FALSE(room.apply(Place{1, Vec2(15, 0), std::nullopt, 0}).error);
  for (int i = 0; i < 60; ++i) {
    for (const RoomEvent& event : room.tick()) EXPECT_NE(event.kind, RoomEvent::Kind::kNotice);
  }
}

TEST(Course, ASavedRoomGoesOnWithIt) {
  Room room(course_library(), settings_for("lane"));
  run_to(room, 9);
  Room other(course_library(), settings_for("lane"));
  ASSERT_FALSE(blocks_of(room).SerializeAsString() == blocks_of(other).SerializeAsString());
  const v1::Checkpoint saved = room.save();
  ASSERT_FALSE(other.restore(saved));
  EXPECT_TRUE(blocks_of(room).SerializeAsString() == blocks_of(other).SerializeAsString());
  for (int i = 0; i < 600; ++i) {
    room.tick();
    other.tick();
  }
  EXPECT_EQ(room.state_hash(), other.state_hash());
  v1::Checkpoint cut = saved;
  cut.mutable_course_state()->RemoveLast();
  const auto refused = other.restore(cut);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->field, "checkpoint.course_state");
}

TEST(Course, AResetPutsBackWhatWasThereFirst) {
  Room room(course_library(), settings_for("lane"));
  const std::string first = blocks_of(room).SerializeAsString();
  run_to(room, 9);
  ASSERT_FALSE(blocks_of(room).SerializeAsString() == first);
  room.apply(Reset{0});
  EXPECT_TRUE(blocks_of(room).SerializeAsString() == first);
}

}  // namespace
}  // namespace promenade::world
