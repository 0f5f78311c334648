#include "physics/ground/ground.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "math/rotation.h"

namespace promenade::physics {
namespace {

GroundBlock box_at(const Vec3& position, const Quat& rotation, const Vec3& half) {
  GroundBlock box;
  box.pose.position = position;
  box.pose.rotation = rotation;
  box.half = half;
  return box;
}

TEST(Ground, IsFlatGroundWithoutBoxes) {
  const Ground ground;
  EXPECT_EQ(ground.height(3, -7), 0);
  EXPECT_EQ(ground.at(3, -7).normal, Vec3::UnitZ());
}

TEST(Ground, StepHasTheHeightOfItsTopInsideItsEdges) {
  const Ground ground({box_at(Vec3(2, 1, 0.1), Quat::Identity(), Vec3(0.5, 0.25, 0.1))});
  EXPECT_NEAR(ground.height(2, 1), 0.2, 1e-12);
  EXPECT_NEAR(ground.height(2.499, 1.249), 0.2, 1e-12);
  EXPECT_EQ(ground.height(2.501, 1), 0);
  EXPECT_EQ(ground.height(2, 1.251), 0);
  EXPECT_EQ(ground.at(2, 1).normal, Vec3::UnitZ());
}

TEST(Ground, IsAsHighAsTheHighestOfManyBlocks) {
  std::mt19937 random(4);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  std::vector<GroundBlock> blocks;
  for (int i = 0; i < 40; ++i) {
    const double size = std::pow(10, between(-1, 1));
    blocks.push_back(box_at(Vec3(between(-20, 20), between(-5, 30), between(-1, 1)),
                            rotation_z(between(-3, 3)) * rotation_y(between(-1, 1)),
                            Vec3(size, between(0.1, 2), between(0.05, 1))));
    if (i % 4 != 0) continue;
    BlockMotion motion;
    motion.path = {Vec3(between(-20, 20), between(-5, 30), between(-1, 1))};
    motion.speed = 2;
    motion.spin = between(-1, 1);
    blocks.back().motion = std::make_shared<const BlockMotion>(motion);
  }
  const Ground all(blocks);
  std::vector<std::unique_ptr<const Ground>> alone;
  for (const GroundBlock& block : blocks) {
    alone.push_back(std::make_unique<const Ground>(std::vector{block}));
  }
  int covered = 0;
  for (int i = 0; i < 5000; ++i) {
    const double x = between(-40, 40), y = between(-30, 50), time = between(0, 30);
    double highest = 0;
    for (const auto& ground : alone) highest = std::max(highest, ground->height(x, y, time));
    EXPECT_EQ(all.height(x, y, time), highest) << x << " " << y << " at " << time;
    covered += highest > 0;
  }
  EXPECT_GT(covered, 100);
  EXPECT_EQ(all.height(std::nan(""), 0), 0);
}

TEST(Ground, TurnedStepHasTurnedEdges) {
  const Ground ground({box_at(Vec3(0, 0, 0.1), rotation_z(kPi / 4), Vec3(1, 1, 0.1))});
  EXPECT_NEAR(ground.height(1.4, 0), 0.2, 1e-12);  // a corner is at sqrt 2
  EXPECT_EQ(ground.height(1.43, 0), 0);
  EXPECT_EQ(ground.height(0.8, 0.8), 0);
  EXPECT_LT((ground.at(1.4, 0).normal - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Ground, PitchedBoxIsARamp) {
  // Nose up: pitch about y is negative for a rise towards +x.
  const double pitch = 0.2;
  const GroundBlock ramp = box_at(Vec3(1, 2, 0.5), rotation_y(-pitch), Vec3(2, 1, 0.1));
  const Ground ground({ramp});
  for (const double x : {-0.5, 0.3, 1.0, 2.4}) {
    const double top = 0.5 + 0.1 / std::cos(pitch) + (x - 1) * std::tan(pitch);
    EXPECT_NEAR(ground.height(x, 2.5), top, 1e-12) << x;
    EXPECT_LT((ground.at(x, 2.5).normal - Vec3(-std::sin(pitch), 0, std::cos(pitch))).norm(),
              1e-12);
  }
}

TEST(Ground, EndFaceOfASteepRampIsSeenFromAbove) {
  const Ground ground({box_at(Vec3(0, 0, 1), rotation_y(-kPi / 4), Vec3(1, 1, 0.2))});
  // Beyond the top's edge the vertical line leaves through the end face, whose normal points on.
  const double edge = std::sqrt(0.5) * (1 - 0.2);
  EXPECT_LT((ground.at(edge + 0.05, 0).normal - std::sqrt(0.5) * Vec3(1, 0, 1)).norm(), 1e-12);
  EXPECT_LT((ground.at(edge - 0.05, 0).normal - std::sqrt(0.5) * Vec3(-1, 0, 1)).norm(), 1e-12);
}

TEST(Ground, PitchedAndTurnedRampRisesAlongItsOwnAxis) {
  const double yaw = 2.1, pitch = 0.3;
  const Quat rotation = rotation_z(yaw) * rotation_y(-pitch);
  const Ground ground({box_at(Vec3(3, -1, 1), rotation, Vec3(2, 1, 0.1))});
  const Vec2 along = rotated(Vec2(1, 0), yaw), across = rotated(Vec2(0, 1), yaw);
  const Vec2 p = Vec2(3, -1) + 0.7 * along + 0.4 * across;
  EXPECT_NEAR(ground.height(p.x(), p.y()), 1 + 0.1 / std::cos(pitch) + 0.7 * std::tan(pitch),
              1e-12);
  EXPECT_LT((ground.at(p.x(), p.y()).normal - rotation * Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Ground, HighestOfStackedBoxesCounts) {
  const Ground ground({box_at(Vec3(0, 0, 0.3), Quat::Identity(), Vec3(0.5, 0.5, 0.1)),
                       box_at(Vec3(0, 0, 0.1), Quat::Identity(), Vec3(1, 1, 0.1)),
                       box_at(Vec3(0, 0, -2), rotation_y(0.3), Vec3(1, 1, 0.1))});
  EXPECT_NEAR(ground.height(0, 0), 0.4, 1e-12);
  EXPECT_NEAR(ground.height(0.7, 0), 0.2, 1e-12);
  EXPECT_EQ(ground.at(0.7, 0).normal, Vec3::UnitZ());
}

HeightField hills() {
  HeightField field;
  field.center = Vec3(4, -2, 0.5);
  field.size = Vec2(6, 4);
  field.yaw = 0.4;
  field.columns = 13;
  field.rows = 9;
  for (int row = 0; row < field.rows; ++row) {
    for (int column = 0; column < field.columns; ++column) {
      field.height.push_back(
          static_cast<float>(0.3 * std::sin(0.9 * column) * std::cos(0.7 * row)));
    }
  }
  return field;
}

Pit pit_at(const Vec2& center, const Vec2& size, double depth) { return {center, size, depth}; }

TEST(Ground, NothingIsThereOverAPitWithoutAFloor) {
  GroundPlan plan;
  plan.pits = {pit_at(Vec2(2, 0), Vec2(1, 2), 0), pit_at(Vec2(5, 0), Vec2(1, 2), 0.75)};
  const Ground ground(plan);
  EXPECT_TRUE(ground.has_relief());
  EXPECT_FALSE(ground.at(2.4, 0.9).there);
  EXPECT_TRUE(ground.at(2.6, 0.9).there);
  EXPECT_EQ(ground.height(2, 0, 0, -7), -7);
  EXPECT_EQ(ground.at(5, 0).height, -0.75);
  EXPECT_EQ(ground.lowest(), -0.75);
}

TEST(Ground, WithoutAPlaneThereIsNothingBesideTheBlocks) {
  GroundPlan plan;
  plan.plane = false;
  plan.blocks = {box_at(Vec3(0, 0, -2), Quat::Identity(), Vec3(1, 1, 0.5))};
  const Ground ground(plan);
  EXPECT_FALSE(ground.at(1.1, 0).there);
  EXPECT_EQ(ground.at(0.9, 0).height, -1.5);
  EXPECT_EQ(ground.lowest(), -2.5);
}

TEST(Ground, UnderABridgeTheHighestSurfaceBelowIsFound) {
  const Ground ground({box_at(Vec3(0, 0, 2), Quat::Identity(), Vec3(1, 1, 0.1))});
  EXPECT_NEAR(ground.at(0, 0).height, 2.1, 1e-12);
  EXPECT_EQ(ground.at(0, 0, 0, 1.5).height, 0);
}

TEST(Ground, WhatHangsIsNoFloorAndWhatIsUnderItBears) {
  // A bar from 1.2 to 1.4 m over a step of 0.3 m.
  const Ground ground({box_at(Vec3(0, 0, 1.3), Quat::Identity(), Vec3(0.05, 2, 0.1)),
                       box_at(Vec3(0, 0, 0.15), Quat::Identity(), Vec3(0.5, 2, 0.15))});
  const Clearance under = ground.clearance(0, 1, 0, 1);
  EXPECT_NEAR(under.floor, 0.3, 1e-12);
  EXPECT_NEAR(under.ceiling, 1.2, 1e-12);
  const Clearance beside = ground.clearance(0.2, 1, 0, 1);
  EXPECT_NEAR(beside.floor, 0.3, 1e-12);
  EXPECT_EQ(beside.ceiling, kAnyHeight);
  // Too low to hang: it counts as ground.
  const Clearance high = ground.clearance(0, 1, 0, 1.25);
  EXPECT_NEAR(high.floor, 1.4, 1e-12);
  EXPECT_EQ(high.ceiling, kAnyHeight);
}

TEST(Ground, FloorIsTheHeightWhereNothingHangs) {
  const Ground ground({box_at(Vec3(0, 0, 0.2), rotation_z(0.4), Vec3(1, 0.3, 0.1)),
                       box_at(Vec3(1, 0.2, 0.1), rotation_y(0.2), Vec3(0.6, 0.6, 0.05))});
  for (double x = -1.5; x < 2; x += 0.13) {
    for (double y = -1; y < 1; y += 0.11) {
      EXPECT_EQ(ground.clearance(x, y, 0, kAnyHeight).floor, ground.height(x, y));
    }
  }
}

TEST(Ground, LastPatchOverAPointSaysItsMaterialWhateverLiesThere) {
  GroundPlan plan;
  plan.blocks = {box_at(Vec3(0, 0, 0.1), Quat::Identity(), Vec3(1, 1, 0.1))};
  plan.blocks[0].material = Material{0.5, 0.2};
  Patch ice, sand;
  ice.size = Vec2(4, 2);
  ice.yaw = kPi / 2;
  ice.material = Material{0.05, 0};
  sand.round = true;
  sand.size = Vec2(1, 0.5);
  sand.material = Material{1.1, 0};
  plan.patches = {ice, sand};
  const Ground ground(plan);
  EXPECT_EQ(ground.at(0.4, 0).friction, 1.1);
  EXPECT_EQ(ground.at(0.45, 0.2).friction, 0.05);  // outside the ellipse
  EXPECT_EQ(ground.at(0.99, 0).friction, 0.05);
  EXPECT_EQ(ground.at(0, 1.9).friction, 0.05);  // on the plane
  EXPECT_EQ(ground.at(1.5, 0).friction, 0.8);
}

TEST(Ground, ABlocksOwnMaterialCountsOnItsTop) {
  GroundPlan plan;
  plan.blocks = {box_at(Vec3(0, 0, 0.1), Quat::Identity(), Vec3(1, 1, 0.1))};
  plan.blocks[0].material = Material{0.5, 0.2};
  const Ground ground(plan);
  EXPECT_EQ(ground.at(0, 0).friction, 0.5);
  EXPECT_EQ(ground.at(0, 0).restitution, 0.2);
  EXPECT_EQ(ground.at(2, 0).friction, 0.8);
}

TEST(Ground, HeightFieldIsBilinearAndItsNormalIsThatOfItsHeights) {
  GroundPlan plan;
  plan.plane = false;
  plan.fields = {hills()};
  const Ground ground(plan);
  const HeightField& field = ground.plan().fields[0];
  // At a point of the grid, and half way to the next.
  const auto place = [&](double column, double row) {
    return Vec2(field.center.head<2>() + rotated(Vec2(0.5 * column - 3, 0.5 * row - 2), field.yaw));
  };
  const auto height = [&](const Vec2& p) { return ground.at(p.x(), p.y()).height; };
  const double one = 0.5 + double(field.height[3 * 13 + 4]);
  const double next = 0.5 + double(field.height[3 * 13 + 5]);
  EXPECT_NEAR(height(place(4, 3)), one, 1e-9);
  EXPECT_NEAR(height(place(4.5, 3)), 0.5 * (one + next), 1e-9);
  const Vec2 p = place(6.3, 2.6);
  const double h = 1e-6;
  const Vec3 slope(-(height(p + Vec2(h, 0)) - height(p - Vec2(h, 0))) / (2 * h),
                   -(height(p + Vec2(0, h)) - height(p - Vec2(0, h))) / (2 * h), 1);
  EXPECT_LT((ground.at(p.x(), p.y()).normal - slope.normalized()).norm(), 1e-7);
  EXPECT_FALSE(ground.at(place(-0.1, 3).x(), place(-0.1, 3).y()).there);
}

TEST(Ground, LevelGroundIsAskedInAFewNanoseconds) {
  const Ground ground;
  const GroundNow now(ground, 3);
  volatile double x = 0.3;
  double sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000000; ++i) sum += now.height(x, 0.1);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(sum, 0);
  EXPECT_LT(spent.count(), 0.2);  // 200 ns each: a busy machine's worth
}

}  // namespace
}  // namespace promenade::physics
