#include "math/rotation.h"

#include <gtest/gtest.h>

#include "math/random.h"

namespace promenade {
namespace {

TEST(Rotation, WrapsAnglesIntoHalfOpenRange) {
  EXPECT_DOUBLE_EQ(wrap_angle(kPi), kPi);
  EXPECT_DOUBLE_EQ(wrap_angle(-kPi), kPi);
  EXPECT_NEAR(wrap_angle(7 * kPi + 0.1), -kPi + 0.1, 1e-12);
  EXPECT_NEAR(wrap_angle(-0.2 + 20 * kTwoPi), -0.2, 1e-12);
}

TEST(Rotation, VectorAndQuaternionAreInverse) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    Vec3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    v *= random.uniform(0, 3.1) / std::max(v.norm(), 1e-9);
    const Quat q = quat_from_rotation_vector(v);
    EXPECT_NEAR(q.norm(), 1, 1e-12);
    EXPECT_LT((rotation_vector(q) - v).norm(), 1e-9);
    EXPECT_LT((rotation_vector(Quat(-q.w(), -q.x(), -q.y(), -q.z())) - v).norm(), 1e-9);
  }
  EXPECT_LT(
      (rotation_vector(quat_from_rotation_vector(Vec3(1e-12, 0, 0))) - Vec3(1e-12, 0, 0)).norm(),
      1e-15);
}

// x forward, y left, z up, right-handed: what the signs in body and style files rest on.
TEST(Rotation, PositivePitchTakesForwardDown) {
  EXPECT_LT((rotation_y(kPi / 2) * Vec3::UnitX() + Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_LT((rotation_z(kPi / 2) * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-12);
  EXPECT_LT((rotation_x(kPi / 2) * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Rotation, TwistIsTheTurnByTheHeading) {
  Random random(12);
  for (int i = 0; i < 50; ++i) {
    const Quat q = rotation_z(random.uniform(-3, 3)) * rotation_y(random.uniform(-1, 1)) *
                   rotation_x(random.uniform(-1, 1));
    EXPECT_LT(twist_of(q).angularDistance(rotation_z(heading_of(q))), 1e-7);
  }
  EXPECT_LT(twist_of(rotation_x(kPi)).angularDistance(Quat::Identity()), 1e-7) << "upside down";
}

TEST(Rotation, HeadingIsTheTurnAboutTheVertical) {
  for (double heading : {-3.0, -1.0, 0.0, 0.5, 2.9}) {
    EXPECT_NEAR(heading_of(rotation_z(heading)), heading, 1e-12);
    EXPECT_NEAR(heading_of(rotation_z(heading) * rotation_y(0.3)), heading, 1e-9);
    EXPECT_LT((rotated(Vec2(1, 0), heading) - Vec2(std::cos(heading), std::sin(heading))).norm(),
              1e-12);
  }
}

}  // namespace
}  // namespace promenade
