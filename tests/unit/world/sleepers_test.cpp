#include "world/sleep/sleepers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "math/random.h"
#include "math/types.h"

namespace promenade::world {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Eigen::AlignedBox3d reach_at(double x, double y, double half) {
  return {Vec3(x - half, y - half, 0), Vec3(x + half, y + half, 1)};
}

TEST(Sleepers, FindsEachWhoseBoxMeetsOnce) {
  Sleepers sleepers;
  sleepers.build({{7, reach_at(0, 0, 2)}, {8, reach_at(10, 0, 0.5)}, {9, reach_at(0, 3, 40)}});
  Pairs pairs;
  sleepers.find(1, reach_at(1, 0, 1.5), pairs);
  EXPECT_THAT(pairs, ::testing::ElementsAre(std::pair(1u, 7u), std::pair(1u, 9u)));
}

TEST(Sleepers, FindsWhatLookingAtAllFinds) {
  Random random = Random::stream(3, 4);
  std::vector<Sleepers::Sleeper> all;
  for (std::uint32_t i = 0; i < 300; ++i) {
    all.push_back(
        {i, reach_at(random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(0.05, 2))});
  }
  Sleepers sleepers;
  sleepers.build(all);
  for (int k = 0; k < 50; ++k) {
    const Eigen::AlignedBox3d box =
        reach_at(random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(0.1, 15));
    Pairs found, expected;
    sleepers.find(999, box, found);
    for (const auto& one : all) {
      if (one.box.intersects(box)) expected.emplace_back(999, one.index);
    }
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace promenade::world
