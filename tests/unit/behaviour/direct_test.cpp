#include "behaviour/direct.h"

#include <gtest/gtest.h>

#include "point_walker.h"

namespace promenade::behaviour {
namespace {

using testing::kTick;
using testing::PointWalker;

control::Intent run(Direct& direct, PointWalker& walker, double seconds) {
  control::Intent intent;
  for (int tick = 0; tick < int(seconds / kTick); ++tick) {
    intent = direct.update(walker.self(), {}, kTick);
    walker.step(intent, kTick);
  }
  return intent;
}

TEST(Direct, StandsUntilTold) {
  Direct direct(0.3);
  PointWalker walker;
  walker.heading = 0.3;
  const control::Intent intent = direct.update(walker.self(), {}, kTick);
  EXPECT_TRUE(intent.stand);
  EXPECT_EQ(intent.heading, 0.3);
}

TEST(Direct, InTheWorldTheHeadingTurnsToTheTravel) {
  Direct direct(0);
  PointWalker walker;
  direct.walk_in_world(Vec2(0, 0.8));
  const control::Intent intent = run(direct, walker, 5);
  EXPECT_NEAR(intent.heading, kPi / 2, 1e-9);
  EXPECT_NEAR(intent.velocity.x(), 0.8, 1e-9);
  EXPECT_NEAR(intent.velocity.y(), 0, 1e-9);
  EXPECT_NEAR(walker.velocity.y(), 0.8, 0.02);
}

TEST(Direct, InTheCharacterFrameTheHeadingStays) {
  Direct direct(1.0);
  PointWalker walker;
  walker.heading = 1.0;
  direct.walk_in_character_frame(Vec2(0.2, 0.5));
  const control::Intent intent = run(direct, walker, 5);
  EXPECT_EQ(intent.heading, 1.0);
  EXPECT_EQ(intent.velocity, Vec2(0.2, 0.5));
  EXPECT_FALSE(intent.stand);
}

TEST(Direct, AHeadingKeepsTheWorldVelocity) {
  Direct direct(0);
  PointWalker walker;
  direct.walk_in_world(Vec2(0, 0.8));
  direct.set_heading(0);
  const control::Intent intent = run(direct, walker, 5);
  EXPECT_EQ(intent.heading, 0);
  EXPECT_NEAR(intent.velocity.y(), 0.8, 1e-9);
}

TEST(Direct, TurnsOnTheSpotAndThenStands) {
  Direct direct(0);
  PointWalker walker;
  direct.set_heading(2.0);
  const control::Intent first = direct.update(walker.self(), {}, kTick);
  EXPECT_FALSE(first.stand);
  EXPECT_EQ(first.velocity, Vec2::Zero());
  const control::Intent last = run(direct, walker, 4);
  EXPECT_TRUE(last.stand);
  EXPECT_NEAR(walker.heading, 2.0, 0.1);
}

TEST(Direct, NoVelocityWalksOnTheSpotAndStopStands) {
  Direct direct(0);
  PointWalker walker;
  direct.walk_in_world(Vec2::Zero());
  EXPECT_FALSE(direct.update(walker.self(), {}, kTick).stand);
  direct.stand();
  EXPECT_TRUE(direct.update(walker.self(), {}, kTick).stand);
}

}  // namespace
}  // namespace promenade::behaviour
