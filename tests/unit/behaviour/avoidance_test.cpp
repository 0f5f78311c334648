#include "behaviour/avoidance.h"

#include <gtest/gtest.h>

#include <memory>

#include "behaviour/path_follower.h"
#include "point_walker.h"

namespace promenade::behaviour {
namespace {

using testing::kTick;
using testing::PointCrowd;
using testing::PointWalker;

struct Crossing {
  PointCrowd crowd;
  std::vector<std::unique_ptr<PathFollower>> behaviours;

  void add(const Vec2& from, const Vec2& to, double speed) {
    PointWalker w;
    w.position = from;
    w.heading = std::atan2(to.y() - from.y(), to.x() - from.x());
    w.cruise_speed = speed;
    crowd.walkers.push_back(w);
    behaviours.push_back(std::make_unique<PathFollower>(PathFollower::Order{{to}}));
  }
  // @return the closest that any two came
  double run(double seconds) {
    double closest = 1e9;
    for (int tick = 0; tick < int(seconds / kTick); ++tick) {
      crowd.step(behaviours, kTick);
      closest = std::min(closest, crowd.closest());
    }
    return closest;
  }
  bool all_arrived() const {
    return std::all_of(behaviours.begin(), behaviours.end(),
                       [](const auto& b) { return b->arrived(); });
  }
};

TEST(Avoidance, HeadOnTheyPassAndArrive) {
  Crossing crossing;
  crossing.add(Vec2(-4, 0), Vec2(4, 0), 0.8);
  crossing.add(Vec2(4, 0), Vec2(-4, 0), 0.8);
  EXPECT_GT(crossing.run(30), 0.5);
  EXPECT_TRUE(crossing.all_arrived());
}

TEST(Avoidance, AtRightAnglesTheyPassAndArrive) {
  Crossing crossing;
  crossing.add(Vec2(-4, 0), Vec2(4, 0), 0.8);
  crossing.add(Vec2(0, -4), Vec2(0, 4), 0.8);
  EXPECT_GT(crossing.run(30), 0.5);
  EXPECT_TRUE(crossing.all_arrived());
}

TEST(Avoidance, InACorridorTheyPassAndArrive) {
  for (const double wide : {1.2, 1.4, 1.6, 2.0}) {
    Crossing crossing;
    for (const double side : {1, -1}) {
      crossing.crowd.obstacles.push_back({Vec2(0, side * (0.5 * wide + 0.1)), Vec2(8, 0.1), 0});
    }
    crossing.add(Vec2(-6, 0.02), Vec2(6, 0), 0.8);
    crossing.add(Vec2(6, -0.02), Vec2(-6, 0), 0.8);
    EXPECT_GT(crossing.run(18), 0.45) << wide;
    EXPECT_TRUE(crossing.all_arrived()) << wide;
  }
}

TEST(Avoidance, TheFasterOvertakes) {
  Crossing crossing;
  crossing.add(Vec2(0, 0), Vec2(12, 0), 0.4);
  crossing.add(Vec2(-2, 0), Vec2(14, 0), 1.0);
  EXPECT_GT(crossing.run(45), 0.5);
  EXPECT_TRUE(crossing.all_arrived());
}

TEST(Avoidance, EightChangePlacesAcrossACircle) {
  Crossing crossing;
  for (int i = 0; i < 8; ++i) {
    const double angle = i * kTwoPi / 8;
    const Vec2 at = 5 * Vec2(std::cos(angle), std::sin(angle));
    crossing.add(at, -at, 0.7);
  }
  EXPECT_GT(crossing.run(90), 0.35);
  EXPECT_TRUE(crossing.all_arrived());
}

TEST(Avoidance, AloneItTakesThePreferredVelocity) {
  Avoidance avoidance;
  Self self;
  const Vec2 wanted(0.7, -0.2);
  EXPECT_EQ(avoidance.choose(self, {}, wanted, kTick), wanted);
}

TEST(Avoidance, IsNeverFasterThanPreferred) {
  Avoidance avoidance;
  Self self;
  const std::array<Neighbour, 1> in_the_way = {Neighbour{Vec2(1.2, 0), Vec2(-0.5, 0), 0.45}};
  for (int tick = 0; tick < 60; ++tick) {
    const double speed = tick < 30 ? 0.8 : 0.1;  // asked to slow between two decisions
    const Vec2 chosen = avoidance.choose(self, {in_the_way, {}}, Vec2(speed, 0), kTick);
    EXPECT_LE(chosen.norm(), speed + 1e-12);
  }
}

}  // namespace
}  // namespace promenade::behaviour
