#include "control/pendulum/stepper.h"

#include <gtest/gtest.h>

#include <cmath>

#include "control/controller_library.h"
#include "control/pendulum/footholds.h"
#include "control/pendulum/support.h"
#include "math/random.h"
#include "math/rotation.h"
#include "support/paths.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kTick = 1.0 / 60;

struct Walk {
  explicit Walk(double speed, physics::GroundPlan plan = {}, const Tuning& how = tuning())
      : ground(std::move(plan)), gait(gait_for(speed)), tuned(how), stepper(body, gait, tuned) {
    stepper.stand({ground}, Vec2::Zero(), 0);
    goal.stand = speed == 0;
    goal.velocity = {speed, 0};
  }
  static const Tuning& tuning() {
    static const Tuning tuning(dynamic_cast<const v1::PendulumParameters&>(
        *ControllerLibrary::load(test::data_dir() / "controllers")
             .value()
             .parameters(*find_family("pendulum"))));
    return tuning;
  }
  static StepperGait gait_for(double speed) {
    StepperGait gait;
    gait.step_time = std::max(0.36, 0.66 - 0.12 * std::abs(speed));
    return gait;
  }
  void run(double seconds, const Vec3& force = Vec3::Zero(), const Vec2& known = Vec2::Zero()) {
    for (int i = 0; i < int(std::lround(seconds / kTick)); ++i)
      stepper.update({ground}, goal, force, known, kTick);
  }

  physics::Ground ground;
  StepperBody body;
  StepperGait gait;
  Tuning tuned;
  Stepper stepper;
  Goal goal;
};

physics::GroundBlock slab(double from, double to, double top) {
  physics::GroundBlock block;
  block.pose.position = {0.5 * (from + to), 0, top - 5};
  block.half = {0.5 * (to - from), 10, 5};
  return block;
}

TEST(Stepper, KeepsTheSpeedThatIsAskedFor) {
  for (const double speed : {-0.6, 0.2, 0.6, 1.2, 2.0}) {
    Walk walk(speed);
    walk.run(10);
    const double from = walk.stepper.com().x();
    walk.run(20);
    EXPECT_NEAR((walk.stepper.com().x() - from) / 20, speed, 0.05 * std::abs(speed));
    EXPECT_FALSE(walk.stepper.fallen());
    EXPECT_NEAR(walk.stepper.com().y(), 0, 0.25) << "drifts aside at " << speed;
  }
}

TEST(Stepper, StandsByAnkleTorqueWithoutAStep) {
  Walk walk(0);
  walk.run(60);
  EXPECT_EQ(walk.stepper.steps(), 0u);
  walk.run(0.1, {60, 0, 0});  // a nudge that the ankles hold
  walk.run(30);
  EXPECT_EQ(walk.stepper.steps(), 0u);
  EXPECT_NEAR(walk.stepper.velocity().norm(), 0, 1e-3);
}

TEST(Stepper, StepsWhereTheAnklesDoNotSuffice) {
  Walk walk(0);
  walk.run(1);
  walk.run(0.2, {300, 0, 0});
  walk.run(8);
  EXPECT_GT(walk.stepper.steps(), 0u);
  EXPECT_FALSE(walk.stepper.fallen());
  EXPECT_LT(walk.stepper.velocity().norm(), 0.05) << "comes to rest again";
}

TEST(Stepper, WithPointsForFeetNeverStandsStill) {
  Tuning points = Walk::tuning();
  points.parts.feet = false;
  Walk walk(0, {}, points);
  walk.run(20);
  EXPECT_GT(walk.stepper.steps(), 20u);
  EXPECT_FALSE(walk.stepper.fallen());
  EXPECT_LT(walk.stepper.com().head<2>().norm(), 1.0);
}

TEST(Stepper, GetsOverPushesFromAnySide) {
  int kept = 0;
  constexpr int kPushes = 60;
  for (int i = 0; i < kPushes; ++i) {
    Random random = Random::stream(3, std::uint64_t(i));
    Walk walk(random.uniform(0, 1.2));
    walk.run(4 + random.uniform(0, 1));
    const double way = random.uniform(0, kTwoPi);
    walk.run(0.1, 300 * Vec3(std::cos(way), std::sin(way), 0));
    walk.run(6);
    kept += !walk.stepper.fallen();
  }
  EXPECT_GE(kept, 57);
}

TEST(Stepper, TurnsWhereItIsTold) {
  Walk walk(0.8);
  walk.goal.heading = 2;
  walk.run(8);
  EXPECT_NEAR(walk.stepper.heading(), 2, 0.02);
  const Vec2 v = walk.stepper.velocity().head<2>();
  EXPECT_NEAR(wrap_angle(std::atan2(v.y(), v.x()) - 2), 0, 0.4);
}

