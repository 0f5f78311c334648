#include "math/random.h"

#include <gtest/gtest.h>

#include <array>

namespace promenade {
namespace {

// The reference implementation's first numbers from the state {1, 2, 3, 4}.
TEST(Random, IsXoshiro256StarStar) {
  Random random;
  random.set_state({1, 2, 3, 4});
  for (const std::uint64_t expected : {11520ULL, 0ULL, 1509978240ULL, 1215971899390074240ULL}) {
    EXPECT_EQ(random.next(), expected);
  }
}

// splitmix64 of 0 starts with this published number, which is the first word of the state.
TEST(Random, IsSeededBySplitMix64) {
  EXPECT_EQ(Random(0).state()[0], 0xe220a8397b1dcdafULL);
  EXPECT_EQ(Random(0).state()[1], 0x6e789e6aa1b965f4ULL);
}

TEST(Random, SameSeedSameNumbersOtherSeedOthers) {
  Random a(42), b(42), c(43);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t bits = a.next();
    EXPECT_EQ(bits, b.next());
    EXPECT_NE(bits, c.next());
  }
}

TEST(Random, RestoredStateContinuesTheSequence) {
  Random a(7);
  a.next();
  Random b(0);
  b.set_state(a.state());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Random, UniformFillsItsRangeEvenly) {
  Random random(1);
  std::array<int, 10> bins{};
  constexpr int kDraws = 100000;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.uniform(-2, 3);
    ASSERT_GE(value, -2);
    ASSERT_LT(value, 3);
    ++bins[static_cast<std::size_t>((value + 2) * 2)];
    sum += value;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.02);
  for (int bin : bins) EXPECT_NEAR(bin, kDraws / 10, 500);
}

TEST(Random, BelowGivesEveryValueAndNoneOutside) {
  Random random(3);
  std::array<int, 7> seen{};
  for (int i = 0; i < 7000; ++i) {
    const std::uint64_t value = random.below(7);
    ASSERT_LT(value, 7u);
    ++seen[value];
  }
  for (int count : seen) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, NormalHasTheMomentsOfItsDistribution) {
  Random random(4);
  constexpr int kDraws = 100000;
  double sum = 0, sum2 = 0, sum4 = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.normal();
    sum += value;
    sum2 += value * value;
    sum4 += value * value * value * value;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(sum2 / kDraws, 1, 0.02);
  EXPECT_NEAR(sum4 / kDraws, 3, 0.15);
}

TEST(Random, StreamsOfASeedDiffer) {
  EXPECT_NE(Random::stream(5, 0).next(), Random::stream(5, 1).next());
  EXPECT_NE(Random::stream(5, 0).next(), Random::stream(6, 0).next());
  EXPECT_EQ(Random::stream(5, 9).next(), Random::stream(5, 9).next());
}

}  // namespace
}  // namespace promenade
