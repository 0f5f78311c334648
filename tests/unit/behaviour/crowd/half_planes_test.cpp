#include "behaviour/crowd/half_planes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/random.h"

namespace promenade::behaviour::crowd {
namespace {

Vec2f unit(Random& random) {
  const double way = random.uniform(0, 6.283185307);
  return {float(std::cos(way)), float(std::sin(way))};
}

float worst_of(const std::vector<HalfPlane>& planes, const Vec2f& v) {
  float worst = -1e9f;
  for (const HalfPlane& plane : planes) worst = std::max(worst, plane.least - plane.normal.dot(v));
  return worst;
}

TEST(AllowedVelocity, IsTheNearestOfAllThatAreTried) {
  for (int trial = 0; trial < 300; ++trial) {
    Random random = Random::stream(2, std::uint64_t(trial));
    std::vector<HalfPlane> planes(1 + random.below(8));
    for (HalfPlane& plane : planes) plane = {unit(random), float(random.uniform(-1, 0.3))};
    const Vec2f preferred = 1.2f * unit(random);
    const Vec2f chosen = allowed_velocity(planes, {}, preferred, 1.5f);
    ASSERT_LE(chosen.norm(), 1.5f + 1e-4f);
    float nearest = 1e9f, least_worst = 1e9f;
    for (int i = -150; i <= 150; ++i)
      for (int j = -150; j <= 150; ++j) {
        const Vec2f v(0.01f * float(i), 0.01f * float(j));
        if (v.norm() > 1.5f) continue;
        const float worst = worst_of(planes, v);
        least_worst = std::min(least_worst, worst);
        if (worst <= 0) nearest = std::min(nearest, (v - preferred).norm());
      }
    if (nearest < 1e8f) {
      EXPECT_LE(worst_of(planes, chosen), 1e-4f) << trial;
      EXPECT_LE((chosen - preferred).norm(), nearest + 1e-4f) << trial;
    } else if (least_worst > 0.02f) {
      EXPECT_LE(worst_of(planes, chosen), least_worst + 1e-3f) << trial;
    }
  }
}

TEST(AllowedVelocity, KeepsToWallsFirst) {
  // A wall ahead, and somebody behind who asks for more speed towards it than it allows.
  const std::vector<HalfPlane> planes{{{-1, 0}, -0.2f}, {{1, 0}, 0.6f}};
  EXPECT_LE(allowed_velocity(planes, {1, 1}, {1, 0}, 1.5f).x(), 0.2f + 1e-5f);
}

TEST(AllowedVelocity, StandsStillRatherThanTouching) {
  // Touched from all sides, and asked for speed by others: no rank below may loosen the first.
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<HalfPlane> planes;
    for (int i = 0; i < 6; ++i) planes.push_back({unit(random), -float(random.uniform(0, 1e-4))});
    for (int i = 0; i < 6; ++i) planes.push_back({unit(random), float(random.uniform(-1, 1))});
    const Vec2f chosen = allowed_velocity(planes, {0, 6}, unit(random), 1.5f);
    EXPECT_LE(worst_of({planes.begin(), planes.begin() + 6}, chosen), 3e-4f) << trial;
  }
}

TEST(AvoidDisc, EqualsTakeHalfEachAndOthersTheirShare) {
  Encounter encounter{{3, 0.2f}, {2, 0}, {1, 0}, 0.5f, 0.5f};
  const HalfPlane half = avoid_disc(encounter, 3, 0.05f, 0);
  encounter.share = 1;
  const HalfPlane whole = avoid_disc(encounter, 3, 0.05f, 0);
  const float outside = half.normal.dot(encounter.own) - half.least;
  EXPECT_LT(outside, 0);  // it is on a course that ends in a touch
  EXPECT_NEAR(whole.normal.dot(encounter.own) - whole.least, 2 * outside, 1e-5f);
}

TEST(AvoidDisc, IsTheSameForFourAtOnce) {
  Random random(12);
  for (int trial = 0; trial < 500; ++trial) {
    FourEncounters four;
    const Vec2f own = float(random.uniform(0, 1.5)) * unit(random);
    for (int i = 0; i < 4; ++i) {
      // From far away to one place, at rest to each other too.
      const Vec2f offset = float(random.uniform(0, trial % 5 ? 4 : 0.6)) * unit(random);
      const Vec2f relative =
          trial % 7 ? Vec2f(float(random.uniform(0, 3)) * unit(random)) : Vec2f(0, 0);
      four.offset_x[i] = trial % 11 ? offset.x() : 0;
      four.offset_y[i] = trial % 11 ? offset.y() : 0;
      four.relative_x[i] = relative.x();
      four.relative_y[i] = relative.y();
      four.reach[i] = float(random.uniform(0.3, 0.6));
      four.share[i] = float(random.uniform(0, 1));
    }
    HalfPlane out[4];
    avoid_four(four, own, 3, 0.05f, 0.2f, out);
    for (int i = 0; i < 4; ++i) {
      const HalfPlane one = avoid_disc({{four.offset_x[i], four.offset_y[i]},
                                        {four.relative_x[i], four.relative_y[i]},
                                        own,
                                        four.reach[i],
                                        four.share[i]},
                                       3, 0.05f, 0.2f);
      EXPECT_LT((one.normal - out[i].normal).norm(), 2e-4f) << trial;
      EXPECT_NEAR(one.least, out[i].least, 1e-3f) << trial;
    }
  }
}

TEST(AvoidDisc, BothPassOnTheRightWhereItCostsLittle) {
  // The other is ahead and a little to the right: the short way past it is on the left.
  const Encounter mine{{3, -0.05f}, {2, 0}, {1, 0}, 0.5f, 0.5f};
  const Encounter theirs{{-3, 0.05f}, {-2, 0}, {-1, 0}, 0.5f, 0.5f};
  EXPECT_GT(avoid_disc(mine, 3, 0.05f, 0).normal.y(), 0);
  EXPECT_LT(avoid_disc(mine, 3, 0.05f, 0.2f).normal.y(), 0);
  EXPECT_GT(avoid_disc(theirs, 3, 0.05f, 0.2f).normal.y(), 0);
}

TEST(KeepApart, StopsWithinTheGapHoweverSlowTheAnswer) {
  for (const float lag : {0.f, 0.1f, 0.25f, 0.6f}) {
    constexpr float kStep = 0.05f;
    float gap = 1, speed = 0;  // towards a wall at the left
    for (int i = 0; i < 400; ++i) {
      const HalfPlane plane = keep_apart({1, 0}, gap, {-speed, 0}, lag, kStep);
      const float chosen = std::min(1.5f, -plane.least);
      speed = (lag * speed + kStep * chosen) / (lag + kStep);
      gap -= kStep * speed;
      ASSERT_GE(gap, -1e-5f) << "lag " << lag << ", step " << i;
    }
    EXPECT_LT(gap, 0.02f) << lag;  // and it does get there
  }
}

}  // namespace
}  // namespace promenade::behaviour::crowd
