#include "behaviour/route/route_tree.h"

#include <gtest/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include "behaviour/route/route_search.h"
#include "behaviour/route/routes.h"
#include "route_scenes.h"

namespace promenade::behaviour::route {
namespace {

using namespace testing;  // NOLINT: route::testing

std::shared_ptr<const RouteMap> map_of(std::span<const Obstacle> obstacles, double radius = 0.3) {
  return std::make_shared<const RouteMap>(obstacles, radius);
}

/// Lengths of the shortest routes between all of the points, by Boost.Graph over every pair of
/// points and corners that see each other, tangent or not.
std::vector<double> lengths_by_boost(const RouteMap& map, std::vector<Vec2> points) {
  using Graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                            boost::property<boost::edge_weight_t, double>>;
  const std::size_t wanted = points.size();
  for (const auto& corner : map.corners()) points.push_back(corner.at);
  Graph graph(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      if (map.sees(points[i], points[j])) {
        boost::add_edge(i, j, (points[i] - points[j]).norm(), graph);
      }
    }
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < wanted; ++i) {
    std::vector<double> length(points.size());
    boost::dijkstra_shortest_paths(graph, i, boost::distance_map(length.data()));
    out.insert(out.end(), length.begin(), length.begin() + std::ptrdiff_t(wanted));
  }
  return out;
}

TEST(RouteTree, GoesRoundASquareTheShortestWay) {
  const std::vector<Obstacle> square = {{Vec2(0, 0), Vec2(1, 1), 0}};
  const double r = 0.3;
  const RouteTree tree(map_of(square, r), Vec2(4, 0));
  // Two tangents to the circles about two corners, two arcs, one side.
  const double dx = 3, dy = 1, d = std::hypot(dx, dy);
  const double tangent = std::sqrt(d * d - r * r);
  const double arc = r * (std::atan2(dy, dx) + std::asin(r / d));
  const double exact = 2 * tangent + 2 * arc + 2;
  const Leg leg = tree.leg_from(Vec2(-4, 0));
  EXPECT_EQ(leg.reach, Reach::kReached);
  EXPECT_GT(leg.left, exact);
  EXPECT_LT(leg.left, exact + 2 * 0.09 * r);
  EXPECT_FALSE(leg.to_goal);
  EXPECT_LT(room_about(square, leg.aim), 1.09 * r);
  EXPECT_NEAR(leg.left, length_of(Vec2(-4, 0), tree.route_from(Vec2(-4, 0))), 1e-12);
  EXPECT_TRUE(tree.leg_from(Vec2(2, 0)).to_goal);
  EXPECT_DOUBLE_EQ(tree.leg_from(Vec2(2, 0)).left, 2);
}

TEST(RouteTree, RoutesAreAsShortAsThoseOfTheWholeVisibilityGraph) {
  int bent = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto obstacles = random_obstacles(10 + 4 * seed, 10, seed);
    const auto map = map_of(obstacles);
    Random random(seed + 100);
    std::vector<Vec2> points;
    while (points.size() < 8) {
      const Vec2 p(random.uniform(-11, 11), random.uniform(-11, 11));
      if (map->free(p)) points.push_back(p);
    }
    const auto length = lengths_by_boost(*map, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const RouteTree tree(map, points[i]);
      for (std::size_t j = 0; j < points.size(); ++j) {
        const double expected = length[points.size() * i + j];
        const Leg leg = tree.leg_from(points[j]);
        const Route route = find_route(*map, points[j], points[i]);
        if (expected > 1e9) {
          ++none;
          EXPECT_EQ(leg.reach, Reach::kWalledOff);
          EXPECT_EQ(route.reach, Reach::kWalledOff);
          EXPECT_TRUE(route.points.empty());
          continue;
        }
        // A way through the millimetre between a corner and its obstacle is shorter by less than
        // this.
        EXPECT_NEAR(leg.left, expected, 1e-5) << "seed " << seed;
        EXPECT_NEAR(route.length, leg.left, 1e-9) << "seed " << seed;
        Vec2 last = points[j];
        for (const Vec2& p : route.points) {
          EXPECT_GT(room_along(obstacles, last, p), 0.3 - 1e-9);
          last = p;
        }
        EXPECT_EQ(last, points[i]);
        bent += route.points.size() > 2;
      }
    }
  }
  EXPECT_GT(bent, 200);
  EXPECT_LT(none, 300);
}

