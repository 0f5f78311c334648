#include "load/figures.h"

#include <gtest/gtest.h>

#include "math/random.h"

namespace promenade::load {
namespace {

TEST(Histogram, TellsPercentilesWithinTwoPercent) {
  Histogram histogram;
  for (int i = 1; i <= 1000; ++i) histogram.add(i);
  EXPECT_EQ(histogram.count(), 1000u);
  EXPECT_EQ(histogram.greatest(), 1000);
  for (const double percent : {1.0, 50.0, 90.0, 99.0, 100.0}) {
    EXPECT_NEAR(histogram.percentile(percent), 10 * percent, 0.21 * percent) << percent;
  }
}

TEST(Histogram, TakesValuesBeyondItsBins) {
  Histogram histogram;
  EXPECT_EQ(histogram.percentile(50), 0);
  histogram.add(0);
  EXPECT_LE(histogram.percentile(50), 0.01);
  histogram.add(1e9);
  EXPECT_EQ(histogram.greatest(), 1e9);
  EXPECT_GT(histogram.percentile(100), 0.9e6);
}

}  // namespace
}  // namespace promenade::load
