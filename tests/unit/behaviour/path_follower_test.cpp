#include "behaviour/path_follower.h"

#include <gtest/gtest.h>

#include "point_walker.h"

namespace promenade::behaviour {
namespace {

using testing::kTick;
using testing::PointWalker;

struct Walk {
  double seconds = 0;
  double length = 0;
  double turned = 0;            // rad, sum of all turning
  std::vector<double> nearest;  // m, to each way-point
};

// Walks until arrival or `limit` seconds.
Walk walk(PathFollower& follower, PointWalker& walker, const std::vector<Vec2>& points,
          double limit) {
  Walk out;
  out.nearest.assign(points.size(), 1e9);
  while (out.seconds < limit && !follower.take_arrived()) {
    const double before = walker.heading;
    walker.step(follower.update(walker.self(), {}, kTick), kTick);
    out.seconds += kTick;
    out.length += walker.velocity.norm() * kTick;
    out.turned += std::abs(wrap_angle(walker.heading - before));
    for (std::size_t i = 0; i < points.size(); ++i) {
      out.nearest[i] = std::min(out.nearest[i], (points[i] - walker.position).norm());
    }
  }
  return out;
}

TEST(PathFollower, ArrivesAndStands) {
  const std::vector<Vec2> points = {Vec2(3, 0), Vec2(3, 3), Vec2(-2, 3)};
  PathFollower follower({points, false, 0.8});
  PointWalker walker;
  const Walk done = walk(follower, walker, points, 60);
  EXPECT_TRUE(follower.arrived());
  EXPECT_LT(done.seconds, 30);
  EXPECT_LT(done.length, 13);
  for (const double nearest : done.nearest) EXPECT_LT(nearest, 0.6);
  for (int tick = 0; tick < 180; ++tick)
    walker.step(follower.update(walker.self(), {}, kTick), kTick);
  EXPECT_LT((walker.position - points.back()).norm(), 0.35);
  EXPECT_LT(walker.velocity.norm(), 0.02);
  EXPECT_TRUE(follower.update(walker.self(), {}, kTick).stand);
  EXPECT_FALSE(follower.take_arrived()) << "arrival is told once";
}

TEST(PathFollower, NeverCirclesAroundAWayPoint) {
  // Way-points beside and behind a fast walker, and close together.
  const std::vector<Vec2> points = {Vec2(0, 0.5), Vec2(0.2, 0.5), Vec2(-1, -0.4), Vec2(-0.9, 0.3)};
  for (const double speed : {0.5, 1.2, 2.0}) {
    PathFollower follower({points, false, speed});
    PointWalker walker;
    walker.velocity = Vec2(speed, 0);
    const Walk done = walk(follower, walker, points, 60);
    EXPECT_TRUE(follower.arrived()) << speed;
    EXPECT_LT(done.turned, 3 * kTwoPi) << speed;
    EXPECT_LT((walker.position - points.back()).norm(), 0.6) << speed;
  }
}

TEST(PathFollower, AClosedPathGoesRound) {
  const std::vector<Vec2> points = {Vec2(2, 0), Vec2(2, 2), Vec2(0, 2), Vec2(0, 0)};
  PathFollower follower({points, true, 0.8});
  PointWalker walker;
  const Walk done = walk(follower, walker, points, 60);
  EXPECT_FALSE(follower.arrived());
  EXPECT_GT(done.turned, 3 * kTwoPi);  // three rounds at least
  std::vector<Vec2> to_come;
  follower.append_path(to_come);
  EXPECT_EQ(to_come.size(), 4u);
}

TEST(PathFollower, SlowsForSharpCorners) {
  const std::vector<Vec2> points = {Vec2(4, 0), Vec2(0, 0.5)};
  PathFollower follower({points, false, 1.2});
  PointWalker walker;
  walker.position = Vec2(2, 0);
  walker.velocity = Vec2(1.2, 0);
  EXPECT_NEAR(follower.preferred_velocity(walker.self()).norm(), 1.2, 1e-6);
  walker.position = Vec2(3.6, 0);
  EXPECT_LT(follower.preferred_velocity(walker.self()).norm(), 0.7);
}

TEST(PathFollower, PushedAsideItStillReachesTheEnd) {
  const std::vector<Vec2> points = {Vec2(3, 0)};
  PathFollower follower({points, false, 0.8});
  PointWalker walker;
  for (int tick = 0; tick < 120; ++tick)
    walker.step(follower.update(walker.self(), {}, kTick), kTick);
  walker.position = Vec2(3.4, 1.5);  // past the end, and beside it
  const Walk done = walk(follower, walker, points, 30);
  EXPECT_TRUE(follower.arrived());
  EXPECT_LT(done.nearest[0], 0.35);
}

TEST(PathFollower, PointsInOnePlaceAreNoTrap) {
  for (const bool closed : {false, true}) {
    const std::vector<Vec2> points(5, Vec2(0, 0));
    PathFollower follower({points, closed, 0.8});
    PointWalker walker;
    walk(follower, walker, points, 3);
    EXPECT_EQ(follower.arrived(), !closed);
    EXPECT_TRUE(walker.position.allFinite());
  }
}

TEST(PathFollower, NoSpeedMeansOneThatSuits) {
  PathFollower follower({{Vec2(10, 0)}, false, 0});
  Self self;
  self.cruise_speed = 0.63;
  EXPECT_NEAR(follower.preferred_velocity(self).norm(), 0.63, 1e-9);
}

}  // namespace
}  // namespace promenade::behaviour
