#include <gtest/gtest.h>

#include "behaviour/route/route_tree.h"
#include "route_scenes.h"
#include "study/bench/allocation_counter.h"

namespace promenade::behaviour::route {
namespace {

using namespace testing;  // NOLINT: route::testing

constexpr double kTick = 0.05;   // s
constexpr double kSpeed = 1.3;   // m/s
constexpr double kRadius = 0.3;  // m

struct Walk {
  double length = 0;
  double least_room = 1e9;  // m to the nearest obstacle
  int bends = 0;
  bool arrived = false;
};

Walk walk(const RouteTree& tree, std::span<const Obstacle> obstacles, Vec2 p) {
  Walk out;
  Progress progress;
  Vec2 aim = p;
  for (int tick = 0; tick < 4000 && !out.arrived; ++tick) {
    const Leg leg = tree.advance(p, progress);
    if (leg.reach != Reach::kReached) break;
    out.bends += (leg.aim - aim).norm() > 1e-9;
    aim = leg.aim;
    const Vec2 way = leg.aim - p;
    const double step = std::min(kSpeed * kTick, way.norm());
    if (step > 0) p += way * (step / way.norm());
    out.length += step;
    out.least_room = std::min(out.least_room, room_about(obstacles, p));
    out.arrived = (p - tree.goal()).norm() < 0.05;
  }
  return out;
}

TEST(WalkingARoute, IsAsShortAsTheRouteAndTouchesNothing) {
  int walked = 0, bends = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto obstacles = random_obstacles(60, 14, 40 + seed);
    const auto map = std::make_shared<const RouteMap>(obstacles, kRadius);
    const RouteTree tree(map, Vec2(15, 15));
    Random random(seed);
    for (int i = 0; i < 20; ++i) {
      const Vec2 start(random.uniform(-14, 14), random.uniform(-14, 14));
      const Leg leg = tree.leg_from(start);
      if (!map->free(start) || leg.reach != Reach::kReached) continue;
      const Walk done = walk(tree, obstacles, start);
      EXPECT_TRUE(done.arrived) << "seed " << seed << ", from " << start.transpose();
      EXPECT_LT(done.length, 1.01 * leg.left + 0.1);
      EXPECT_GT(done.least_room, RouteMap::kCore * kRadius);
      ++walked;
      bends += done.bends;
    }
  }
  EXPECT_GT(walked, 80);
  EXPECT_GT(bends, 3 * walked);
}

TEST(WalkingARoute, GoesOnAfterAPushIntoAnObstaclesGrowthOrElsewhere) {
  const std::vector<Obstacle> wall = {{Vec2(0, 0), Vec2(0.1, 5), 0}};
  const auto map = std::make_shared<const RouteMap>(wall, kRadius);
  const RouteTree tree(map, Vec2(5, 0));
  Progress progress;
  (void)tree.advance(Vec2(-2, 0), progress);
  const Leg in_growth = tree.advance(Vec2(-0.3, -1), progress);  // 0.2 m before the wall
  EXPECT_FALSE(in_growth.moved);
  EXPECT_LT(in_growth.aim.y(), -5) << "now the lower end is nearer";
  const Leg at_wall = tree.advance(Vec2(-0.15, 1), progress);
  EXPECT_TRUE(at_wall.moved);
  EXPECT_LT(at_wall.aim.x(), -0.4) << "away from the wall first, on this side";
  const Leg behind = tree.advance(Vec2(1, 1), progress);
  EXPECT_TRUE(behind.to_goal);
}

TEST(WalkingARoute, AllocatesNothingAndContinuesFromASavedState) {
  const auto obstacles = random_obstacles(60, 14, 2);
  const auto map = std::make_shared<const RouteMap>(obstacles, kRadius);
  const RouteTree tree(map, Vec2(15, 15));
  Progress progress;
  (void)tree.advance(Vec2(-15, -15), progress);
  StateVisitor::Buffer saved;
  write_state(progress, saved);
  Progress restored;
  StateVisitor reader = StateVisitor::reader(saved);
  restored.visit(reader);
  EXPECT_TRUE(reader.error().empty());
  const AllocationCounter allocations;
  Vec2 p(-15, -15);
  for (int tick = 0; tick < 900; ++tick) {
    const Leg leg = tree.advance(p, progress), same = tree.advance(p, restored);
    EXPECT_EQ(leg.aim, same.aim);
    const Vec2 way = leg.aim - p;
    if (way.norm() > 0.065) p += 0.065 * way.normalized();
  }
  EXPECT_EQ(allocations.count(), 0u);
  EXPECT_LT((p - tree.goal()).norm(), 0.1);
}

}  // namespace
}  // namespace promenade::behaviour::route
