#include "stream/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "math/rotation.h"

namespace promenade::stream {
namespace {

double angle_between(const Quat& a, const Quat& b) { return a.angularDistance(b); }

TEST(Quantize, RoundsToTheNearestUnit) {
  EXPECT_EQ(quantize(0.00149, 0.001), 1);
  EXPECT_EQ(quantize(0.00151, 0.001), 2);
  EXPECT_EQ(quantize(-0.00151, 0.001), -2);
}

TEST(Quantize, KeepsNumbersThatNoOneExpectsWithin32Bits) {
  EXPECT_EQ(quantize(1e300, 0.001), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(quantize(-1e300, 0.001), -std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(quantize(std::nan(""), 0.001), 0);
  EXPECT_EQ(quantize(INFINITY, 0.001), 0);
}

TEST(PackRotation, KeepsTheIdentityExactly) {
  EXPECT_TRUE(unpack_rotation(pack_rotation(Quat::Identity())).coeffs() ==
              Quat::Identity().coeffs());
}

TEST(PackRotation, StaysWithinTheStatedErrorForAnyRotation) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const Quat q =
        Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
    worst = std::max(worst, angle_between(q, unpack_rotation(pack_rotation(q))));
  }
  EXPECT_LT(worst, kMaxRotationError);
  EXPECT_GT(worst, kMaxRotationError / 4) << "the documented bound is far from what happens";
}

TEST(PackRotation, TakesAQuaternionAndItsNegativeForTheSame) {
  const Quat q = rotation_z(2.0) * rotation_x(0.5);
  EXPECT_EQ(pack_rotation(q), pack_rotation(Quat(-q.w(), -q.x(), -q.y(), -q.z())));
}

TEST(PackRotation, LeavesOutEachComponentInItsTurn) {
  EXPECT_EQ(pack_rotation(Quat(1, 0, 0, 0)) >> 30, 3u);
  EXPECT_EQ(pack_rotation(Quat(0, 1, 0, 0)) >> 30, 0u);
  EXPECT_EQ(pack_rotation(Quat(0, 0, 1, 0)) >> 30, 1u);
  EXPECT_EQ(pack_rotation(Quat(0, 0, 0, 1)) >> 30, 2u);
  EXPECT_EQ(pack_rotation(Quat::Identity()), 3u << 30 | 511u << 20 | 511u << 10 | 511u);
}

TEST(PackRotation, TurnsWhatIsNoRotationIntoTheIdentity) {
  const std::uint32_t identity = pack_rotation(Quat::Identity());
  EXPECT_EQ(pack_rotation(Quat(0, 0, 0, 0)), identity);
  EXPECT_EQ(pack_rotation(Quat(std::nan(""), 0, 0, 1)), identity);
}

}  // namespace
}  // namespace promenade::stream
