#include <gtest/gtest.h>

#include <cmath>

#include "behaviour/flow/plan.h"
#include "math/rotation.h"

namespace promenade::behaviour::flow {
namespace {

const Spot kHead{Vec2(0, 0), 0};  // facing along x: the line goes back along -x

/// No two nearer than 0.95 of the spacing; each next to the last one and in its sight.
void expect_line(const route::RouteMap& map, const std::vector<Spot>& line, double spacing) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    EXPECT_TRUE(map.free(line[i].at));
    EXPECT_TRUE(map.sees(line[i - 1].at, line[i].at));
    EXPECT_NEAR((line[i].at - line[i - 1].at).norm(), spacing, 1e-9);
    const Vec2 to = line[i - 1].at - line[i].at;
    EXPECT_NEAR(wrap_angle(std::atan2(to.y(), to.x()) - line[i].facing), 0, 1e-9);
    for (std::size_t k = 0; k + 1 < i; ++k) {
      EXPECT_GE((line[i].at - line[k].at).norm(), 0.949 * spacing) << i << " " << k;
    }
  }
}

TEST(Line, IsStraightWhereThereIsRoom) {
  const route::RouteMap open({}, 0.3);
  const auto line = lay_out_line(open, kHead, 0.8, 20);
  ASSERT_EQ(line.size(), 20u);
  expect_line(open, line, 0.8);
  EXPECT_NEAR((line[19].at - Vec2(-19 * 0.8, 0)).norm(), 0, 1e-9);
}

TEST(Line, BendsRoundAPillarAndInAHall) {
  std::vector<Obstacle> obstacles = {{Vec2(-3, 0), Vec2(0.4, 0.4), 0}};
  for (const int side : {1, -1}) {
    obstacles.push_back({Vec2(0, 4. * side), Vec2(8, 0.1), 0});
    obstacles.push_back({Vec2(8. * side, 0), Vec2(0.1, 4), 0});
  }
  const route::RouteMap map(obstacles, 0.3);
  const auto line = lay_out_line(map, kHead, 0.8, 60);
  ASSERT_GT(line.size(), 30u);
  expect_line(map, line, 0.8);
  for (const Spot& spot : line) EXPECT_LT(std::abs(spot.at.x()), 8);
}

TEST(Line, EndsWhereThereIsNoRoomForMore) {
  const std::vector<Obstacle> box = {{Vec2(-2, 0), Vec2(0.1, 2), 0},
                                     {Vec2(2, 0), Vec2(0.1, 2), 0},
                                     {Vec2(0, 1), Vec2(2, 0.1), 0},
                                     {Vec2(0, -1), Vec2(2, 0.1), 0}};
  const route::RouteMap map(box, 0.3);
  const auto line = lay_out_line(map, kHead, 0.8, 60);
  EXPECT_GE(line.size(), 2u);
  EXPECT_LT(line.size(), 8u);
  EXPECT_TRUE(lay_out_line(map, {Vec2(2, 0), 0}, 0.8, 5).empty()) << "the counter is in a wall";
}

TEST(Line, FollowsAWayAndStopsAtAWall) {
  const route::RouteMap open({}, 0.3);
  const std::vector<Vec2> way = {Vec2(0, 0), Vec2(-4, 0), Vec2(-4, 6)};
  const auto line = lay_out_line(open, kHead, 0.8, 12, way);
  ASSERT_EQ(line.size(), 12u);
  EXPECT_NEAR((line[5].at - Vec2(-4, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((line[10].at - Vec2(-4, 4)).norm(), 0, 1e-9);
  EXPECT_NEAR(line[10].facing, -kPi / 2, 1e-9);
  const std::vector<Obstacle> wall = {{Vec2(-4, 3), Vec2(2, 0.1), 0}};
  EXPECT_EQ(lay_out_line(route::RouteMap(wall, 0.3), kHead, 0.8, 12, way).size(), 9u);
}

TEST(Spots, AsideOfALineAreInNobodysWay) {
  const route::RouteMap open({}, 0.3);
  const auto line = lay_out_line(open, kHead, 0.8, 20);
  const auto aside = spots_aside(open, line);
  ASSERT_EQ(aside.size(), kMostInParty - 1);
  for (const Spot& spot : aside) {
    for (const Spot& other : line) EXPECT_GE((spot.at - other.at).norm(), 1.0);
  }
}

TEST(Spots, OfABenchAndAboutAThing) {
  const std::vector<Obstacle> pillar = {{Vec2(0, 1), Vec2(0.3, 0.3), 0}};
  const route::RouteMap map(pillar, 0.3);
  EXPECT_EQ(spots_in_row(map, {Vec2(5, 0), kPi / 2}, 0.6, 4).size(), 4u);
  const auto row = spots_in_row(map, kHead, 0.6, 5);  // two would be in the pillar
  EXPECT_EQ(row.size(), 3u);
  const auto round = spots_around(map, Vec2(10, 0), 1.5, 8);
  ASSERT_EQ(round.size(), 8u);
  for (const Spot& spot : round) {
    const Vec2 seen = spot.at + 1.5 * Vec2(std::cos(spot.facing), std::sin(spot.facing));
    EXPECT_NEAR((seen - Vec2(10, 0)).norm(), 0, 1e-9);
  }
}

}  // namespace
}  // namespace promenade::behaviour::flow
