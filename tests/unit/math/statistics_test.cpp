#include "math/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace promenade {
namespace {

TEST(RunningStatistics, KnowsMeanSpreadAndExtremes) {
  RunningStatistics values;
  EXPECT_EQ(values.mean(), 0);
  EXPECT_EQ(values.deviation(), 0);
  for (double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) values.add(value);
  EXPECT_EQ(values.count(), 8u);
  EXPECT_DOUBLE_EQ(values.mean(), 5);
  EXPECT_DOUBLE_EQ(values.variance(), 32.0 / 7);
  EXPECT_EQ(values.min(), 2);
  EXPECT_EQ(values.max(), 9);
}

// Summing squares first would lose every digit of this variance.
TEST(RunningStatistics, KeepsItsDigitsFarFromZero) {
  RunningStatistics values;
  for (double value : {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) values.add(value);
  EXPECT_NEAR(values.variance(), 30, 1e-6);
}

TEST(Percentile, InterpolatesBetweenNeighbours) {
  const std::vector<double> values = {40, 10, 30, 20};
  EXPECT_EQ(percentile(values, 0), 10);
  EXPECT_EQ(percentile(values, 100), 40);
  EXPECT_DOUBLE_EQ(percentile(values, 50), 25);
  EXPECT_DOUBLE_EQ(percentile(values, 90), 37);
  EXPECT_DOUBLE_EQ(median(values), 25);
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
}

TEST(Percentile, OfNothingIsZeroAndOfOneIsThatOne) {
  EXPECT_EQ(percentile(std::vector<double>{}, 50), 0);
  EXPECT_EQ(percentile(std::vector<double>{6}, 99), 6);
}

TEST(RecentValues, ForgetsTheOldest) {
  RecentValues recent(3);
  EXPECT_EQ(recent.median(), 0);
  for (double value : {100.0, 200.0, 1.0, 2.0, 3.0}) recent.add(value);
  EXPECT_EQ(recent.size(), 3u);
  EXPECT_EQ(recent.median(), 2);
  EXPECT_EQ(recent.mean(), 2);
  EXPECT_EQ(recent.percentile(100), 3);
  recent.clear();
  recent.add(9);
  EXPECT_EQ(recent.median(), 9);
}

}  // namespace
}  // namespace promenade
