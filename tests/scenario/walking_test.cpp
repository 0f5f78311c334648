// The promises of the human: to walk at the speed asked for, to turn, to stop, stand and start.
#include "study/trial/walk/walking.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "math/rotation.h"
#include "shared.h"
#include "study/trial/rig/parallel.h"
#include "study/trial/walk/standing.h"
#include "study/trial/walk/turning.h"

namespace promenade {
namespace {

using namespace trial;

class Speed : public ::testing::TestWithParam<double> {};

TEST_P(Speed, IsKeptForHalfAMinuteFromAnySeed) {
  const double speed = GetParam();
  const double allowed = speed == 0 ? 0.1 : 0.15 * std::abs(speed);
  std::vector<SteadyWalk> walks(3);
  run_parallel(int(walks.size()), 0, [&](int i) {
    walks[std::size_t(i)] = walk_steadily(human(), {speed, 0}, 30, 12, std::uint64_t(11 + i));
  });
  for (const SteadyWalk& walk : walks) {
    EXPECT_TRUE(walk.up) << "fell at " << walk.seconds << " s";
    if (!walk.up) continue;
    EXPECT_NEAR(walk.velocity.x(), speed, allowed);
    EXPECT_NEAR(walk.velocity.y(), 0, 0.1);
    EXPECT_LT(walk.heading_error, 20 * kRadFromDeg);
    EXPECT_GE(walk.step_time, 0.25);
    EXPECT_LE(walk.step_time, 0.9);
    EXPECT_LT(walk.quality.past_straight, 5 * kRadFromDeg) << "knees bend one way";
  }
}

INSTANTIATE_TEST_SUITE_P(Steady, Speed, ::testing::Values(-0.4, 0.0, 0.4, 0.8, 1.2, 1.5),
                         [](const auto& info) {
                           const int cm = int(std::lround(100 * info.param));
                           return (cm < 0 ? "Back" : "Ahead") + std::to_string(std::abs(cm)) +
                                  "cmps";
                         });

TEST(StepTime, IsKeptFromShortToUsual) {
  for (const double time : {0.3, 0.4, 0.5, 0.55}) {
    Walker walker = human();
    auto style = std::make_shared<Style>(*walker.style);
    style->step_time = time;
    walker.style = std::move(style);
    const SteadyWalk walk = walk_steadily(walker, {0.8, 0}, 40, 15, 1);
    EXPECT_TRUE(walk.up) << time;
    EXPECT_NEAR(walk.step_time, time, 0.13 * time);
  }
}

TEST(Aside, IsWalkedAtTheSpeedAskedToEitherSide) {
  for (const double speed : {0.3, -0.3}) {
    const SteadyWalk walk = walk_steadily(human(), {0, speed}, 30, 12, 1);
    EXPECT_TRUE(walk.up) << speed;
    EXPECT_NEAR(walk.velocity.y(), speed, 0.03);
    EXPECT_NEAR(walk.velocity.x(), 0, 0.1);
  }
}

TEST(Look, ArmsSwingAgainstTheLegsAndLegsPassEachOther) {
  for (const std::string& name : shipped()->styles().names()) {
    const Walker walker = Walker::of(*shipped(), "human", name);
    double through = 0, steps = 0;
    for (const std::uint64_t seed : {1, 2, 3}) {
      const SteadyWalk walk = walk_steadily(walker, {fitting_speed(walker), 0}, 30, 8, seed);
      EXPECT_TRUE(walk.up) << name;
      EXPECT_LT(walk.quality.arm_against_leg, -0.4) << name;
      through += walk.quality.through;
      steps += walk.quality.steps;
    }
    EXPECT_LE(through, 0.02 * steps) << name;
  }
}

TEST(Start, EveryStyleSetsOffForward) {
  for (const std::string& name : shipped()->styles().names()) {
    Walker walker = Walker::of(*shipped(), "human", name);
    walker.straight_on = true;
    const double speed = fitting_speed(walker);
    for (const std::uint64_t seed : {5, 6}) {
      Rollout rollout(walker, seed);
      rollout.stop();
      ASSERT_TRUE(rollout.run(2)) << name;
      const double from = rollout.report().com.x();
      rollout.walk({speed, 0});
      double back = 0;
      for (int i = 0; i < 16; ++i) {
        ASSERT_TRUE(rollout.run(0.5)) << name;
        back = std::max(back, from - rollout.report().com.x());
      }
      EXPECT_LT(back, 0.1) << name;
      EXPECT_GT(rollout.report().com.x() - from, 0.35 * 8 * speed) << name;
    }
  }
}

TEST(Look, LongStepsDoNotSwayMoreAndMore) {
  const Walker walker = Walker::of(*shipped(), "human", "stroll");
  const SteadyWalk walk = walk_steadily(walker, {fitting_speed(walker), 0}, 60, 20, 2);
  EXPECT_TRUE(walk.up);
  EXPECT_LE(walk.quality.through, 0.02 * walk.quality.steps);
}

TEST(StrideInPlace, StaysInPlace) {
  const SteadyWalk walk = walk_steadily(human(), {0, 0}, 20, 5, 3);
  ASSERT_TRUE(walk.up);
  EXPECT_GT(walk.quality.steps, 15) << "it was told to step, not to stand";
}

class TurnBy : public ::testing::TestWithParam<int> {};

TEST_P(TurnBy, SettlesWithinFourSeconds) {
  std::vector<Turn> turns(4);
  run_parallel(int(turns.size()), 0, [&](int i) {
    turns[std::size_t(i)] =
        turn(human(), 0.8, GetParam() * kRadFromDeg, 10 * kRadFromDeg, 7, std::uint64_t(21 + i));
  });
  double lead = 0;
  for (const Turn& one : turns) {
    EXPECT_TRUE(one.up) << "fell";
    if (!one.up) continue;
    EXPECT_GE(one.settled, 0) << "never within 10 degrees for good";
    EXPECT_LE(one.settled, 4);
    EXPECT_GT(one.head_lead, 1 * kRadFromDeg) << "the head leads a turn";
    lead += one.head_lead / double(turns.size());
  }
  EXPECT_GT(lead, 3 * kRadFromDeg);
}

INSTANTIATE_TEST_SUITE_P(Walking, TurnBy, ::testing::Values(45, -45, 90, -90, 180, -180),
                         [](const auto& info) {
                           return (info.param > 0 ? "Left" : "Right") +
                                  std::to_string(std::abs(info.param));
                         });

TEST(StopAndStart, ThreeTimesStandingTwentySecondsWithoutAStep) {
  const StopAndStart run = stop_and_start(human(), 0.8, 3, 6, 20, 31);
  EXPECT_TRUE(run.up);
  EXPECT_EQ(run.rounds, 3);
  EXPECT_EQ(run.steps_standing, 0);
  EXPECT_LT(run.slowest_start, 3);
}

TEST(Stop, IsOneThatEndsOnTheSpot) {
  const Recovery end = stop_once(human(), 0.8, 7, 32);
  EXPECT_TRUE(end.up);
  EXPECT_LT(end.speed_error, 0.05);
}

TEST(Standing, FromTheStartIsQuiet) {
  Rollout rollout(human(), 41);
  ASSERT_TRUE(rollout.run(3));
  const Vec3 from = rollout.report().com;
  ASSERT_TRUE(rollout.run(20));
  EXPECT_TRUE(rollout.report().standing);
  EXPECT_EQ(rollout.report().steps, 0u);
  EXPECT_LT((rollout.report().com - from).norm(), 0.02);
  EXPECT_LT(rollout.report().com_velocity.norm(), 0.02);
}

TEST(SpeedChanges, AreFollowedWithoutAFall) {
  // The full range in jumps, back and forth, as a person at the keys would.
  std::vector<int> up(4);
  run_parallel(int(up.size()), 0, [&](int i) {
    Rollout rollout(human(), std::uint64_t(51 + i));
    bool ok = true;
    for (const double speed : {0.8, 1.4, 0.3, 0.0, -0.4, 0.8, 1.2, 0.6}) {
      rollout.walk({speed, 0});
      ok = ok && rollout.run(3.7);
    }
    up[std::size_t(i)] = ok;
  });
  EXPECT_EQ(std::count(up.begin(), up.end(), 1), 4);
}

}  // namespace
}  // namespace promenade
