#include "behaviour/wander.h"

#include <gtest/gtest.h>

#include <memory>

#include "point_walker.h"

namespace promenade::behaviour {
namespace {

using testing::kTick;
using testing::PointCrowd;
using testing::PointWalker;

struct Stroll {
  PointCrowd crowd;
  std::vector<std::unique_ptr<Behaviour>> behaviours;
  double closest = 1e9;
  double travelled = 0;
  double farthest = 0;

  // As the scene "square": `count` walkers of several sizes on a spiral in a disc of `radius`.
  Stroll(int count, double radius, std::uint64_t seed) {
    for (int i = 0; i < count; ++i) {
      PointWalker w;
      const double r = radius * std::sqrt((i + 0.5) / count);
      const double angle = 2.399963 * i;
      w.position = r * Vec2(std::cos(angle), std::sin(angle));
      w.heading = wrap_angle(angle * 3);
      w.scale = 0.75 + 0.1 * (i % 6);
      w.cruise_speed = 0.5 + 0.08 * (i % 7);
      crowd.walkers.push_back(w);
      behaviours.push_back(
          std::make_unique<Wander>(Wander::Order{Vec2(Vec2::Zero()), radius},
                                   Start{.random = Random::stream(seed, std::uint64_t(i))}));
    }
  }

  void run(double seconds) {
    for (int tick = 0; tick < int(seconds / kTick); ++tick) {
      crowd.step(behaviours, kTick);
      closest = std::min(closest, crowd.closest());
      for (const PointWalker& w : crowd.walkers) {
        travelled += w.velocity.norm() * kTick;
        farthest = std::max(farthest, w.position.norm());
      }
    }
  }
};

class WanderSeeds : public ::testing::TestWithParam<int> {};

TEST_P(WanderSeeds, TwentyFourStrollWithoutComingTooNear) {
  Stroll stroll(24, 9, std::uint64_t(GetParam()));
  stroll.run(180);
  EXPECT_GT(stroll.closest, 0.35);
  EXPECT_LT(stroll.farthest, 11.5);
  // They get about: a mean speed of a third of a walk at least, over everyone and all pauses.
  EXPECT_GT(stroll.travelled / (24 * 180), 0.3);
}

INSTANTIATE_TEST_SUITE_P(Seeds, WanderSeeds, ::testing::Range(1, 7));

TEST(Wander, GoesRoundThings) {
  Stroll stroll(4, 6, 11);
  stroll.crowd.obstacles = {{Vec2(2, 0), Vec2(0.3, 1.0), 0.4}, {Vec2(-2, 2), Vec2(0.5, 0.5), 0}};
  for (PointWalker& w : stroll.crowd.walkers) w.position += Vec2(0, -3);
  double least = 1e9;
  for (int tick = 0; tick < 120 * 60; ++tick) {
    stroll.crowd.step(stroll.behaviours, kTick);
    for (const PointWalker& w : stroll.crowd.walkers) {
      for (const Obstacle& o : stroll.crowd.obstacles) {
        least = std::min(least, (o.nearest(w.position) - w.position).norm());
      }
    }
  }
  EXPECT_GT(least, 0.2);
}

TEST(Wander, SameSeedSameStroll) {
  Stroll first(12, 5, 3), second(12, 5, 3);
  first.run(30);
  second.run(30);
  StateVisitor::Buffer a, b;
  for (const auto& behaviour : first.behaviours) write_state(*behaviour, a);
  for (const auto& behaviour : second.behaviours) write_state(*behaviour, b);
  EXPECT_EQ(a, b);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(first.crowd.walkers[i].position, second.crowd.walkers[i].position);
  }
}

}  // namespace
}  // namespace promenade::behaviour
