// Hands at work: a point that is low, a crate that is heavy.
#include <algorithm>
#include <cmath>
#include <vector>

#include "math/rotation.h"
#include "shared.h"
#include "study/trial/rig/workshop.h"

namespace promenade {
namespace {

using behaviour::tasks::Task;
using behaviour::tasks::TaskKind;
using trial::BoxSpec;
using trial::Workshop;

constexpr int kSeeds = 4;
constexpr int kHeavy = 9;        // trials with what is heavy
constexpr int kHeaviest = 24;    // with what is near the limit
constexpr double kLongest = 60;  // s, of simulated time

const std::shared_ptr<const Library>& workshop() {
  static const auto library = trial::workshop_library(test::data_dir());
  return library;
}

Vec2 spot(std::uint64_t seed) { return rotated(Vec2(1.8, 0), double(seed)); }

TEST(Work, AHandReachesPointsNearTheGroundAndOverhead) {
  for (const double height : {0.1, 1.8}) {
    int good = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Workshop shop(workshop(), "human", "normal", seed);
      Task reach;
      reach.kind = TaskKind::kReach;
      reach.point << spot(seed), height;
      reach.coordinates = 3;
      const trial::WorkRun run = shop.work({reach}, kLongest);
      good += run.up && run.done == 1 && run.reach_error[0] < 0.03;
    }
    EXPECT_GE(good, kSeeds - 1) << height << " m high";
  }
}

TEST(Work, AHandGoesAfterABoxThatGlides) {
  constexpr double kSpeed = 0.25;  // m/s
  int good = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Workshop shop(workshop(), "human", "normal", seed);
    BoxSpec box;
    box.size = Vec3(0.4, 0.4, 1.2);
    box.mass = 20;
    box.friction = 1e-8;  // hardly any; 0 would be the usual one
    const auto thing = shop.add(box, spot(seed), 0, rotated(Vec2(kSpeed, 0), 2.0 * double(seed)));
    Task reach;
    reach.kind = TaskKind::kReach;
    reach.thing = thing;
    const trial::WorkRun run = shop.work({reach}, kLongest);
    const double went = (shop.pose_of(thing).position.head<2>() - spot(seed)).norm();
    good += run.up && run.done == 1 && run.reach_error[0] < 0.03 && went > 0.5;
  }
  EXPECT_GE(good, kSeeds - 1);
}

TEST(Work, BothHandsHaveABoxBetweenThemThatStandsOnATable) {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Workshop shop(workshop(), "human", "normal", seed);
    BoxSpec table;
    table.size = Vec3(0.5, 0.5, 0.7);
    shop.add(table, spot(seed), 0.3 * double(seed));
    BoxSpec box;
    box.mass = 10;
    Task reach;
    reach.kind = TaskKind::kReach;
    reach.hand = behaviour::tasks::HandChoice::kBoth;
    reach.thing = shop.add(box, spot(seed), 0.3 * double(seed));
    const trial::WorkRun run = shop.work({reach}, kLongest);
    good += run.up && run.done == 1 && run.reach_error[0] < 0.03;
  }
  EXPECT_GE(good, kSeeds - 1);
}

TEST(Work, ACrateOfTenKilogramsIsPickedUpWithoutAFall) {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Workshop shop(workshop(), "human", "normal", seed);
    BoxSpec box;
    box.mass = 10;
    const auto crate = shop.add(box, spot(seed), 0.3 * double(seed));
    Task lift;
    lift.kind = TaskKind::kPickUp;
    lift.thing = crate;
    const trial::WorkRun run = shop.work({lift}, kLongest);
    const bool held = shop.pose_of(crate).position.z() > 0.7;
    good += run.up && run.done == 1 && held;
  }
  EXPECT_GE(good, kSeeds - 1);
}