TEST(Stepper, ClimbsStairsAndComesDown) {
  for (const double rise : {0.15, -0.15}) {
    physics::GroundPlan plan;
    plan.plane = false;
    plan.blocks.push_back(slab(-5, 2, 0));
    for (int i = 0; i < 10; ++i)
      plan.blocks.push_back(slab(2 + 0.3 * i, i == 9 ? 40 : 2.3 + 0.3 * i, (i + 1) * rise));
    Walk walk(0.6, plan);
    walk.run(18);
    EXPECT_FALSE(walk.stepper.fallen()) << rise;
    EXPECT_GT(walk.stepper.com().x(), 6);
    EXPECT_NEAR(walk.stepper.com().z() - 10 * rise, 0.95, 0.1);
  }
}

// A leg cannot be stretched for ever: the mass must not go on over a foot that is far behind.
TEST(Stepper, FallsWhereNoFootholdComesHoweverShortItsLegs) {
  for (const double leg : {0.3, 0.5, 0.95}) {
    physics::GroundPlan plan;
    plan.plane = false;
    plan.blocks.push_back(slab(-5, 2, 0));
    Walk walk(0.6 * std::sqrt(leg), plan);
    walk.body.leg = {leg, leg};
    walk.body.mass = 70 * leg * leg * leg;
    walk.body.trunk = trunk_of(walk.body.mass, leg);
    walk.stepper.stand({walk.ground}, Vec2::Zero(), 0);
    bool pushed = false;
    for (int i = 0; i < 60 * 60 && !walk.stepper.fallen(); ++i) {
      walk.run(kTick);
      // It would stop there by itself.
      if (!pushed && walk.stepper.com().x() > 1.7) {
        pushed = true;
        walk.stepper.set_com(walk.stepper.com(), Vec3(2.5 * std::sqrt(leg), 0, 0));
      }
      ASSERT_LT(walk.stepper.velocity().norm(), 5) << leg << " after " << i;
      ASSERT_LT((walk.stepper.com() - walk.stepper.cop()).norm(), 2 * leg) << leg;
    }
    EXPECT_TRUE(walk.stepper.fallen()) << leg;
  }
}

TEST(Stepper, StepsOverGaps) {
  physics::GroundPlan plan;
  plan.plane = false;
  double x = 2;
  plan.blocks.push_back(slab(-5, x, 0));
  for (int i = 0; i < 12; ++i, x += 0.8) plan.blocks.push_back(slab(x + 0.3, x + 0.8, 0));
  plan.blocks.push_back(slab(x, 60, 0));
  Walk walk(0.8, plan);
  walk.run(20);
  EXPECT_FALSE(walk.stepper.fallen());
  EXPECT_GT(walk.stepper.com().x(), x);
}

TEST(Stepper, StandingFeetDoNotMove) {
  Walk walk(1.0);
  walk.run(5);
  std::array<Vec3, 2> at{walk.stepper.foot(0).position, walk.stepper.foot(1).position};
  for (int i = 0; i < 300; ++i) {
    const bool swings = walk.stepper.phase() == Phase::kSwing;
    const int stance = walk.stepper.stance();
    walk.run(kTick);
    for (int side = 0; side < 2; ++side) {
      const Vec3 now = walk.stepper.foot(side).position;
      const bool stood = !swings || side == stance;
      if (stood && !(walk.stepper.phase() == Phase::kSwing && side != walk.stepper.stance()))
        EXPECT_LT((now - at[std::size_t(side)]).norm(), 1e-12);
      at[std::size_t(side)] = now;
    }
  }
}

TEST(Stepper, IsTheSameAfterItsStateWasReadBack) {
  Walk walk(0.9), other(0.9);
  walk.run(3.3);
  StateVisitor::Buffer words;
  write_state(walk.stepper, words);
  StateVisitor reader = StateVisitor::reader(words);
  other.stepper.visit(reader);
  ASSERT_TRUE(reader.error().empty()) << reader.error();
  EXPECT_EQ(reader.left(), 0u);
  walk.run(2);
  other.run(2);
  EXPECT_EQ(walk.stepper.com(), other.stepper.com());
}

TEST(Stepper, KeepsItsSpeedAgainstAPullThatItKnowsOf) {
  const auto speed_against = [](double pull, double known) {
    Walk walk(0.7);
    walk.run(5);
    walk.run(15, {-pull, 0, 0}, {-known, 0});
    const double from = walk.stepper.com().x();
    walk.run(10, {-pull, 0, 0}, {-known, 0});
    EXPECT_FALSE(walk.stepper.fallen());
    return (walk.stepper.com().x() - from) / 10;
  };
  EXPECT_NEAR(speed_against(100, 100), 0.7, 0.03);
  EXPECT_LT(speed_against(100, 0), 0.6) << "a pull that comes as a surprise slows it down";
}

TEST(Stepper, LeansIntoASlopeWhereItHasATrunk) {
  const auto mean_lean = [](double angle, bool trunk) {
    physics::GroundPlan plan;
    plan.plane = false;
    physics::GroundBlock ramp;
    ramp.half = {30, 5, 1};
    ramp.pose.rotation = rotation_y(-angle);
    ramp.pose.position = ramp.pose.rotation * Vec3(0, 0, -1);
    plan.blocks.push_back(ramp);
    Tuning how = Walk::tuning();
    how.parts.elongated_body = trunk;
    Walk walk(0.8, plan, how);
    walk.run(6);
    double sum = 0;
    constexpr int kTicks = 300;
    for (int i = 0; i < kTicks; ++i) {
      walk.run(kTick);
      sum += walk.stepper.trunk().lean.x();
    }
    return sum / kTicks;
  };
  EXPECT_GT(mean_lean(0.2, true), 0.02);
  EXPECT_LT(mean_lean(-0.2, true), -0.02);
  EXPECT_EQ(mean_lean(0.2, false), 0);
}

