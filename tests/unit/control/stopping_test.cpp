#include "control/stopping.h"

#include <gtest/gtest.h>

namespace promenade::control {
namespace {

TEST(Stopping, SpeedAndWayAreInverse) {
  for (const double speed : {0.0, 0.2, 1.0, 3.0}) {
    const double way = stopping_way(speed, kBraking, kAnswerLag);
    EXPECT_NEAR(speed_to_stop_within(way, kBraking, kAnswerLag), speed, 1e-12);
  }
  EXPECT_NEAR(stopping_way(1.0, 0.5, 0.4), 0.4 + 1.0, 1e-12);
}

TEST(Stopping, NoWayLeavesNoSpeedAndWhoGoesBackNeedsNone) {
  EXPECT_EQ(speed_to_stop_within(0, 0.4, 0.6), 0);
  EXPECT_EQ(speed_to_stop_within(-1, 0.4, 0.6), 0);
  EXPECT_EQ(stopping_way(-1, 0.4, 0.6), 0);
}

}  // namespace
}  // namespace promenade::control
