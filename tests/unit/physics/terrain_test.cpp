#include "physics/terrain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/rotation.h"

namespace promenade::physics {
namespace {

TerrainBox box_at(const Vec3& position, const Quat& rotation, const Vec3& half) {
  TerrainBox box;
  box.pose.position = position;
  box.pose.rotation = rotation;
  box.half = half;
  return box;
}

TEST(Terrain, IsFlatGroundWithoutBoxes) {
  const Terrain terrain;
  EXPECT_EQ(terrain.height(3, -7), 0);
  EXPECT_EQ(terrain.normal(3, -7), Vec3::UnitZ());
}

TEST(Terrain, StepHasTheHeightOfItsTopInsideItsEdges) {
  const Terrain terrain({box_at(Vec3(2, 1, 0.1), Quat::Identity(), Vec3(0.5, 0.25, 0.1))});
  EXPECT_NEAR(terrain.height(2, 1), 0.2, 1e-12);
  EXPECT_NEAR(terrain.height(2.499, 1.249), 0.2, 1e-12);
  EXPECT_EQ(terrain.height(2.501, 1), 0);
  EXPECT_EQ(terrain.height(2, 1.251), 0);
  EXPECT_EQ(terrain.normal(2, 1), Vec3::UnitZ());
}

TEST(Terrain, TurnedStepHasTurnedEdges) {
  const Terrain terrain({box_at(Vec3(0, 0, 0.1), rotation_z(kPi / 4), Vec3(1, 1, 0.1))});
  EXPECT_NEAR(terrain.height(1.4, 0), 0.2, 1e-12);  // a corner is at sqrt 2
  EXPECT_EQ(terrain.height(1.43, 0), 0);
  EXPECT_EQ(terrain.height(0.8, 0.8), 0);
  EXPECT_LT((terrain.normal(1.4, 0) - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Terrain, PitchedBoxIsARamp) {
  // Nose up: pitch about y is negative for a rise towards +x.
  const double pitch = 0.2;
  const TerrainBox ramp = box_at(Vec3(1, 2, 0.5), rotation_y(-pitch), Vec3(2, 1, 0.1));
  const Terrain terrain({ramp});
  for (const double x : {-0.5, 0.3, 1.0, 2.4}) {
    const double top = 0.5 + 0.1 / std::cos(pitch) + (x - 1) * std::tan(pitch);
    EXPECT_NEAR(terrain.height(x, 2.5), top, 1e-12) << x;
    EXPECT_LT((terrain.normal(x, 2.5) - Vec3(-std::sin(pitch), 0, std::cos(pitch))).norm(), 1e-12);
  }
}

TEST(Terrain, EndFaceOfASteepRampIsSeenFromAbove) {
  const Terrain terrain({box_at(Vec3(0, 0, 1), rotation_y(-kPi / 4), Vec3(1, 1, 0.2))});
  // Beyond the top's edge the vertical line leaves through the end face, whose normal points on.
  const double edge = std::sqrt(0.5) * (1 - 0.2);
  EXPECT_LT((terrain.normal(edge + 0.05, 0) - std::sqrt(0.5) * Vec3(1, 0, 1)).norm(), 1e-12);
  EXPECT_LT((terrain.normal(edge - 0.05, 0) - std::sqrt(0.5) * Vec3(-1, 0, 1)).norm(), 1e-12);
}

TEST(Terrain, PitchedAndTurnedRampRisesAlongItsOwnAxis) {
  const double yaw = 2.1, pitch = 0.3;
  const Quat rotation = rotation_z(yaw) * rotation_y(-pitch);
  const Terrain terrain({box_at(Vec3(3, -1, 1), rotation, Vec3(2, 1, 0.1))});
  const Vec2 along = rotated(Vec2(1, 0), yaw), across = rotated(Vec2(0, 1), yaw);
  const Vec2 p = Vec2(3, -1) + 0.7 * along + 0.4 * across;
  EXPECT_NEAR(terrain.height(p.x(), p.y()), 1 + 0.1 / std::cos(pitch) + 0.7 * std::tan(pitch),
              1e-12);
  EXPECT_LT((terrain.normal(p.x(), p.y()) - rotation * Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Terrain, HighestOfStackedBoxesCounts) {
  const Terrain terrain({box_at(Vec3(0, 0, 0.3), Quat::Identity(), Vec3(0.5, 0.5, 0.1)),
                         box_at(Vec3(0, 0, 0.1), Quat::Identity(), Vec3(1, 1, 0.1)),
                         box_at(Vec3(0, 0, -2), rotation_y(0.3), Vec3(1, 1, 0.1))});
  EXPECT_NEAR(terrain.height(0, 0), 0.4, 1e-12);
  EXPECT_NEAR(terrain.height(0.7, 0), 0.2, 1e-12);
  EXPECT_EQ(terrain.normal(0.7, 0), Vec3::UnitZ());
}

}  // namespace
}  // namespace promenade::physics
