#include "behaviour/flow/formation.h"

#include <gtest/gtest.h>

namespace promenade::behaviour::flow {
namespace {

TEST(Formation, IsAboutItsMiddleAndLeavesRoomForEverybody) {
  for (std::size_t n = 1; n <= kMostInParty; ++n) {
    Vec2 sum = Vec2::Zero();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 at = formation_offset(n, i);
      sum += at;
      EXPECT_LT(at.norm(), 1.5);
      EXPECT_LT((at - Vec2(at.x(), -at.y())).norm(), 3.0);
      for (std::size_t k = 0; k < i; ++k) EXPECT_GE((at - formation_offset(n, k)).norm(), 0.79);
    }
    EXPECT_NEAR(sum.norm(), 0, 1e-12) << n;
  }
}

TEST(Formation, OfThreeIsAVThatOpensForward) {
  const Vec2 left = formation_offset(3, 0), middle = formation_offset(3, 1);
  const Vec2 right = formation_offset(3, 2);
  EXPECT_GT(left.x(), middle.x());
  EXPECT_DOUBLE_EQ(left.x(), right.x());
  EXPECT_GT(left.y(), middle.y());
  EXPECT_GT(middle.y(), right.y());
}

TEST(Formation, GroupsWalkAsMuchSlowerAsObserved) {
  EXPECT_DOUBLE_EQ(group_pace(1), 1);
  EXPECT_NEAR(1.22 * group_pace(2), 1.18, 1e-12);
  EXPECT_NEAR(1.22 * group_pace(5), 1.06, 1e-12);
}

}  // namespace
}  // namespace promenade::behaviour::flow
