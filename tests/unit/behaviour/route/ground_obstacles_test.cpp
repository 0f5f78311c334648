#include "behaviour/route/ground_obstacles.h"

#include <gtest/gtest.h>

namespace promenade::behaviour::route {
namespace {

TEST(GroundObstacles, CoverWhatIsNotToBeWalkedOnAndNothingElse) {
  const GroundArea area{Vec2(-5, -3), Vec2(5, 4), 0.5};
  const auto walkable = [](const Vec2& p) { return (p - Vec2(1, 0.5)).norm() > 2; };  // a pond
  const auto obstacles = ground_obstacles(area, walkable);
  for (double x = -4.75; x < 5; x += 0.5) {
    for (double y = -2.75; y < 4; y += 0.5) {
      int covered = 0;
      for (const Obstacle& o : obstacles) covered += o.nearest(Vec2(x, y)) == Vec2(x, y);
      EXPECT_EQ(covered, walkable(Vec2(x, y)) ? 0 : 1) << x << " " << y;
    }
  }
  EXPECT_LT(obstacles.size(), 9u) << "equal rows are joined";
}

TEST(GroundObstacles, AreOneRectangleWhereThereIsNoGroundAtAll) {
  const auto all = ground_obstacles({Vec2(0, 0), Vec2(100, 50), 0.5}, [](auto&) { return false; });
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].center, Vec2(50, 25));
  EXPECT_EQ(all[0].half, Vec2(50, 25));
  EXPECT_TRUE(ground_obstacles({Vec2(0, 0), Vec2(9, 9), 0.5}, [](auto&) { return true; }).empty());
}

}  // namespace
}  // namespace promenade::behaviour::route
