#include "math/spline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace promenade {
namespace {

TEST(CatmullRom, WithoutPointsIsZero) {
  const CatmullRom curve;
  EXPECT_TRUE(curve.empty());
  EXPECT_EQ(curve(0.3), 0);
  EXPECT_EQ(curve.slope(0.3), 0);
}

TEST(CatmullRom, OnePointIsConstant) {
  const CatmullRom curve({{0.5, 7}});
  for (double at : {-1.0, 0.5, 2.0}) {
    EXPECT_EQ(curve(at), 7);
    EXPECT_EQ(curve.slope(at), 0);
  }
}

TEST(CatmullRom, GoesThroughItsPointsAndStaysConstantOutside) {
  const CatmullRom curve({{0, 1}, {0.3, -2}, {0.4, 5}, {1, 0.5}});
  for (const auto& point : curve.points()) EXPECT_NEAR(curve(point.at), point.value, 1e-12);
  EXPECT_EQ(curve(-3), 1);
  EXPECT_EQ(curve(4), 0.5);
  EXPECT_EQ(curve.slope(-3), 0);
  EXPECT_EQ(curve.slope(4), 0);
}

// Between inner points that lie on a line the tangents are the line's slope, whatever the spacing.
TEST(CatmullRom, ReproducesALineBetweenInnerPoints) {
  const CatmullRom curve({{0, 1}, {0.1, 1.2}, {0.5, 2}, {0.7, 2.4}, {1, 3}});
  for (double at = 0.1; at <= 0.7; at += 0.01) {
    EXPECT_NEAR(curve(at), 1 + 2 * at, 1e-12);
    EXPECT_NEAR(curve.slope(at), 2, 1e-12);
  }
}

// Central differences of a parabola are its derivatives where points are evenly spaced, and a cubic
// with a parabola's ends and slopes is that parabola.
TEST(CatmullRom, ReproducesAParabolaBetweenEvenInnerPoints) {
  std::vector<CatmullRom::Point> points;
  for (int i = 0; i <= 5; ++i) points.push_back({0.2 * i, std::pow(0.2 * i, 2)});
  const CatmullRom curve(points);
  for (double at = 0.2; at <= 0.8; at += 0.013) EXPECT_NEAR(curve(at), at * at, 1e-12);
}

// Two points: tangents are half the chord at both ends, so h(t) = -t^3 + 1.5 t^2 + 0.5 t.
TEST(CatmullRom, LeavesItsEndsWithHalfTheChordsSlope) {
  const CatmullRom curve({{0, 0}, {1, 1}});
  for (double t : {0.1, 0.25, 0.5, 0.9}) {
    EXPECT_NEAR(curve(t), -t * t * t + 1.5 * t * t + 0.5 * t, 1e-12);
  }
  EXPECT_NEAR(curve.slope(0), 0.5, 1e-12);
}

TEST(CatmullRom, SlopeIsTheDerivativeAndHasNoJumpsAtInnerPoints) {
  const CatmullRom curve({{0, 1}, {0.3, -2}, {0.4, 5}, {1, 0.5}});
  for (double at = 0.01; at < 0.99; at += 0.0173) {
    EXPECT_NEAR(curve.slope(at), (curve(at + 1e-6) - curve(at - 1e-6)) / 2e-6, 1e-3);
  }
  for (double at : {0.3, 0.4}) {
    EXPECT_NEAR(curve.slope(at - 1e-9), curve.slope(at + 1e-9), 1e-5);
  }
}

TEST(CatmullRom, AnswersNanWithoutReadingOutOfBounds) {
  const CatmullRom curve({{0, 1}, {1, 2}});
  EXPECT_EQ(curve(std::numeric_limits<double>::quiet_NaN()), 1);
}

}  // namespace
}  // namespace promenade