TEST(RouteTree, SaysThatAGoalIsWalledOff) {
  const auto room = closed_room(Vec2(5, 0), 2);
  const auto map = map_of(room);
  const RouteTree inside(map, Vec2(5, 0));
  const Leg leg = inside.leg_from(Vec2(0, 0));
  EXPECT_EQ(leg.reach, Reach::kWalledOff);
  EXPECT_EQ(leg.left, kNoRoute);
  EXPECT_EQ(leg.aim, Vec2(0, 0)) << "whoever follows it stays";
  EXPECT_TRUE(inside.route_from(Vec2(0, 0)).empty());
  EXPECT_EQ(inside.leg_from(Vec2(6, 1)).reach, Reach::kReached);
  EXPECT_EQ(RouteTree(map, Vec2(0, 0)).leg_from(Vec2(5, 1)).reach, Reach::kWalledOff);
  EXPECT_NE(explain(Reach::kWalledOff).find("walled off"), std::string_view::npos);
}

TEST(RouteTree, MovesAGoalInAnObstacleToTheNearestFreePointAndSaysSo) {
  const std::vector<Obstacle> one = {{Vec2(0, 0), Vec2(2, 1), 0}};
  const RouteTree tree(map_of(one), Vec2(0.2, 0.8));
  EXPECT_TRUE(tree.goal_moved());
  EXPECT_NEAR((tree.goal() - Vec2(0.2, 1.301)).norm(), 0, 1e-9);
  const Route route = find_route(tree.map(), Vec2(0, -0.5), Vec2(0.2, 0.8));
  EXPECT_TRUE(route.start_moved);
  EXPECT_TRUE(route.goal_moved);
  EXPECT_EQ(route.reach, Reach::kReached);
  const Leg leg = tree.leg_from(Vec2(0, -0.9));
  EXPECT_TRUE(leg.moved);
  EXPECT_NEAR((leg.aim - Vec2(0, -1.301)).norm(), 0, 1e-9) << "out of it first";
}

TEST(RouteTree, HasNoGoalWhereNoPointIsFree) {
  const std::vector<Obstacle> all = {{Vec2(0, 0), Vec2(500, 500), 0}};
  const RouteTree tree(map_of(all), Vec2(0, 0));
  EXPECT_FALSE(tree.has_goal());
  EXPECT_EQ(tree.leg_from(Vec2(1, 1)).reach, Reach::kNoFreeGoal);
  EXPECT_EQ(find_route(tree.map(), Vec2(600, 0), Vec2(0, 0)).reach, Reach::kNoFreeGoal);
  EXPECT_EQ(RouteTree(map_of(all), Vec2(600, 0)).leg_from(Vec2(1, 1)).reach, Reach::kNoFreeStart);
}

TEST(RouteTree, IsTheSameEachTime) {
  const auto obstacles = random_obstacles(80, 15, 3);
  const auto once = [&] {
    const RouteTree tree(map_of(obstacles), Vec2(14, 14));
    Hash hash;
    Random random(9);
    for (int i = 0; i < 200; ++i) {
      const Leg leg = tree.leg_from(Vec2(random.uniform(-15, 15), random.uniform(-15, 15)));
      hash.add(leg.aim.x());
      hash.add(leg.aim.y());
      hash.add(leg.left);
    }
    return hash.value();
  };
  EXPECT_EQ(once(), once());
}

TEST(Routes, KeepATreeForEachGoalAndClassOfRadii) {
  const auto obstacles = random_obstacles(20, 10, 5);
  const Wall wall{{Vec2(-20, 12), Vec2(20, 12)}, 0.2};
  Routes routes(obstacles, {&wall, 1});
  EXPECT_EQ(routes.map(0.26), routes.map(0.3));
  EXPECT_NE(routes.map(0.3), routes.map(0.31));
  EXPECT_DOUBLE_EQ(routes.map(0.26)->radius(), 0.3);
  EXPECT_FALSE(routes.map(0.3)->sees(Vec2(0, 11), Vec2(0, 13)));
  const auto first = routes.to(Vec2(12, 0), 0.3);
  for (int walker = 0; walker < 5000; ++walker) {
    const double angle = (walker % 20) * kTwoPi / 20;
    EXPECT_TRUE(routes.to(Vec2(12 * std::cos(angle), 12 * std::sin(angle)), 0.3)->has_goal());
  }
  EXPECT_EQ(routes.tree_count(), 20u);
  EXPECT_EQ(routes.to(Vec2(12, 0), 0.3), first);
  for (std::size_t i = 0; i < Routes::kMostTrees; ++i) {
    (void)routes.to(Vec2(0.01 * double(i), 20), 0.3);
    (void)routes.to(Vec2(12, 0), 0.3);
  }
  EXPECT_EQ(routes.tree_count(), Routes::kMostTrees);
  EXPECT_EQ(routes.to(Vec2(12, 0), 0.3), first) << "what is asked for stays";
}

}  // namespace
}  // namespace promenade::behaviour::route