TEST(Support, NearestPointOfACapsule) {
  const Support support{{0, -0.1}, {0, 0.1}, 0.1};
  EXPECT_EQ(support.nearest({0.05, 0}), Vec2(0.05, 0));
  EXPECT_TRUE(support.nearest({1, 0.05}).isApprox(Vec2(0.1, 0.05)));
  EXPECT_TRUE(support.nearest({0, 5}).isApprox(Vec2(0, 0.2)));
  EXPECT_DOUBLE_EQ(support.distance({0, 0.5}), 0.3);
}

TEST(Foothold, IsLookedForAheadThenBehind) {
  physics::GroundPlan plan;
  plan.plane = false;
  plan.blocks.push_back(slab(-5, 0, 0));
  plan.blocks.push_back(slab(0.3, 1, 0));
  const physics::Ground ground(plan);
  FootholdSearch search;
  search.wanted = {0.1, 0};
  search.ahead = search.behind = 0.4;
  Foothold found = find_foothold({ground}, search);
  ASSERT_TRUE(found.found);
  EXPECT_NEAR(found.position.x(), 0.36, 0.021);
  search.ahead = 0.1;
  found = find_foothold({ground}, search);
  ASSERT_TRUE(found.found);
  EXPECT_NEAR(found.position.x(), -0.06, 0.021);
  search.behind = 0.1;
  EXPECT_FALSE(find_foothold({ground}, search).found);
}

/// Stones of 30 to 40 cm over nothing, with gaps between them, from 2 to 12 m ahead, and banks.
physics::GroundPlan stones(double least_gap, double most_gap, Random& random) {
  physics::GroundPlan plan;
  plan.plane = false;
  const auto add = [&](double from, double to, double y, double half_width) {
    physics::GroundBlock stone = slab(from, to, 0);
    stone.pose.position.y() = y;
    stone.half.y() = half_width;
    plan.blocks.push_back(stone);
  };
  add(-3, 2, 0, 5);
  double x = 2;
  while (x < 12) {
    x += random.uniform(least_gap, most_gap);
    const double length = random.uniform(0.3, 0.4), width = random.uniform(0.3, 0.4);
    add(x, x + length, random.uniform(-0.05, 0.05), 0.5 * width);
    x += length;
  }
  add(x + least_gap, 40, 0, 5);
  return plan;
}

TEST(Stepper, CrossesStones) {
  int across = 0;
  for (int seed = 0; seed < 60; ++seed) {
    Random random = Random::stream(std::uint64_t(seed), 0x5707e5ULL);
    const double speed = random.uniform(0.4, 1.2);
    Walk walk(speed, stones(0.1, 0.3, random));
    walk.stepper.stand({walk.ground}, Vec2(random.uniform(-0.2, 0.2), random.uniform(-0.05, 0.05)),
                       random.uniform(-0.03, 0.03));
    for (int i = 0; i < 60 * 60 && walk.stepper.com().x() < 12.5 && !walk.stepper.fallen(); ++i) {
      // The steering keeps the walk to the row.
      walk.goal.heading = std::clamp(-0.6 * walk.stepper.com().y(), -0.3, 0.3);
      walk.run(kTick);
    }
    across += walk.stepper.com().x() >= 12.5;
  }
  EXPECT_GE(across, 54);  // the law that looked for the next foothold alone: none
}

TEST(Stepper, StopsBeforeAHoleThatNoStepCrossesAndGoesOnAnotherWay) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random = Random::stream(std::uint64_t(seed), 0x9177ULL);
    physics::GroundPlan plan;
    plan.plane = false;
    const double edge = random.uniform(3, 5);
    plan.blocks = {slab(-30, edge, 0), slab(edge + random.uniform(1.2, 4), 40, 0)};
    const double speed = random.uniform(0.3, 1.4);
    Walk walk(speed, plan);
    walk.run(20);
    const std::string what = "seed " + std::to_string(seed);
    ASSERT_FALSE(walk.stepper.fallen()) << what;
    EXPECT_TRUE(walk.stepper.barred()) << what;
    EXPECT_EQ(walk.stepper.phase(), Phase::kStand) << what;
    EXPECT_LT(walk.stepper.com().x(), edge) << what;
    EXPECT_GT(walk.stepper.com().x(), edge - 1.5) << what;
    walk.goal.heading = 2;
    walk.run(4 + 2 / (speed * -std::cos(walk.goal.heading)));
    EXPECT_FALSE(walk.stepper.fallen() || walk.stepper.barred()) << what;
    EXPECT_LT(walk.stepper.com().x(), edge - 1.5) << what;
  }
}

}  // namespace
}  // namespace promenade::control::pendulum
