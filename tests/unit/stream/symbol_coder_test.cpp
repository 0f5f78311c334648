#include "stream/coded/symbol_coder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "stream/coded/channels.h"
#include "stream/coded/number_code.h"

namespace promenade::stream {
namespace {

std::vector<Alphabet> alphabets() {
  std::vector<Alphabet> out{kChanges};
  for (int i = 0; i < kSizeClasses; ++i) out.push_back(numbers_of(i));
  for (int i = 0; i < kToldLevels; ++i) out.push_back(told_at(i));
  return out;
}

TEST(Symbols, OfAnAlphabetAreCertainTogether) {
  std::size_t all = 0;
  for (const Alphabet& alphabet : alphabets()) {
    std::uint32_t start = 0;
    for (std::size_t i = alphabet.first; i < std::size_t{alphabet.first} + alphabet.size; ++i) {
      EXPECT_EQ(start_of(symbols()[i]), start) << i;
      EXPECT_GT(symbols()[i].frequency(), 0u) << i;
      start += symbols()[i].frequency();
    }
    EXPECT_EQ(start, kCertain);
    all += alphabet.size;
  }
  EXPECT_EQ(all, kSymbols);
}

TEST(SymbolCoder, GivesBackSymbolsOfAllAlphabets) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    struct Told {
      Alphabet alphabet;
      std::uint32_t value;
    };
    std::vector<Told> told;
    const std::size_t count = random() % 2000;
    while (told.size() < count) {
      for (const Alphabet& alphabet : alphabets()) {
        // The unlikely ones as well, and in every third round only the likeliest.
        told.push_back({alphabet, round % 3 == 0 ? 0 : std::uint32_t(random()) % alphabet.size});
      }
    }
    SymbolEncoder encoder;
    const auto bits_of = [](const Told& one) { return int(one.value * 7 % 33); };
    for (const Told& one : told) {
      encoder.symbol(one.alphabet, one.value);
      const int bits = bits_of(one);
      encoder.plain(bits, bits == 32 ? 0xdeadbeef : 0x12345678 & ((1u << bits) - 1));
    }
    std::string bytes = "before";
    encoder.finish(bytes);
    SymbolDecoder decoder(std::string_view(bytes).substr(6));
    for (const Told& one : told) {
      EXPECT_FALSE(decoder.at_end());
      ASSERT_EQ(decoder.symbol(one.alphabet), one.value) << "round " << round;
      const int bits = bits_of(one);
      ASSERT_EQ(decoder.plain(bits), bits == 32 ? 0xdeadbeef : 0x12345678 & ((1u << bits) - 1));
    }
    EXPECT_TRUE(decoder.at_end());
  }
}

