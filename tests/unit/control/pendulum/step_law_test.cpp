#include "control/pendulum/step_law.h"

#include <gtest/gtest.h>

#include <cmath>

namespace promenade::control::pendulum {
namespace {

// A stiff leg from a foot at `distance` ahead: what is left of the speed when the mass is above the
// foot, by energy alone (Kenwright2014 eq. 3.1 and 3.2).
double speed_above(double speed, double height, double distance) {
  const double upright = std::hypot(height, distance);
  return speed * speed - 2 * kGravity * (upright - height);
}

TEST(CaptureDistance, StopsAStiffPendulumUpright) {
  for (const double speed : {0.2, 0.7, 1.5, 3.0}) {
    for (const double height : {0.5, 1.0, 1.3}) {
      const double d = capture_distance(speed, height);
      EXPECT_NEAR(speed_above(speed, height, d), 0, 1e-9) << speed << " " << height;
    }
  }
}

TEST(CaptureDistance, IsOddInTheSpeed) {
  EXPECT_DOUBLE_EQ(capture_distance(-0.8, 1), -capture_distance(0.8, 1));
  EXPECT_DOUBLE_EQ(capture_distance(0, 1), 0);
}

TEST(CaptureDistance, IsShorterUphill) {
  // Source: Kenwright2014 eq. 3.5: a foothold that is higher by s leaves the height h - s.
  EXPECT_LT(capture_distance(1, 0.8), capture_distance(1, 1.0));
}

TEST(CapturedSpeed, IsTheReverse) {
  for (const double speed : {-1.4, 0.0, 0.3, 2.0})
    EXPECT_NEAR(captured_speed(capture_distance(speed, 0.9), 0.9), speed, 1e-9);
}

TEST(DistanceAgainst, HoldsAPendulumInEquilibrium) {
  // A mass at height h, pulled by F, is at rest over a foot that is F h / (m g) ahead.
  const double mass = 70, height = 0.95, force = 60;
  const double d = distance_against(force, mass, 0, height);
  EXPECT_NEAR(mass * kGravity * d, force * height, 1e-9);
  EXPECT_LT(distance_against(-force, mass, 0, height), 0);
}

TEST(CaptureHeight, LeavesTheSpeedThatIsAskedFor) {
  const double speed = 1.2, height = 0.9, distance = 0.2, wanted = 0.5;
  const CaptureHeight found = capture_height(speed, height, distance, wanted, 0.5, 1.2);
  ASSERT_TRUE(found.found);
  const double kept = speed * height / std::hypot(distance, height);
  EXPECT_NEAR(0.5 * kept * kept + kGravity * height,
              0.5 * wanted * wanted + kGravity * found.height, 1e-5);
}

TEST(CaptureHeight, TellsWhereThereIsNone) {
  // So slow that even the shortest leg does not let it get there, and so fast that the longest
  // does not stop it.
  const CaptureHeight slow = capture_height(0.1, 0.7, 0.2, 0, 0.9, 1.1);
  EXPECT_FALSE(slow.found);
  EXPECT_DOUBLE_EQ(slow.height, 0.9);
  const CaptureHeight fast = capture_height(4, 0.9, 0.2, 0, 0.6, 1.1);
  EXPECT_FALSE(fast.found);
  EXPECT_DOUBLE_EQ(fast.height, 1.1);
}

}  // namespace
}  // namespace promenade::control::pendulum
