#include "math/stopping.h"

#include <gtest/gtest.h>

namespace promenade {
namespace {

TEST(Stopping, SpeedAndWayAreInverse) {
  for (double speed : {0.0, 0.2, 1.0, 3.0}) {
    const double way = way_to_stop(0.4, 0.6, speed);
    EXPECT_NEAR(speed_to_stop(0.4, 0.6, way), speed, 1e-12);
  }
  EXPECT_NEAR(way_to_stop(0.5, 0.4, 1.0), 0.4 + 1.0, 1e-12);
}

TEST(Stopping, NoWayLeavesNoSpeed) {
  EXPECT_EQ(speed_to_stop(0.4, 0.6, 0), 0);
  EXPECT_EQ(speed_to_stop(0.4, 0.6, -1), 0);
}

}  // namespace
}  // namespace promenade