// Hands that grip while the body still bends push it back with stretched arms, off its feet.
TEST(Work, FifteenKilogramsAreTakenFromALowTable) {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= kHeavy; ++seed) {
    Workshop shop(workshop(), "human", "normal", seed);
    BoxSpec table;
    table.size = Vec3(0.5, 0.5, 0.6);
    shop.add(table, spot(seed), 0.3 * double(seed));
    BoxSpec box;
    box.mass = 15;
    const auto crate = shop.add(box, spot(seed), 0.3 * double(seed));
    const trial::WorkRun run = shop.work({trial::task(TaskKind::kPickUp, crate)}, kLongest);
    good += run.up && run.done == 1;
  }
  EXPECT_GE(good, kHeavy - 2);
}

/// How many boxes of the stack at that place have moved.
int moved(const Workshop& shop, const std::vector<world::CharacterId>& stack, const Vec2& place) {
  return int(std::count_if(stack.begin(), stack.end(), [&](world::CharacterId box) {
    return (shop.pose_of(box).position.head<2>() - place).norm() > 0.03;
  }));
}

TEST(Work, ALowBoxOnTheWayIsWalkedRound) {
  for (const double side : {0.15, 0.25, 0.3}) {
    int good = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Workshop shop(workshop(), "human", "normal", seed);
      BoxSpec box;
      box.size.setConstant(side);
      box.mass = 4;
      const auto crate = shop.add(box, spot(seed), 0);
      const trial::WorkRun run =
          shop.work({trial::task_at(TaskKind::kGoTo, 2 * spot(seed))}, kLongest);
      good += run.up && run.done == 1 && moved(shop, {crate}, spot(seed)) == 0;
    }
    EXPECT_GE(good, kSeeds - 1) << side << " m high";
  }
}

// In a curve one would walk into what one has worked at.
TEST(Work, WhoTurnsAwayFromAStackLeavesItStanding) {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= kHeavy; ++seed) {
    Workshop shop(workshop(), "human", "normal", seed);
    BoxSpec box;
    box.size.setConstant(0.3);
    box.mass = 4;
    const std::vector<world::CharacterId> stack = {shop.add(box, spot(seed), double(seed)),
                                                   shop.add(box, spot(seed), double(seed))};
    Task before = trial::task_at(TaskKind::kGoTo, 0.65 * spot(seed));
    before.turned = true;
    before.heading = double(seed);
    const trial::WorkRun run =
        shop.work({before, trial::task_at(TaskKind::kGoTo, -spot(seed))}, kLongest);
    good += run.up && run.done == 2 && moved(shop, stack, spot(seed)) == 0;
  }
  EXPECT_GE(good, kHeavy - 2);
}

// In usual steps one swayed with it, and its weight gone the body sat down behind its feet.
TEST(Work, ACrateOfTwentyFiveKilogramsIsCarriedAndSetDownAgain) {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= kHeaviest; ++seed) {
    Workshop shop(workshop(), "human", "normal", seed);
    BoxSpec box;
    box.mass = 25;
    const auto crate = shop.add(box, spot(seed), 0.3 * double(seed));
    const Vec2 there = spot(seed) + rotated(Vec2(3, 0), 2.0 * double(seed));
    const trial::WorkRun run = shop.work(
        {trial::task(TaskKind::kPickUp, crate), trial::task_at(TaskKind::kPutDown, there)},
        2 * kLongest);
    const double missed = (shop.pose_of(crate).position.head<2>() - there).norm();
    good += run.up && run.done == 2 && missed < 0.05;
  }
  EXPECT_GE(good, 2 * kHeaviest / 3);
}

// In their own style, most of them fall.
TEST(Work, StylesArePutAsideForIt) {
  for (const char* style : {"march", "knock_kneed", "careful"}) {
    int good = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Workshop shop(workshop(), "human", style, seed);
      BoxSpec box;
      box.mass = 5;
      Task lift;
      lift.kind = TaskKind::kPickUp;
      lift.thing = shop.add(box, spot(seed), 0.3 * double(seed));
      Task put;
      put.kind = TaskKind::kPutDown;
      put.point.head<2>() = -spot(seed);
      put.coordinates = 2;
      const trial::WorkRun run = shop.work({lift, put}, kLongest);
      good += run.up && run.done == 2;
    }
    EXPECT_GE(good, kSeeds - 1) << style;
  }
}

