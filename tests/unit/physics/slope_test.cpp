#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

constexpr double kHalf = 0.5;  // m, of the slope's thickness

/// A plank that falls towards +x by `angle`, all of it above the ground.
GroundBlock slope(double angle) {
  GroundBlock box;
  box.pose.rotation = rotation_y(angle);
  box.pose.position = Vec3(0, 0, 8);
  box.half = Vec3(6, 3, kHalf);
  return box;
}

/// A flat box lying on it, near the top.
ArticulatedBody rider(const GroundBlock& on) {
  const Vec3 half(0.2, 0.2, 0.05);
  ArticulatedBody body(test::box_model(5, half));
  Pose pose = on.pose;
  pose.position += on.pose.rotation * Vec3(-3, 0, kHalf + half.z() - 1e-5);
  body.set_state(ArticulatedBody::zero_state(body.model(), pose));
  return body;
}

TEST(Slope, BoxSticksWhereFrictionHolds) {
  const GroundBlock box = slope(30 * kRadFromDeg);
  const Ground ground({box}, 0.8);
  ArticulatedBody body = rider(box);
  for (int i = 0; i < 240; ++i) test::step(body, ground, StepSettings{});
  const Vec3 settled = body.state().root.position;
  for (int i = 0; i < 480 * 5; ++i) test::step(body, ground, StepSettings{});
  EXPECT_LT((body.state().root.position - settled).norm(), 1e-4);
  EXPECT_LT((test::contact_force(body) - Vec3(0, 0, 5 * 9.8)).norm(), 0.05);
}

TEST(Slope, BoxSlidesWithTheAccelerationOfTheClosedForm) {
  const double angle = 45 * kRadFromDeg;
  const GroundBlock box = slope(angle);
  const Ground ground({box}, 0.8);
  ArticulatedBody body = rider(box);
  const auto speed = [&] {
    return Eigen::Map<const Vec3>(body.state().velocity.data())
        .dot(box.pose.rotation * Vec3::UnitX());
  };
  for (int i = 0; i < 240; ++i) test::step(body, ground, StepSettings{});
  const double before = speed();
  for (int i = 0; i < 480; ++i) test::step(body, ground, StepSettings{});
  const double expected = 9.8 * (std::sin(angle) - 0.8 * std::cos(angle));
  EXPECT_NEAR(speed() - before, expected, 0.02 * expected);
}

TEST(Slope, FrictionlessBoxFallsAlongTheSlope) {
  const double angle = 20 * kRadFromDeg;
  const GroundBlock box = slope(angle);
  const Ground ground({box}, 0);
  ArticulatedBody body = rider(box);
  for (int i = 0; i < 240; ++i) test::step(body, ground, StepSettings{});
  const Vec3 v = Eigen::Map<const Vec3>(body.state().velocity.data());
  EXPECT_NEAR(v.dot(box.pose.rotation * Vec3::UnitX()), 9.8 * std::sin(angle) * 0.5, 0.01);
  EXPECT_NEAR(v.dot(box.pose.rotation * Vec3::UnitZ()), 0, 0.01);
}

}  // namespace
}  // namespace promenade::physics
