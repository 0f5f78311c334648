#include "stream/details.h"

#include <gtest/gtest.h>

#include <array>

#include "stream/support_polygon.h"
#include "support/sample_snapshot.h"

namespace promenade::stream {
namespace {

TEST(Details, TellOfTheWatchedOnesOnly) {
  const world::Snapshot snapshot = testing::sample_snapshot();
  v1::ServerMessage message;
  ASSERT_TRUE(
      message.ParseFromString(encode_details(snapshot, std::array<world::CharacterId, 2>{12, 2})));
  ASSERT_EQ(message.details().characters_size(), 2);
  EXPECT_EQ(message.details().tick(), snapshot.tick);
  const v1::CharacterDetails& pushed = message.details().characters(0);
  EXPECT_EQ(pushed.id(), 12u);
  EXPECT_EQ(pushed.state(), "fallen");
  ASSERT_EQ(pushed.push_n_size(), 6);
  EXPECT_FLOAT_EQ(pushed.push_n(1), 2);
  EXPECT_FLOAT_EQ(pushed.push_n(3), 300);
  EXPECT_EQ(pushed.contacts_m_n_size(), 6);
  EXPECT_EQ(pushed.support_polygon_m_size(), 0) << "its only contact bears no weight";
  const v1::CharacterDetails& walking = message.details().characters(1);
  EXPECT_EQ(walking.state(), "walking");
  EXPECT_EQ(walking.push_n_size(), 0);
  EXPECT_EQ(walking.contacts_m_n_size(), 24);
  EXPECT_EQ(walking.support_polygon_m_size(), 6) << "three corners, the fourth point is inside";
  EXPECT_EQ(walking.path_size(), 2);
  EXPECT_EQ(walking.path(1).x_m(), -3);
  EXPECT_FLOAT_EQ(walking.desired_velocity_mps(1), -0.25f);
}

TEST(Details, TellOfOneThatLiesLimp) {
  world::Snapshot snapshot = testing::sample_snapshot();
  snapshot.characters[0].flags = world::kFlagLimp | world::kFlagStanding;
  EXPECT_EQ(character_details(snapshot, 0).state(), "limp");
  snapshot.characters[0].flags |= world::kFlagQuarantined;
  EXPECT_EQ(character_details(snapshot, 0).state(), "quarantined");
}

TEST(Details, OfNobodyWhoIsThereAreNone) {
  EXPECT_TRUE(
      encode_details(testing::sample_snapshot(), std::array<world::CharacterId, 1>{99}).empty());
}

TEST(Details, NameTheState) {
  world::CharacterSnapshot character;
  EXPECT_STREQ(state_name(character), "stopping");
  character.desired_velocity.x() = 0.5;
  EXPECT_STREQ(state_name(character), "walking");
  character.flags = world::kFlagStanding;
  EXPECT_STREQ(state_name(character), "standing");
  character.flags |= world::kFlagFallen;
  EXPECT_STREQ(state_name(character), "fallen");
  character.flags |= world::kFlagQuarantined;
  EXPECT_STREQ(state_name(character), "quarantined");
}

TEST(ConvexHull, GoesRoundCounterClockwise) {
  const auto hull = convex_hull({{0, 0}, {1, 1}, {1, 0}, {0.5, 0.5}, {0, 1}, {0.5, 0}});
  ASSERT_EQ(hull.size(), 4u);
  double area = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec2 &a = hull[i], &b = hull[(i + 1) % 4];
    area += (a.x() * b.y() - a.y() * b.x()) / 2;
  }
  EXPECT_DOUBLE_EQ(area, 1);
}

TEST(ConvexHull, OfFewPointsIsThePoints) {
  EXPECT_TRUE(convex_hull({}).empty());
  EXPECT_EQ(convex_hull({{1, 2}, {1, 2}}).size(), 1u);
  EXPECT_EQ(convex_hull({{0, 0}, {1, 1}, {2, 2}}).size(), 2u) << "on a line: its ends";
}

}  // namespace
}  // namespace promenade::stream
