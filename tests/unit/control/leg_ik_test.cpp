#include "control/leg_ik.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::control {
namespace {

constexpr double kUpper = 0.40, kLower = 0.46;

/// Where the ankle is for a thigh and a knee: the shank turns about the thigh's y by the knee's
/// angle.
Vec3 ankle_of(const Vec3& hip, const LegAngles& leg) {
  const Vec3 knee = hip - kUpper * leg.thigh.col(2);
  const Mat3 shank = leg.thigh * rotation_y(leg.knee).toRotationMatrix();
  return knee - kLower * shank.col(2);
}

TEST(LegIk, PutsTheAnkleWhereItShouldBe) {
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 hip(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.5, 1.5));
    const Vec3 down = Vec3(random.uniform(-0.8, 0.8), random.uniform(-0.5, 0.5), -1).normalized();
    const double distance = random.uniform(0.2, 0.998) * (kUpper + kLower);
    const Vec3 ankle = hip + distance * down;
    const LegAngles leg =
        solve_leg(hip, ankle, kUpper, kLower, Vec3::UnitY(), random.uniform(-0.5, 0.5));
    ASSERT_TRUE(leg.reachable);
    EXPECT_LT((ankle_of(hip, leg) - ankle).norm(), 1e-9);
    EXPECT_GE(leg.knee, 0);
    EXPECT_LT((leg.thigh * leg.thigh.transpose() - Mat3::Identity()).norm(), 1e-12);
    EXPECT_NEAR(leg.thigh.determinant(), 1, 1e-12);
  }
}

TEST(LegIk, KneeAngleIsTheLawOfCosines) {
  // A right angle between thigh and shank.
  const double distance = std::sqrt(kUpper * kUpper + kLower * kLower);
  const LegAngles leg =
      solve_leg(Vec3(0, 0, 1), Vec3(0, 0, 1 - distance), kUpper, kLower, Vec3::UnitY(), 0);
  EXPECT_NEAR(leg.knee, kPi / 2, 1e-12);
  // The knee points forward: the thigh's lower end is ahead of the hip.
  EXPECT_GT(-leg.thigh.col(2).x(), 0.1);
}

TEST(LegIk, StretchesTowardsWhatIsTooFar) {
  const Vec3 hip(0, 0, 1), far(0.5, 0.2, -1);
  const LegAngles leg = solve_leg(hip, far, kUpper, kLower, Vec3::UnitY(), 0);
  EXPECT_FALSE(leg.reachable);
  const Vec3 reached = ankle_of(hip, leg) - hip;
  EXPECT_NEAR(reached.norm(), 0.999 * (kUpper + kLower), 1e-9);
  EXPECT_LT(reached.normalized().cross((far - hip).normalized()).norm(), 1e-9) << "same direction";
}

TEST(LegIk, StaysFiniteWhereThereIsNoSolution) {
  for (const Vec3& ankle : {Vec3(0, 0, 1), Vec3(0, 1e-13, 1), Vec3(0, 0.5, 1), Vec3(0, -3, 1)}) {
    const LegAngles leg = solve_leg(Vec3(0, 0, 1), ankle, kUpper, kLower, Vec3::UnitY(), 0.3);
    EXPECT_TRUE(leg.thigh.allFinite());
    EXPECT_TRUE(std::isfinite(leg.knee));
  }
}

TEST(LegIk, TwistTurnsTheKneeAboutTheLineFromHipToAnkle) {
  const Vec3 hip(0, 0, 1), ankle(0, 0, 0.25);
  const Vec3 ahead = -solve_leg(hip, ankle, kUpper, kLower, Vec3::UnitY(), 0).thigh.col(2);
  const double twist = 0.4;
  const Vec3 turned = -solve_leg(hip, ankle, kUpper, kLower, Vec3::UnitY(), twist).thigh.col(2);
  const Vec3 expected = Eigen::AngleAxisd(twist, -Vec3::UnitZ()) * ahead;
  EXPECT_LT((turned - expected).norm(), 1e-9);
  const LegAngles mirrored = solve_leg(hip, ankle, kUpper, kLower, Vec3::UnitY(), -twist);
  EXPECT_NEAR(-mirrored.thigh.col(2).y(), -turned.y(), 1e-12);
}

}  // namespace
}  // namespace promenade::control
