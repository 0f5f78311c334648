#include "behaviour/crowd/half_planes.h"

#include <gtest/gtest.h>

#include <vector>

#include "behaviour/crowd/walkers.h"
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
    const Vec2f chosen = allowed_velocity(planes, 0, preferred, 1.5f);
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
  EXPECT_LE(allowed_velocity(planes, 1, {1, 0}, 1.5f).x(), 0.2f + 1e-5f);
}

TEST(AvoidDisc, TwoWhoDoTheirHalfPassEachOther) {
  Walkers crowd({});
  crowd.discs().resize(2);
  crowd.discs()[0].position = {-4, 0};
  crowd.discs()[1].position = {4, 0.01f};
  std::vector<Vec2f> next(2);
  float nearest = 1e9f;
  for (int i = 0; i < 200; ++i) {
    crowd.discs()[0].preferred = {1.3f, 0};
    crowd.discs()[1].preferred = {-1.3f, 0};
    crowd.sort();
    crowd.choose(0, 2, next);
    for (std::size_t k = 0; k < 2; ++k) {
      crowd.discs()[k].velocity = next[k];
      crowd.discs()[k].position += 0.05f * next[k];
    }
    nearest = std::min(nearest,
                       (crowd.discs()[0].position - crowd.discs()[1].position).norm());
  }
  EXPECT_GE(nearest, 0.499f);
  EXPECT_GT(crowd.discs()[0].position.x(), 4);
}

TEST(Walkers, FindsTheSameAsAllPairsWould) {
  Random random(5);
  AvoidanceLaw law;
  law.neighbours = 6;
  Walkers crowd(law);
  crowd.discs().resize(400);
  for (auto& disc : crowd.discs()) {
    disc.position = {float(random.uniform(0, 18)), float(random.uniform(0, 18))};
    disc.velocity = unit(random);
    disc.preferred = 1.3f * unit(random);
  }
  crowd.sort();
  std::vector<Vec2f> whole(400), parts(400), reference(400);
  crowd.choose(0, 400, whole);
  for (std::size_t i = 0; i < 400; i += 50) crowd.choose(i, 50, parts);
  EXPECT_EQ(whole, parts);
  for (std::size_t i = 0; i < 400; ++i) {
    const auto& self = crowd.discs()[i];
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < 400; ++j)
      if (j != i && (crowd.discs()[j].position - self.position).norm() < law.range)
        others.push_back(j);
    std::sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
      return (crowd.discs()[a].position - self.position).squaredNorm() <
             (crowd.discs()[b].position - self.position).squaredNorm();
    });
    if (others.size() > 6) others.resize(6);
    std::vector<HalfPlane> planes;
    for (const std::size_t j : others)
      planes.push_back(avoid_disc(crowd.discs()[j].position - self.position,
                                  self.velocity - crowd.discs()[j].velocity, self.velocity, 0.5f,
                                  law.horizon, 0.5f, law.step));
    reference[i] = allowed_velocity(planes, 0, self.preferred, self.fastest);
    EXPECT_LT((reference[i] - whole[i]).norm(), 1e-4f) << i;
  }
}

TEST(Walkers, WithoutACrowdOrInOnePlace) {
  Walkers crowd({});
  crowd.sort();
  std::vector<Vec2f> next;
  crowd.choose(0, 0, next);
  crowd.discs().resize(5);  // all in one point
  next.resize(5);
  crowd.sort();
  crowd.choose(0, 5, next);
  for (const Vec2f& v : next) EXPECT_TRUE(v.allFinite());
}

}  // namespace
}  // namespace promenade::behaviour::crowd
