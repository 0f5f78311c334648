#include "behaviour/direct.h"

#include <gtest/gtest.h>

#include <array>

#include "point_walker.h"

namespace promenade::behaviour {
namespace {

using testing::kTick;
using testing::PointWalker;

control::Goal run(Direct& direct, PointWalker& walker, double seconds) {
  control::Goal goal;
  for (int tick = 0; tick < int(seconds / kTick); ++tick) {
    goal = direct.update(walker.self(), {}, kTick);
    walker.step(goal, kTick);
  }
  return goal;
}

TEST(Direct, StandsUntilTold) {
  Direct direct(0.3);
  PointWalker walker;
  walker.heading = 0.3;
  const control::Goal goal = direct.update(walker.self(), {}, kTick);
  EXPECT_TRUE(goal.stand);
  EXPECT_EQ(goal.heading, 0.3);
}

TEST(Direct, InTheWorldTheHeadingTurnsToTheTravel) {
  Direct direct(0);
  PointWalker walker;
  direct.walk_in_world(Vec2(0, 0.8));
  const control::Goal goal = run(direct, walker, 5);
  EXPECT_NEAR(goal.heading, kPi / 2, 1e-9);
  EXPECT_NEAR(goal.velocity.x(), 0.8, 1e-9);
  EXPECT_NEAR(goal.velocity.y(), 0, 1e-9);
  EXPECT_NEAR(walker.velocity.y(), 0.8, 0.02);
}

TEST(Direct, InTheCharacterFrameTheHeadingStays) {
  Direct direct(1.0);
  PointWalker walker;
  walker.heading = 1.0;
  direct.walk_in_character_frame(Vec2(0.2, 0.5));
  const control::Goal goal = run(direct, walker, 5);
  EXPECT_EQ(goal.heading, 1.0);
  EXPECT_EQ(goal.velocity, Vec2(0.2, 0.5));
  EXPECT_FALSE(goal.stand);
}

TEST(Direct, AHeadingKeepsTheWorldVelocity) {
  Direct direct(0);
  PointWalker walker;
  direct.walk_in_world(Vec2(0, 0.8));
  direct.set_heading(0);
  const control::Goal goal = run(direct, walker, 5);
  EXPECT_EQ(goal.heading, 0);
  EXPECT_NEAR(goal.velocity.y(), 0.8, 1e-9);
}

TEST(Direct, TurnsOnTheSpotAndThenStands) {
  Direct direct(0);
  PointWalker walker;
  direct.set_heading(2.0);
  const control::Goal first = direct.update(walker.self(), {}, kTick);
  EXPECT_FALSE(first.stand);
  EXPECT_EQ(first.velocity, Vec2::Zero());
  const control::Goal last = run(direct, walker, 4);
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

TEST(Direct, StopsShortOfAnotherCharacterAndPushesThings) {
  PointWalker walker;
  Direct direct(0);
  direct.walk_in_character_frame(Vec2(1.2, 0));
  std::array<Neighbour, 1> ahead = {Neighbour{Vec2(4, 0), Vec2::Zero(), 0.45, true}};
  for (int tick = 0; tick < int(12 / kTick); ++tick) {
    walker.step(direct.update(walker.self(), {ahead, {}}, kTick), kTick);
  }
  EXPECT_GT(walker.position.x(), 2.5) << "goes near";
  EXPECT_LT(walker.position.x(), 3.6) << "and stops";
  // Past it, aside, it goes on as it was told.
  ahead[0].position = Vec2(0, 3);
  EXPECT_EQ(direct.update(walker.self(), {ahead, {}}, kTick).velocity, Vec2(1.2, 0));
  ahead[0] = {walker.position + Vec2(0.5, 0), Vec2::Zero(), 0.45, false};
  EXPECT_EQ(direct.update(walker.self(), {ahead, {}}, kTick).velocity, Vec2(1.2, 0));
}

TEST(Direct, TwoWhoMeetBothStop) {
  std::array<PointWalker, 2> walkers;
  walkers[1].position = Vec2(6, 0);
  walkers[1].heading = kPi;
  std::array<Direct, 2> direct = {Direct(0), Direct(0)};
  direct[0].walk_in_world(Vec2(1.2, 0));
  direct[1].walk_in_world(Vec2(-1.2, 0));
  for (int tick = 0; tick < int(12 / kTick); ++tick) {
    for (std::size_t i : {0, 1}) {
      const PointWalker& other = walkers[1 - i];
      const std::array<Neighbour, 1> around = {
          Neighbour{other.position, other.velocity, 0.45, true}};
      walkers[i].step(direct[i].update(walkers[i].self(), {around, {}}, kTick), kTick);
    }
  }
  const double apart = walkers[1].position.x() - walkers[0].position.x();
  EXPECT_GT(apart, 0.55);
  EXPECT_LT(apart, 1.5) << "goes near";
}

TEST(Direct, WhoPassesAtTheSideIsNotWaitedFor) {
  PointWalker walker;
  Direct direct(0);
  direct.walk_in_world(Vec2(1.2, 0));
  std::array<Neighbour, 1> other = {Neighbour{Vec2(2, 1.2), Vec2(-1.2, 0), 0.45, true}};
  EXPECT_EQ(direct.update(walker.self(), {other, {}}, kTick).velocity, Vec2(1.2, 0));
  other[0].position.y() = 0.3;
  EXPECT_LT(direct.update(walker.self(), {other, {}}, kTick).velocity.norm(), 0.8);
}

}  // namespace
}  // namespace promenade::behaviour
