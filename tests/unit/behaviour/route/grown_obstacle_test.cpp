#include "behaviour/route/grown_obstacle.h"

#include <gtest/gtest.h>

#include "behaviour/route/obstacle_tree.h"
#include "route_scenes.h"

namespace promenade::behaviour::route {
namespace {

using namespace testing;  // NOLINT: route::testing

TEST(GrownObstacle, HoldsTheRoundedRectangleAndLittleMore) {
  const Obstacle o{Vec2(1, -2), Vec2(1.5, 0.4), 0.7};
  const double radius = 0.3;
  const GrownObstacle grown(o, radius);
  Random random(3);
  int inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec2 p = o.center + Vec2(random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5));
    const double distance = (o.nearest(p) - p).norm();
    EXPECT_TRUE(grown.contains(p) || distance > radius - 1e-9) << distance;
    EXPECT_FALSE(grown.contains(p) && distance > 1.083 * radius) << distance;
    inside += grown.contains(p);
  }
  EXPECT_GT(inside, 2000);
}

TEST(GrownObstacle, IsCrossedByWaysOfWhichAPointIsInside) {
  Random random(5);
  int crossed = 0;
  for (int i = 0; i < 3000; ++i) {
    const Obstacle o{Vec2(random.uniform(-1, 1), random.uniform(-1, 1)),
                     Vec2(random.uniform(0.05, 2), random.uniform(0.05, 1)),
                     random.uniform(-kPi, kPi)};
    const GrownObstacle grown(o, random.uniform(0, 0.5));
    const Vec2 a(random.uniform(-4, 4), random.uniform(-4, 4));
    const Vec2 b(random.uniform(-4, 4), random.uniform(-4, 4));
    bool sampled = false;
    constexpr int kSamples = 4000;
    for (int k = 0; k <= kSamples; ++k) sampled |= grown.contains(a + (b - a) * k / kSamples);
    EXPECT_TRUE(!sampled || grown.crossed_by(a, b));
    // A way that cuts off less than a sample's length may be crossed without a sample inside.
    EXPECT_FALSE(!sampled && grown.shrunk(0.98).crossed_by(a, b) && grown.crossed_by(a, b));
    crossed += sampled;
  }
  EXPECT_GT(crossed, 500);
  EXPECT_LT(crossed, 2500);
}

TEST(GrownObstacle, IsNotCrossedAlongItsSides) {
  for (const double yaw : {0.0, 0.3, -2.0}) {
    const GrownObstacle grown({Vec2(3, 4), Vec2(2, 0.5), yaw}, 0.3);
    const auto corners = grown.corners(0.001);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_FALSE(grown.contains(corners[i]));
      EXPECT_FALSE(grown.crossed_by(corners[i], corners[(i + 1) % 8]));
      EXPECT_TRUE(grown.crossed_by(corners[i], corners[(i + 3) % 8]));
    }
  }
}

TEST(ObstacleTree, AnswersAsAllObstaclesOneByOneDo) {
  const auto obstacles = random_obstacles(200, 20, 7);
  std::vector<GrownObstacle> grown;
  for (const Obstacle& o : obstacles) grown.emplace_back(o, 0.3);
  const ObstacleTree tree(grown);
  Random random(8);
  int inside = 0, crossed = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec2 a(random.uniform(-22, 22), random.uniform(-22, 22));
    const Vec2 b = a + Vec2(random.uniform(-5, 5), random.uniform(-5, 5));
    bool in = false, across = false;
    for (const GrownObstacle& o : grown) {
      in |= o.contains(a);
      across |= o.crossed_by(a, b);
    }
    EXPECT_EQ(tree.contains(a), in);
    EXPECT_EQ(tree.crossed_by(a, b, 1), across);
    inside += in;
    crossed += across;
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(crossed, inside);
  std::vector<std::size_t> near;
  tree.near(Vec2::Zero(), 3, near);
  for (std::size_t i = 0; i < grown.size(); ++i) {
    const Vec2 gap = grown[i].center().cwiseAbs() - grown[i].box_half();
    EXPECT_EQ(std::count(near.begin(), near.end(), i), gap.maxCoeff() <= 3 ? 1 : 0) << i;
  }
}

}  // namespace
}  // namespace promenade::behaviour::route
