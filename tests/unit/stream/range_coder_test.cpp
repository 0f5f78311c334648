#include "stream/coded/range_coder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "stream/coded/number_code.h"

namespace promenade::stream {
namespace {

TEST(RangeCoder, GivesBackBitsOfAllKindsOfLikelihood) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const int count = static_cast<int>(random() % 2000);
    struct Symbol {
      std::uint32_t model, bits, value;
    };
    std::vector<Symbol> symbols;
    for (int i = 0; i < count; ++i) {
      const std::uint32_t model = random() % 8;
      // From a half to hardly ever; now and then bits of no model.
      const bool bit = random() % (1u << (2 * model + 1)) == 0;
      if (random() % 10 == 0) {
        const std::uint32_t bits = random() % 17;
        symbols.push_back({8, bits, static_cast<std::uint32_t>(random()) & ((1u << bits) - 1)});
      } else {
        symbols.push_back({model, 1, bit});
      }
    }
    std::string bytes = "before";
    std::array<BitModel, 8> models{};
    RangeEncoder encoder(bytes);
    for (const Symbol& symbol : symbols) {
      if (symbol.model == 8) {
        encoder.plain(static_cast<int>(symbol.bits), symbol.value);
      } else {
        encoder.bit(models[symbol.model], symbol.value);
      }
    }
    encoder.finish(6);
    std::array<BitModel, 8> same{};
    RangeDecoder decoder(std::string_view(bytes).substr(6));
    for (const Symbol& symbol : symbols) {
      const std::uint32_t got = symbol.model == 8 ? decoder.plain(static_cast<int>(symbol.bits))
                                                  : std::uint32_t{decoder.bit(same[symbol.model])};
      ASSERT_EQ(got, symbol.value) << "round " << round;
    }
  }
}

// The highest and the lowest bits alone give the longest chains of carries.
TEST(RangeCoder, CarriesThroughRunsOfFullBytes) {
  for (const std::uint32_t bit : {0u, 1u}) {
    std::string bytes;
    BitModel model;
    RangeEncoder encoder(bytes);
    for (int i = 0; i < 100'000; ++i) encoder.bit(model, bit);
    encoder.plain(16, 0xffff);
    for (int i = 0; i < 3; ++i) encoder.bit(model, !bit);
    encoder.finish(0);
    BitModel same;
    RangeDecoder decoder(bytes);
    for (int i = 0; i < 100'000; ++i) ASSERT_EQ(decoder.bit(same), bit == 1);
    EXPECT_EQ(decoder.plain(16), 0xffffu);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(decoder.bit(same), bit == 0);
  }
}

TEST(RangeCoder, TakesLittleMoreThanTheEntropy) {
  std::mt19937 random(2);
  for (const double likely : {0.5, 0.1, 0.02}) {
    std::bernoulli_distribution bits(likely);
    std::string bytes;
    BitModel model;
    RangeEncoder encoder(bytes);
    constexpr int kCount = 200'000;
    for (int i = 0; i < kCount; ++i) encoder.bit(model, bits(random));
    encoder.finish(0);
    const double entropy = -likely * std::log2(likely) - (1 - likely) * std::log2(1 - likely);
    EXPECT_LT(8.0 * double(bytes.size()) / kCount, 1.08 * entropy) << likely;
    EXPECT_GT(8.0 * double(bytes.size()) / kCount, 0.97 * entropy) << likely;
  }
}

std::vector<std::int32_t> hard_numbers() {
  std::mt19937 random(3);
  std::vector<std::int32_t> out{0,
                                1,
                                -1,
                                std::numeric_limits<std::int32_t>::max(),
                                std::numeric_limits<std::int32_t>::min(),
                                std::numeric_limits<std::int32_t>::min() + 1};
  for (int bits = 0; bits < 32; ++bits) {
    for (int i = 0; i < 40; ++i) {
      const auto value = static_cast<std::int32_t>(random() >> (31 - bits));
      out.push_back(random() % 2 ? value : -value);
    }
  }
  return out;
}

TEST(NumberCode, GivesBackNumbersOfAllSizes) {
  std::string bytes;
  NumberModel model;
  LengthModel lengths;
  SeriesScale scale;
  RangeEncoder encoder(bytes);
  for (const std::int32_t value : hard_numbers()) {
    model.code(encoder, scale, value);
    lengths.code(encoder, static_cast<std::uint32_t>(value));
  }
  encoder.finish(0);
  NumberModel same;
  LengthModel same_lengths;
  SeriesScale same_scale;
  RangeDecoder decoder(bytes);
  for (const std::int32_t value : hard_numbers()) {
    ASSERT_EQ(same.code(decoder, same_scale, 0), value);
    ASSERT_EQ(same_lengths.code(decoder, 0), static_cast<std::uint32_t>(value));
  }
}

// Numbers with two-sided geometric sizes, whose entropy is known, in series of several sizes.
TEST(NumberCode, FitsItselfToTheSizeOfEachSeries) {
  for (const double mean : {0.3, 2.0, 20.0, 200.0}) {
    std::mt19937 random(4);
    const double q = mean / (1 + mean);
    std::geometric_distribution<int> sizes(1 - q);
    std::string bytes;
    NumberModel model;
    SeriesScale scale;
    RangeEncoder encoder(bytes);
    constexpr int kCount = 50'000;
    for (int i = 0; i < kCount; ++i) {
      const int size = sizes(random);
      model.code(encoder, scale, random() % 2 ? size : -size);
    }
    encoder.finish(0);
    // Of the geometric size, and a sign unless it is 0.
    const double entropy = (-q * std::log2(q) - (1 - q) * std::log2(1 - q)) / (1 - q) + q;
    EXPECT_LT(8.0 * double(bytes.size()) / kCount, 1.08 * entropy) << mean;
  }
}

}  // namespace
}  // namespace promenade::stream