/// How many of `kHauls` crates of that mass, on friction 0.2, come to their places turned as asked,
/// by somebody who stays up.
constexpr int kHauls = 4;
int hauled(TaskKind kind, double mass) {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= kHauls; ++seed) {
    Workshop shop(workshop(), "human", "normal", seed);
    BoxSpec box;
    box.size = Vec3(0.8, 0.8, 1.0);
    box.mass = mass;
    box.friction = 0.05;  // 0.2 with the ground's
    const double yaw = 0.7 * double(seed);
    const auto crate = shop.add(box, spot(seed), yaw);
    Task move;
    move.kind = kind;
    move.thing = crate;
    move.point.head<2>() = spot(seed) + rotated(Vec2(3, 0), 2.0 * double(seed));
    move.coordinates = 2;
    move.turned = true;
    move.heading = yaw + (seed % 2 == 0 ? 0.4 : -0.4);
    const trial::WorkRun run = shop.work({move}, 2 * kLongest);
    const Pose at = shop.pose_of(crate);
    const double missed = (at.position - move.point).head<2>().norm();
    const double off = std::abs(wrap_angle(heading_of(at.rotation) - move.heading));
    good += run.up && run.done == 1 && missed < 0.2 && off < kPi / 18;
  }
  return good;
}

TEST(Work, ACrateIsPushedAndPulledToAPlaceAndTurned) {
  EXPECT_GE(hauled(TaskKind::kPushTo, 20), kHauls / 2);
  EXPECT_GE(hauled(TaskKind::kPullTo, 20), kHauls / 2);
}

TEST(Work, WhatIsHeavierThanOneselfIsPushedAndHalfOfThatPulled) {
  EXPECT_GE(hauled(TaskKind::kPushTo, 100), kHauls / 2);
  EXPECT_GE(hauled(TaskKind::kPullTo, 50), kHauls / 2);
}

TEST(Work, AlmostOnesOwnWeightIsPulled) { EXPECT_GE(hauled(TaskKind::kPullTo, 65), kHauls / 4); }

TEST(Work, WhatOneLiftsIsHandedOverToAnother) {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Workshop shop(workshop(), "human", "normal", seed);
    const Vec2 to = rotated(Vec2(3, 0), double(seed) + 1.5);
    const auto taker = shop.spawn("human", "normal", to, 2.0 * double(seed));
    BoxSpec box;
    box.mass = 5;
    const auto crate = shop.add(box, spot(seed), 0.3 * double(seed));
    Task lift;
    lift.kind = TaskKind::kPickUp;
    lift.thing = crate;
    Task hand;
    hand.kind = TaskKind::kHandOver;
    hand.somebody = taker;
    // It counts the other's take_over, too.
    const trial::WorkRun run = shop.work({lift, hand}, kLongest);
    const Vec2 from_taker = shop.pose_of(crate).position.head<2>() - to;
    good += run.up && run.failed == 0 && shop.pose_of(crate).position.z() > 0.6 &&
            from_taker.norm() < 1;
  }
  EXPECT_GE(good, kSeeds - 1);
}

TEST(Work, WhatIsTooHeavyIsRefusedStandingUp) {
  Workshop shop(workshop(), "human", "normal", 1);
  BoxSpec box;
  box.mass = 60;
  Task lift;
  lift.kind = TaskKind::kPickUp;
  lift.thing = shop.add(box, spot(1), 0);
  const trial::WorkRun run = shop.work({lift}, kLongest);
  EXPECT_TRUE(run.up);
  EXPECT_EQ(run.failed, 1);
  EXPECT_NE(run.why.find("too heavy"), std::string::npos) << run.why;
}

}  // namespace
}  // namespace promenade
