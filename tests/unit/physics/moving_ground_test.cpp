#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

GroundBlock platform(const Vec3& center, const Vec3& half, const BlockMotion& motion) {
  GroundBlock block;
  block.pose.position = center;
  block.half = half;
  block.motion = std::make_shared<const BlockMotion>(motion);
  return block;
}

ArticulatedBody crate_on(const Vec3& top) {
  const Vec3 half(0.2, 0.15, 0.1);
  ArticulatedBody body(test::box_model(8, half));
  Pose pose;
  pose.position = top + Vec3(0, 0, half.z());
  body.set_state(ArticulatedBody::zero_state(body.model(), pose));
  return body;
}

/// Steps on from `time`. @return the time afterwards
double run(ArticulatedBody& body, const Ground& ground, double time, double seconds) {
  StepSettings settings;
  const int steps = static_cast<int>(std::lround(seconds / settings.dt));
  for (int i = 0; i < steps; ++i) {
    settings.time = time + i * settings.dt;
    test::step(body, ground, settings);
  }
  return time + steps * settings.dt;
}

Vec3 velocity_of(const ArticulatedBody& body) {
  return Eigen::Map<const Vec3>(body.state().velocity.data());
}

TEST(MovingGround, BlockIsWhereItsClosedFormSaysAndGoesBackTheSameWay) {
  BlockMotion motion;
  motion.path = {Vec3(0, 0, 2), Vec3(3, 0, 2)};
  motion.speed = 0.5;
  motion.pause = 1;
  const Ground ground({platform(Vec3(0, 0, 0), Vec3(1, 1, 0.1), motion)});
  // 1 s at rest, 4 s up, 1 s at rest, 6 s along, then back: 24 s in all.
  const auto at = [&](double t) { return ground.block_at(0, t).pose.position; };
  EXPECT_EQ(at(0.9), Vec3(0, 0, 0));
  EXPECT_LT((at(3) - Vec3(0, 0, 1)).norm(), 1e-12);
  EXPECT_LT((at(5.5) - Vec3(0, 0, 2)).norm(), 1e-12);
  EXPECT_LT((at(9) - Vec3(1.5, 0, 2)).norm(), 1e-12);
  EXPECT_LT((at(12.5) - Vec3(3, 0, 2)).norm(), 1e-12);
  EXPECT_LT((at(16) - Vec3(1.5, 0, 2)).norm(), 1e-12);
  EXPECT_LT((at(3 + 24 * 1000.0) - Vec3(0, 0, 1)).norm(), 1e-9);
  for (double t = 0.05; t < 24; t += 0.37) {
    const Vec3 slope = (at(t + 1e-5) - at(t - 1e-5)) / 2e-5;
    EXPECT_LT((ground.block_at(0, t).velocity - slope).norm(), 1e-6) << t;
  }
}

TEST(MovingGround, ClosedPathGoesRound) {
  BlockMotion motion;
  motion.path = {Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
  motion.closed = true;
  motion.speed = 1;
  const Ground ground({platform(Vec3(0, 0, 0), Vec3(1, 1, 0.1), motion)});
  EXPECT_LT((ground.block_at(0, 3.5).pose.position - Vec3(0, 0.5, 0)).norm(), 1e-12);
  EXPECT_LT((ground.block_at(0, 4.5).pose.position - Vec3(0.5, 0, 0)).norm(), 1e-12);
}

TEST(MovingGround, LiftCarriesWhatStandsOnIt) {
  BlockMotion motion;
  motion.path = {Vec3(0, 0, 1.5)};
  motion.speed = 0.5;
  motion.pause = 0.5;
  const Ground ground({platform(Vec3(0, 0, 0.1), Vec3(1, 1, 0.1), motion)});
  ArticulatedBody body = crate_on(Vec3(0.2, 0.1, 0.2));
  const double top = run(body, ground, 0, 3.5);  // at rest above
  EXPECT_NEAR(body.state().root.position.z(), 1.6 + 0.1, 1e-3);
  const GroundPoint under = ground.at(0.2, 0.1, top);
  EXPECT_NEAR(under.height, 1.6, 1e-9);
  run(body, ground, top, 1.5);  // on its way down
  const double down = ground.block_at(0, top + 1.5).velocity.z();
  EXPECT_LT(down, -0.5);
  EXPECT_NEAR(velocity_of(body).z(), down, 0.02);
  EXPECT_NEAR(body.state().root.position.x(), 0.2, 1e-4);
}

TEST(MovingGround, ConveyorBringsABlockToItsSpeed) {
  BlockMotion motion;
  motion.surface = Vec2(1.2, 0);
  GroundBlock belt = platform(Vec3(0, 0, 0.1), Vec3(8, 1, 0.1), motion);
  belt.pose.rotation = rotation_z(0.5);
  belt.material = Material{0.5, 0};
  const Ground ground({belt});
  ArticulatedBody body = crate_on(Vec3(0, 0, 0.2));
  const Vec3 along = rotation_z(0.5) * Vec3::UnitX();
  run(body, ground, 0, 0.15);
  EXPECT_NEAR(velocity_of(body).dot(along), 0.5 * 9.8 * 0.15, 0.02 * 0.5 * 9.8 * 0.15);
  run(body, ground, 0, 2);
  EXPECT_NEAR(velocity_of(body).dot(along), 1.2, 1e-3);
  EXPECT_LT((velocity_of(body) - 1.2 * along).norm(), 2e-3);
  EXPECT_LT((ground.at(0, 0).velocity - 1.2 * along).norm(), 1e-12);
}

TEST(MovingGround, TurntableTurnsWhatStandsOnIt) {
  BlockMotion motion;
  motion.spin = 0.8;
  const Ground ground({platform(Vec3(2, 1, 0.1), Vec3(1.5, 1.5, 0.1), motion)});
  ArticulatedBody body = crate_on(Vec3(2.6, 1, 0.2));
  run(body, ground, 0, 1);  // friction brings it along
  const Vec3 center(2, 1, 0);
  const Vec3 before = body.state().root.position - center;
  const double heading = heading_of(body.state().root.rotation);
  run(body, ground, 1, 2);
  const Vec3 after = body.state().root.position - center;
  EXPECT_NEAR(after.head<2>().norm(), before.head<2>().norm(), 0.005);
  EXPECT_LT((after.head<2>() - rotated(before.head<2>(), 1.6)).norm(), 0.01);
  EXPECT_NEAR(wrap_angle(heading_of(body.state().root.rotation) - heading), 1.6, 0.01);
  EXPECT_LT((ground.at(2.6, 1, 0.3).velocity - Vec3(0, 0.48, 0)).norm(), 1e-12);
}

TEST(MovingGround, StepsInPartsSeeTheGroundMoveWithinTheStep) {
  BlockMotion motion;
  motion.path = {Vec3(0, 0, 1.1)};
  motion.speed = 1;
  const Ground ground({platform(Vec3(0, 0, 0.1), Vec3(1, 1, 0.1), motion)});
  ArticulatedBody fine = crate_on(Vec3(0, 0, 0.2));
  fine.set_fine(true);
  run(fine, ground, 0, 0.5);
  const BlockNow now = ground.block_at(0, 0.5);
  EXPECT_NEAR(fine.state().root.position.z(), now.pose.position.z() + 0.2, 1e-3);
  EXPECT_NEAR(velocity_of(fine).z(), now.velocity.z(), 0.02);
}

}  // namespace
}  // namespace promenade::physics
