#include "behaviour/crowd/walls.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "math/random.h"

namespace promenade::behaviour::crowd {
namespace {

Vec2f somewhere(Random& random, double size) {
  return {float(random.uniform(-size, size)), float(random.uniform(-size, size))};
}

// Distance of a point from an outline by brute force, outside of it.
float distance_to(std::span<const Vec2f> outline, const Vec2f& p) {
  float least = INFINITY;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2f a = outline[i], b = outline[(i + 1) % outline.size()];
    for (int k = 0; k <= 400; ++k)
      least = std::min(least, (a + float(k) / 400 * (b - a) - p).norm());
  }
  return least;
}

TEST(Walls, TakeTheHullOfWhatTheyAreGiven) {
  Walls walls;
  walls.add(std::array<Vec2f, 6>{Vec2f(0, 0), Vec2f(2, 0), Vec2f(1, 0.2f), Vec2f(2, 2), Vec2f(0, 2),
                                 Vec2f(NAN, 0)});
  EXPECT_EQ(walls.vertices(0).size(), 4u);
  walls.add(std::array<Vec2f, 1>{Vec2f(INFINITY, 0)});
  EXPECT_EQ(walls.size(), 1u);
}

TEST(Walls, FindTheNearestOfManyAsALookAtAllWould) {
  Random random(4);
  Walls walls;
  for (int i = 0; i < 120; ++i) {
    const Vec2f at = somewhere(random, 30);
    walls.add(std::array<Vec2f, 3>{at, at + somewhere(random, 2), at + somewhere(random, 2)});
  }
  walls.build(3);
  std::array<Walls::Beside, 6> found;
  for (int trial = 0; trial < 300; ++trial) {
    const Vec2f place = somewhere(random, 33);
    std::vector<float> all;
    for (std::uint32_t i = 0; i < walls.size(); ++i) {
      const float d = distance_to(walls.vertices(i), place);
      if (d < 2.9f) all.push_back(d);
    }
    const std::size_t count = walls.near(place, 3, found);
    ASSERT_GE(count, std::min<std::size_t>(found.size(), all.size()));
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(std::abs(found[i].distance), distance_to(walls.vertices(found[i].outline), place),
                  0.01f);
      EXPECT_NEAR(found[i].away.norm(), 1, 1e-5f);
      if (i > 0) {
        EXPECT_LE(found[i - 1].distance, found[i].distance);
      }
    }
  }
}

TEST(Walls, PointTheWayOutFromWithin) {
  Walls walls;
  walls.add(Obstacle{{3, 0}, {1, 2}, 0});
  walls.build(2);
  std::array<Walls::Beside, 1> found;
  ASSERT_EQ(walls.near({3.8f, 0}, 1, found), 1u);
  EXPECT_LT(found[0].distance, 0);
  EXPECT_GT(found[0].away.x(), 0.99f);
  ASSERT_EQ(walls.near({4, 0}, 1, found), 1u);  // on the very edge
  EXPECT_GT(found[0].away.x(), 0.99f);
}

TEST(AvoidOutline, AllowsOnlyWhatDoesNotTouchWithinTheHorizon) {
  Random random(6);
  constexpr float kRadius = 0.3f, kHorizon = 1.5f;
  int tried = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Walls walls;
    std::vector<Vec2f> points(1 + random.below(5));
    for (Vec2f& p : points) p = Vec2f(2, 0) + somewhere(random, 1.6);
    walls.add(points);
    const auto outline = walls.vertices(0);
    walls.build(5);
    std::array<Walls::Beside, 1> found;
    if (walls.near({0, 0}, 5, found) == 0 || found[0].distance < kRadius + 0.01f) continue;
    const Vec2f velocity = somewhere(random, 1.5);
    const HalfPlane plane = avoid_outline(outline, {0, 0}, kRadius, velocity, kHorizon);
    EXPECT_LE(plane.least, 1e-6f);  // standing still is allowed
    for (int i = 0; i < 60; ++i) {
      Vec2f v = somewhere(random, 2);
      if (plane.normal.dot(v) < plane.least) continue;
      ++tried;
      for (float t = 0; t <= kHorizon; t += 0.1f) {
        ASSERT_GE(distance_to(outline, t * v), kRadius - 0.01f) << trial << " at " << t;
      }
    }
  }
  EXPECT_GT(tried, 5000);
}

TEST(AvoidOutline, LeavesAVelocityAloneThatPasses) {
  const std::array<Vec2f, 2> wall{Vec2f(2, -1), Vec2f(2, 1)};
  const Vec2f passing(1, 1);  // past the upper end, 0.7 m from it
  const HalfPlane plane = avoid_outline(wall, {0, 0}, 0.3f, passing, 3);
  EXPECT_GE(plane.normal.dot(passing), plane.least);
  const Vec2f into(1, 0);
  const HalfPlane stop = avoid_outline(wall, {0, 0}, 0.3f, into, 3);
  EXPECT_LT(stop.normal.dot(into), stop.least);
}

}  // namespace
}  // namespace promenade::behaviour::crowd
