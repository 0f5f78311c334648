#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "world/scene/ground.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

TEST(HeightImage, ReadsTextAndBytesAlike) {
  const HeightImage text = read_pgm("P2\n# a comment\n3 2\n255\n0 51 102\n153 204 255\n");
  const HeightImage bytes = read_pgm(std::string("P5 3 2 255\n\x00\x33\x66\x99\xcc\xff", 17));
  ASSERT_EQ(text.columns, 3);
  ASSERT_EQ(text.rows, 2);
  EXPECT_EQ(text.grey, bytes.grey);
  EXPECT_FLOAT_EQ(text.grey[2], 0.4f);
}

TEST(HeightImage, RefusesWhatIsCutShortOrNoImage) {
  EXPECT_THROW(read_pgm("P6 2 2 255 "), std::runtime_error);
  EXPECT_THROW(read_pgm("P5 2 2 255 abc"), std::runtime_error);
  EXPECT_THROW(read_pgm("P2 2 2 255 1 2 3"), std::runtime_error);
  EXPECT_THROW(read_pgm("P2 2 2 255 1 2 3 256"), std::runtime_error);
  EXPECT_THROW(read_pgm("P2 1 2 255 1 2"), std::runtime_error);
  EXPECT_THROW(read_pgm("P2 99999999999999999999 2 255 1 2"), std::runtime_error);
  EXPECT_THROW(read_pgm(""), std::runtime_error);
}

TEST(SceneGround, WhoFallsIntoAPitWithoutAFloorComesBackBesideIt) {
  const auto library =
      testing::library_with({{"hole", R"("pits": [{"center_m": [3, 0], "size_m": [2, 6]}],
                   "characters": [{"body": "human", "position_m": [0, 0], "speed_mps": 0.8}])"}});
  ASSERT_TRUE(library.ok()) << library.error().text();
  Room room(*library, testing::settings_for("hole"));
  int fell = 0, left = 0, back = 0, quarantined = 0;
  for (int i = 0; i < 60 * 14 && back == 0; ++i) {
    for (const RoomEvent& event : room.tick()) {
      fell += event.kind == RoomEvent::Kind::kFell;
      left += event.kind == RoomEvent::Kind::kLeft;
      back += event.kind == RoomEvent::Kind::kGotUp;
      quarantined += event.kind == RoomEvent::Kind::kQuarantined;
    }
  }
  EXPECT_EQ(fell, 1);
  EXPECT_EQ(left, 1);
  EXPECT_EQ(back, 1);
  EXPECT_EQ(quarantined, 0);
  const Vec3 at = room.body_for_test(1)->state().root.position;
  EXPECT_GT(at.z(), 0.5);
  EXPECT_GT(std::max(std::abs(at.x() - 3) - 1, std::abs(at.y()) - 3), 0.3);
}

TEST(SceneGround, AStandingPersonRidesALiftAndATurntable) {
  const auto library = testing::library_with({{"rides", R"("blocks": [
          {"center_m": [0, 0, 0.05], "size_m": [2, 2, 0.1],
           "motion": {"path_m": [0, 0, 1.05], "speed_mps": 0.25, "pause_s": 1}},
          {"center_m": [6, 0, 0.05], "size_m": [3, 3, 0.1], "motion": {"spin_dps": 10}}],
        "characters": [{"body": "human", "position_m": [0, 0]},
                       {"body": "human", "position_m": [6, 0]}])"}});
  ASSERT_TRUE(library.ok()) << library.error().text();
  Room room(*library, testing::settings_for("rides"));
  const double before = room.body_for_test(1)->state().root.position.z();
  for (int i = 0; i < 60 * 5.5; ++i) {
    for (const RoomEvent& event : room.tick()) EXPECT_NE(event.kind, RoomEvent::Kind::kFell);
  }
  EXPECT_NEAR(room.body_for_test(1)->state().root.position.z() - before, 1, 0.03);
}

// A controller that balanced against the world's frame instead of the ground's would fall here.
TEST(SceneGround, PeopleKeepTheirFeetOnAConveyorATurntableAndAFerry) {
  const auto library = testing::library_with({{"carried", R"("blocks": [
          {"center_m": [15, 0, 0.05], "size_m": [40, 3, 0.1], "motion": {"surface_mps": [0.8, 0]}},
          {"center_m": [15, 6, 0.05], "size_m": [40, 3, 0.1], "motion": {"surface_mps": [-0.7, 0]}},
          {"center_m": [0, 20, 0.05], "size_m": [6, 6, 0.1], "motion": {"spin_dps": 12}},
          {"center_m": [0, 40, 0.05], "size_m": [3, 3, 0.1],
           "motion": {"path_m": [7, 40, 0.05], "speed_mps": 0.7, "pause_s": 1}}],
        "characters": [{"body": "human", "position_m": [0, 0]},
                       {"body": "human", "position_m": [15, 6], "speed_mps": 0.7},
                       {"body": "human", "position_m": [2, 20]},
                       {"body": "human", "position_m": [0, 40]}])"}});
  ASSERT_TRUE(library.ok()) << library.error().text();
  Room room(*library, testing::settings_for("carried"));
  const auto at = [&](CharacterId id) {
    return Vec3(room.body_for_test(id)->state().root.position);
  };
  constexpr double kSeconds = 22.5;
  for (int i = 0; i < 60 * kSeconds; ++i) {
    for (const RoomEvent& event : room.tick()) {
      EXPECT_NE(event.kind, RoomEvent::Kind::kFell) << event.text << " after " << i / 60.0 << " s";
    }
  }
  EXPECT_NEAR(at(1).x(), 0.8 * kSeconds, 1) << "stands on the conveyor";
  EXPECT_NEAR(at(2).x(), 15, 2) << "walks against the conveyor";
  EXPECT_NEAR((at(3).head<2>() - Vec2(0, 20)).norm(), 2, 0.6) << "stands on the turntable";
  EXPECT_NEAR(at(4).x(), 0, 1.4) << "has gone over and back, and is still on the ferry";
}

}  // namespace
}  // namespace promenade::world
