#include "behaviour/route/route_map.h"

#include <gtest/gtest.h>

#include "route_scenes.h"

namespace promenade::behaviour::route {
namespace {

using namespace testing;  // NOLINT: route::testing

TEST(RouteMap, CornersAreFreeAndJoinedWhereTheySeeEachOther) {
  const auto obstacles = random_obstacles(25, 8, 21);
  const RouteMap map(obstacles, 0.3);
  ASSERT_GT(map.corners().size(), 60u);
  for (std::size_t i = 0; i < map.corners().size(); ++i) {
    EXPECT_TRUE(map.free(map.corners()[i].at));
    for (const RouteMap::Edge& edge : map.edges_of(i)) {
      const Vec2 &a = map.corners()[i].at, &b = map.corners()[edge.to].at;
      EXPECT_DOUBLE_EQ(edge.length, (a - b).norm());
      EXPECT_GT(room_along(obstacles, a, b), 0.3 - 1e-9);
    }
  }
}

TEST(RouteMap, AGapIsPassedIfItIsWiderThanTheWalker) {
  for (const double excess : {-0.002, 0.004}) {
    const double gap = 2 * 0.3 + excess;
    const std::vector<Obstacle> walls = {{Vec2(0, 5 + gap / 2), Vec2(0.1, 5), 0},
                                         {Vec2(0, -5 - gap / 2), Vec2(0.1, 5), 0}};
    const RouteMap map(walls, 0.3);
    EXPECT_EQ(map.sees(Vec2(-2, 0), Vec2(2, 0)), excess > 0);
  }
}

TEST(RouteMap, TheNearestFreePointIsThatOfAFineSearch) {
  const auto obstacles = random_obstacles(40, 6, 4);  // dense: many overlap
  const RouteMap map(obstacles, 0.3);
  Random random(17);
  int inside = 0;
  for (int i = 0; i < 60; ++i) {
    const Vec2 p(random.uniform(-6, 6), random.uniform(-6, 6));
    const auto found = map.nearest_free(p);
    ASSERT_TRUE(found);
    EXPECT_TRUE(map.free(*found));
    if (map.free(p)) {
      EXPECT_EQ(*found, p);
      continue;
    }
    ++inside;
    bool in_bare = false;
    for (const Obstacle& o : obstacles) in_bare |= o.nearest(p) == p;
    const double distance = (*found - p).norm();
    for (double r = 0.01; r < distance - 0.02; r += 0.01) {
      for (double angle = 0; angle < kTwoPi; angle += 0.02) {
        const Vec2 q = p + r * Vec2(std::cos(angle), std::sin(angle));
        if (map.free(q) && (in_bare || map.no_wall_between(p, q))) {
          ADD_FAILURE() << "nearer: " << r << " instead of " << distance;
          r = angle = 1e9;
        }
      }
    }
  }
  EXPECT_GT(inside, 20);
}

TEST(RouteMap, AWayOutStaysOnThisSideOfAWall) {
  // Between a wall and a row of crates that leave no room; the free side behind the wall is nearer.
  std::vector<Obstacle> obstacles = {{Vec2(0, 0), Vec2(4, 0.05), 0}};
  obstacles.push_back({Vec2(0, 1), Vec2(4, 0.7), 0});
  const RouteMap map(obstacles, 0.3);
  const Vec2 p(3, 0.15);
  const auto exit = map.nearest_free(p);
  ASSERT_TRUE(exit);
  EXPECT_GT(exit->y(), 0.05);
  EXPECT_GT(exit->x(), 4);
}

TEST(RouteMap, ObstaclesInOnePlaceAndWithoutSizeAreNoTrap) {
  std::vector<Obstacle> same(30, {Vec2(0, 0), Vec2(1, 1), 0.1});
  same.push_back({Vec2(3, 0), Vec2(0, 0), 0});
  const RouteMap map(same, 0.3);
  EXPECT_FALSE(map.sees(Vec2(-3, 0), Vec2(2, 0)));
  EXPECT_FALSE(map.sees(Vec2(3, -1), Vec2(3, 1)));
  EXPECT_TRUE(map.nearest_free(Vec2(0, 0)).has_value());
  EXPECT_EQ(RouteMap({}, 0.3).corners().size(), 0u);
}

TEST(RouteMap, WallsAreTheirPieces) {
  std::vector<Obstacle> pieces;
  append_pieces({{Vec2(0, 0), Vec2(4, 0), Vec2(4, 3)}, 0.2}, pieces);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_NEAR(room_about(pieces, Vec2(2, 1)), 0.9, 1e-12);
  EXPECT_NEAR(room_about(pieces, Vec2(5, 2)), 0.9, 1e-12);
  const RouteMap map(pieces, 0.3);
  EXPECT_FALSE(map.sees(Vec2(3.6, -1), Vec2(3.6, 1)));
}

}  // namespace
}  // namespace promenade::behaviour::route
