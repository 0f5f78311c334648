#include "behaviour/flow/day_table.h"

#include <gtest/gtest.h>

namespace promenade::behaviour::flow {
namespace {

TEST(DayTable, IsLinearBetweenItsTimesAndConstantOutside) {
  const DayTable table({{7 * 3600., 10}, {8 * 3600., 70}, {9 * 3600., 30}});
  EXPECT_DOUBLE_EQ(table.per_minute(0), 10);
  EXPECT_DOUBLE_EQ(table.per_minute(7 * 3600), 10);
  EXPECT_DOUBLE_EQ(table.per_minute(7.5 * 3600), 40);
  EXPECT_DOUBLE_EQ(table.per_minute(8 * 3600), 70);
  EXPECT_DOUBLE_EQ(table.per_minute(8.25 * 3600), 60);
  EXPECT_DOUBLE_EQ(table.per_minute(20 * 3600), 30);
}

TEST(DayTable, IsTheSameEveryDay) {
  const DayTable table({{3600, 0}, {7200, 60}});
  for (const double day : {-2., 1., 30.}) {
    EXPECT_NEAR(table.per_minute(day * kDay + 5400), 30, 1e-6);
  }
  EXPECT_DOUBLE_EQ(DayTable(12).per_minute(1e6), 12);
  EXPECT_DOUBLE_EQ(DayTable().per_minute(5), 0);
}

}  // namespace
}  // namespace promenade::behaviour::flow
