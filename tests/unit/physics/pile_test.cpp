#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "support.h"

// Things: hard bodies of one link, on each other and on the ground.
namespace promenade::physics {
namespace {

std::shared_ptr<const ArticulationModel> hard_box(double mass, const Vec3& half) {
  ArticulationModel model = *test::box_model(mass, half);
  model.hard = true;
  return test::finished(std::move(model));
}

std::shared_ptr<const ArticulationModel> hard_capsule(double mass, double half_length,
                                                      double radius) {
  ArticulationModel model = *test::capsule_model(mass, half_length, radius);
  model.hard = true;
  return test::finished(std::move(model));
}

ArticulatedBody put(const std::shared_ptr<const ArticulationModel>& model, const Pose& at) {
  ArticulatedBody body(model);
  body.set_state(ArticulatedBody::zero_state(body.model(), at));
  return body;
}

Pose above(double x, double y, double z) {
  Pose pose;
  pose.position = Vec3(x, y, z);
  return pose;
}

std::vector<ArticulatedBody*> island_of(std::vector<ArticulatedBody>& bodies) {
  std::vector<ArticulatedBody*> island;
  for (ArticulatedBody& body : bodies) island.push_back(&body);
  return island;
}

/// On level ground.
void run(const std::vector<ArticulatedBody*>& island, int seconds) {
  const Ground ground;
  for (int i = 0; i < 480 * seconds; ++i) {
    step_island(island, ground, StepSettings{}, test::workspace());
  }
}

double deepest(const std::vector<ArticulatedBody>& bodies) {
  double depth = 0;
  for (const ArticulatedBody& body : bodies) {
    for (const ContactPoint& point : body.contacts()) depth = std::max(depth, point.depth);
  }
  return depth;
}

TEST(Pile, TenCratesStandWithoutDrifting) {
  for (const double half : {0.005, 0.025, 0.25, 1.0}) {
    const double mass = 1280 * half * half * half;  // 20 kg for half a metre
    std::vector<ArticulatedBody> crates;
    for (int i = 0; i < 10; ++i) {
      crates.push_back(
          put(hard_box(mass, Vec3::Constant(half)),
              above(0.04 * half * (i % 3 - 1), 0.05 * half * (i % 2), half + 2 * half * i)));
    }
    const auto island = island_of(crates);
    run(island, 2);
    std::vector<Vec3> settled;
    for (const ArticulatedBody& crate : crates) {
      settled.push_back(crate.links()[0].position);
      EXPECT_LT(crate.fastest_point(), 0.02);
    }
    run(island, 60);
    double drift = 0;
    for (std::size_t i = 0; i < crates.size(); ++i) {
      drift = std::max(drift, (crates[i].links()[0].position - settled[i]).norm());
    }
    std::printf("ten crates of %g kg: drift in 60 s %.5f mm, deepest %.4f mm\n", mass, 1000 * drift,
                1000 * deepest(crates));
    EXPECT_LT(drift, 0.004 * half);
    EXPECT_LT(deepest(crates), 0.01 * half);
  }
}

TEST(Pile, PlanksThrownAcrossEachOtherComeToRest) {
  const auto plank = hard_box(9, Vec3(1.2, 0.12, 0.02));
  std::vector<ArticulatedBody> planks;
  for (int i = 0; i < 30; ++i) {
    Pose pose = above(0.3 * std::cos(2.4 * i), 0.3 * std::sin(2.4 * i), 0.2 + 0.25 * i);
    pose.rotation = rotation_z(1.3 * i) * quat_from_rotation_vector(Vec3(0.1 * (i % 5), 0, 0));
    planks.push_back(put(plank, pose));
  }
  run(island_of(planks), 12);
  double fastest = 0;
  for (const ArticulatedBody& one : planks) fastest = std::max(fastest, one.fastest_point());
  std::printf("thirty planks after 12 s: fastest %.4f m/s, deepest %.2f mm\n", fastest,
              1000 * deepest(planks));
  EXPECT_LT(fastest, 0.02);
  EXPECT_LT(deepest(planks), 2e-3);
}

TEST(Pile, LightCarriesHeavyWithoutSinkingIn) {
  std::vector<ArticulatedBody> two;
  two.push_back(put(hard_box(2, Vec3(0.2, 0.2, 0.02)), above(0, 0, 0.02)));
  two.push_back(put(hard_box(80, Vec3(0.2, 0.2, 0.3)), above(0, 0, 0.34)));
  run(island_of(two), 3);
  EXPECT_LT(deepest(two), 1e-3);
  EXPECT_NEAR(two[1].links()[0].position.z(), 0.34, 2e-3);
}

TEST(Pile, BlockOnASlopeHoldsToTheAngleOfFrictionAndSlidesBeyond) {
  // The slope leans by tilting what pulls on a block on level ground.
  for (const double share : {0.99, 1.1}) {
    std::vector<ArticulatedBody> block;
    block.push_back(put(hard_box(20, Vec3(0.25, 0.25, 0.1)), above(0, 0, 0.1)));
    const auto island = island_of(block);
    const Ground ground({}, 0.8);
    const double weight = 20 * StepSettings{}.gravity;
    const double push = share * 0.8 * weight;
    double start = 0;
    for (int i = 0; i < 480 * 3; ++i) {
      if (i == 480) start = block[0].links()[0].position.x();
      if (i >= 480) block[0].add_force({0, Vec3(block[0].links()[0].position), Vec3(push, 0, 0)});
      step_island(island, ground, StepSettings{}, test::workspace());
    }
    const double moved = block[0].links()[0].position.x() - start;
    const double closed = share < 1 ? 0 : 0.5 * (push - 0.8 * weight) / 20 * 4;
    std::printf("pushed with %.2f of the greatest friction: %.5f m in 2 s, closed form %.5f m\n",
                share, moved, closed);
    EXPECT_NEAR(moved, closed, share < 1 ? 1e-4 : 0.01 * closed);
  }
}

TEST(Pile, HeapOfManyComesToRest) {
  std::vector<ArticulatedBody> things;
  for (int i = 0; i < 60; ++i) {
    const auto model = i % 3 == 0   ? hard_box(12, Vec3(0.2, 0.2, 0.2))
                       : i % 3 == 1 ? hard_capsule(5, 0.2, 0.12)
                                    : hard_box(3, Vec3(0.3, 0.1, 0.05));
    Pose pose = above(0.5 * std::cos(2.4 * i), 0.5 * std::sin(2.4 * i), 0.4 + 0.1 * i);
    pose.rotation = quat_from_rotation_vector(Vec3(0.7 * i, 0.3 * i, 0.2 * i));
    things.push_back(put(model, pose));
  }
  run(island_of(things), 8);
  int moving = 0;
  for (const ArticulatedBody& thing : things) {
    EXPECT_TRUE(thing.finite());
    EXPECT_GT(thing.links()[0].position.z(), 0.04);
    moving += thing.fastest_point() > 0.1;
  }
  std::printf("heap of 60: %d move after 8 s, deepest %.2f mm\n", moving, 1000 * deepest(things));
  EXPECT_LE(moving, 20) << "some roll on";
  EXPECT_LT(deepest(things), 0.01);
}

TEST(Pile, RollingEnds) {
  ArticulatedBody barrel = put(hard_capsule(20, 0.3, 0.3), above(0, 0, 0.3));
  ArticulationState state = barrel.state();
  state.velocity[0] = 1.5;
  state.velocity[4] = 1.5 / 0.3;
  barrel.set_state(state);
  const Ground ground;
  for (int i = 0; i < 480 * 20; ++i) test::step(barrel, ground, StepSettings{});
  EXPECT_LT(barrel.fastest_point(), 0.01);
  EXPECT_GT(barrel.links()[0].position.x(), 1.5);
}

TEST(Sleep, ASleepingCrateCarriesWithoutMovingAndTellsWhatTouchedIt) {
  for (const bool first : {false, true}) {
    ArticulatedBody low = put(hard_box(20, Vec3::Constant(0.25)), above(0, 0, 0.25));
    ArticulatedBody high = put(hard_box(20, Vec3::Constant(0.25)), above(0, 0, 0.9));
    low.set_asleep(true);
    const Ground ground;
    const std::array<ArticulatedBody*, 2> both =
        first ? std::array{&low, &high} : std::array{&high, &low};
    const ArticulatedBody untouched = put(hard_box(20, Vec3::Constant(0.25)), above(0, 0, 0.25));
    double speed = 0;
    for (int i = 0; i < 480 * 2; ++i) {
      step_island(both, ground, StepSettings{}, test::workspace());
      speed = std::max(speed, low.take_disturbance().speed);
    }
    EXPECT_TRUE(test::same_state(low, untouched));
    EXPECT_NEAR(speed, std::sqrt(2 * 9.8 * 0.15), 0.1);
    EXPECT_NEAR(high.links()[0].position.z(), 0.75, 1e-3);
    step_island(both, ground, StepSettings{}, test::workspace());
    EXPECT_NEAR(low.take_disturbance().force, 20 * 9.8, 20);
    low.set_asleep(false);
    for (int i = 0; i < 480; ++i) {
      step_island(both, ground, StepSettings{}, test::workspace());
    }
    EXPECT_NEAR(high.links()[0].position.z(), 0.75, 2e-3);
    EXPECT_LT(low.kinetic_energy(), 1e-5);
  }
}

}  // namespace
}  // namespace promenade::physics