TEST(SymbolCoder, TakesLittleMoreThanTheEntropy) {
  std::mt19937 random(2);
  for (int level = 0; level < kToldLevels; ++level) {
    const Alphabet alphabet = told_at(level);
    const double likely = symbols()[alphabet.first + 1u].frequency() / double(kCertain);
    std::bernoulli_distribution told(likely);
    SymbolEncoder encoder;
    constexpr int kCount = 200'000;
    for (int i = 0; i < kCount; ++i) encoder.symbol(alphabet, told(random));
    std::string bytes;
    encoder.finish(bytes);
    const double entropy = -likely * std::log2(likely) - (1 - likely) * std::log2(1 - likely);
    EXPECT_LT(8.0 * double(bytes.size()) / kCount, 1.06 * entropy) << likely;
    EXPECT_GT(8.0 * double(bytes.size()) / kCount, 0.94 * entropy) << likely;
    EXPECT_NEAR(encoder.bits({}) / 8, double(bytes.size()), 0.01 * double(bytes.size()) + 8);
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

// One character's joints over time, at one end of a connection.
struct Joints {
  explicit Joints(std::size_t channels)
      : lanes(lanes_of(channels)), block(block_size(lanes)), expected(lanes), quanta(lanes) {
    std::fill_n(means_of(block.data(), lanes, kCoded), lanes, kFirstMean);
    exponents.fill(0);
  }
  const std::int16_t* means() const { return means_of(block.data(), lanes, kCoded); }
  std::size_t lanes;
  std::vector<std::int32_t> block, expected, quanta;
  std::array<std::int32_t, kLanes> exponents;
  TrackTimes times;
};

// @param rests  nothing else is expected
// @return bytes that the rows take
std::size_t send(const std::vector<std::vector<std::int32_t>>& rows, int exponent,
                 bool rests = false) {
  const std::size_t count = rows[0].size();
  Joints here(count), there(count);
  here.exponents.fill(exponent);
  there.exponents.fill(exponent);
  const ChannelKernels& kernels = channel_kernels();
  std::size_t all = 0;
  std::uint64_t tick = 0;
  for (const auto& row : rows) {
    tick += 2;
    const Ahead ahead(here.times, tick, 8);
    std::vector<std::int32_t> now(here.lanes);
    std::copy(row.begin(), row.end(), now.begin());
    SymbolEncoder encoder;
    kernels.expect(here.block.data(), here.lanes, ahead, here.expected.data());
    kernels.measure(here.block.data(), here.lanes, now.data(), here.expected.data(),
                    here.exponents.data(), here.quanta.data(), encoder.room(here.lanes));
    code_quanta(encoder, here.means(), std::span(here.quanta).first(count));
    const std::uint32_t sum =
        kernels.learn(here.block.data(), here.lanes, ahead, here.expected.data(),
                      here.exponents.data(), here.quanta.data());
    std::string bytes;
    encoder.finish(bytes);
    all += bytes.size();
    // The other end, with the kernels for every processor.
    SymbolDecoder decoder(bytes);
    code_quanta(decoder, there.means(), std::span(there.quanta).first(count));
    EXPECT_TRUE(decoder.at_end());
    plain_channel_kernels().expect(there.block.data(), there.lanes, ahead, there.expected.data());
    EXPECT_EQ(
        plain_channel_kernels().learn(there.block.data(), there.lanes, ahead, there.expected.data(),
                                      there.exponents.data(), there.quanta.data()),
        sum);
    EXPECT_EQ(there.block, here.block);
    for (std::size_t i = 0; i < count; ++i) {
      const auto off =
          static_cast<std::int32_t>(std::uint32_t(there.block[i]) - std::uint32_t(row[i]));
      EXPECT_LE(2 * std::abs(off), 1 << exponent);
    }
    if (!rests) here.times.push(tick);
  }
  return all;
}

TEST(Channels, TellNumbersOfAllSizesWithinHalfAQuantum) {
  std::vector<std::vector<std::int32_t>> rows;
  const std::vector<std::int32_t> hard = hard_numbers();
  constexpr std::size_t kCount = 27;
  for (std::size_t i = 0; i + kCount <= hard.size(); i += 11) {
    rows.emplace_back(hard.begin() + std::ptrdiff_t(i), hard.begin() + std::ptrdiff_t(i + kCount));
  }
  for (const int exponent : {0, 1, 3, 5}) send(rows, exponent);
}

// Channels that rest, move on, or speed up evenly take next to nothing once that is known.
TEST(Channels, ExpectWhatRestsMovesOnAndSpeedsUp) {
  std::vector<std::vector<std::int32_t>> rows;
  constexpr int kRows = 200, kCount = 24;
  for (int i = 0; i < kRows; ++i) {
    std::vector<std::int32_t> row;
    for (int k = 0; k < kCount; ++k) row.push_back(k % 3 == 0 ? k : k % 3 == 1 ? k * i : k * i * i);
    rows.push_back(row);
  }
  const std::size_t taken = send(rows, 0);
  rows.resize(20);
  const std::size_t first = send(rows, 0);
  // 8 of each are the states of the coder.
  EXPECT_LT((taken - first) / double(kRows - 20), 8 + 0.15 * kCount);
}

// Numbers with two-sided geometric sizes, whose entropy is known, about a place where they rest.
// The alphabets are made for crowds, whose sizes are spread a little wider.
TEST(Channels, FitThemselvesToTheSizeOfEachSeries) {
  for (const double mean : {0.3, 2.0, 20.0, 200.0}) {
    std::mt19937 random(4);
    const double q = mean / (1 + mean);
    std::geometric_distribution<int> sizes(1 - q);
    constexpr std::size_t kCount = 800;
    std::vector<std::vector<std::int32_t>> rows(100, std::vector<std::int32_t>(kCount));
    std::vector<std::int32_t> at(kCount);
    for (auto& row : rows) {
      for (std::size_t i = 0; i < kCount; ++i) {
        const int size = sizes(random);
        row[i] = at[i] += random() % 2 ? size : -size;
      }
    }
    // Of the geometric size, and a sign unless it is 0.
    const double entropy = (-q * std::log2(q) - (1 - q) * std::log2(1 - q)) / (1 - q) + q;
    EXPECT_LT(8.0 * double(send(rows, 0, true)) / double(rows.size() * kCount), 1.2 * entropy)
        << mean;
  }
}

}  // namespace
}  // namespace promenade::stream
