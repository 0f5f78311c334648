#include "stream/coded/symbols.h"

#include <algorithm>

namespace promenade::stream {
namespace {

// The chance that somebody is told of, as a share of kCertain.
constexpr std::array<std::uint16_t, kToldLevels> kTold{
    8, 24, 64, 144, 288, 512, 832, 1280, 1792, 2304, 2816, 3264, 3584, 3808, 3952, 4032, 4080};

// The numbers of a size class, as they were in crowds of `plaza`, of walkers in full physics and of
// light bipeds: the chance of 0 as a share of 2^16, and that of too large a number as one of
// kCertain; between, pairs of symbols become rarer along two series. The first begins with 2^20,
// with this ratio over 2^16; the second begins with this many times 2^12 and goes on by kTailRatio.
constexpr std::array<std::uint32_t, kSizeClasses> kZero{
    51176, 51176, 43381, 41170, 38220, 33762, 28116, 24162, 19152, 14568, 11925, 9810,
    16018, 12214, 17810, 14808, 18335, 13485, 18829, 14475, 23111, 19013, 24649, 30000};
constexpr std::array<std::uint32_t, kSizeClasses> kRatio{
    8000,  8000,  8000,  8000,  9000,  10000, 15000, 21000, 29000, 36000, 41000, 46000,
    39000, 42000, 43000, 48000, 44000, 46000, 40000, 46000, 41000, 43000, 40000, 40000};
constexpr std::array<std::uint32_t, kSizeClasses> kTail{
    1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 8, 16, 16, 32, 12, 8, 8, 12, 12, 12, 12, 12, 12, 12};
constexpr std::array<std::uint32_t, kSizeClasses> kTooLargeOnes{
    1, 1, 2, 2, 3, 3, 6, 13, 60, 44, 89, 182, 73, 146, 44, 94, 28, 84, 26, 73, 27, 41, 13, 9};
constexpr std::uint64_t kTailRatio = 55050;

constexpr std::array<std::uint16_t, kChanges.size> kChange{2732, 8, 48,  48,  48,  48,  8, 128,
                                                           320,  4, 168, 168, 168, 168, 4, 28};

class Maker {
 public:
  Maker() {
    for (int c = 0; c < kSizeClasses; ++c) add_numbers(c);
    for (const std::uint16_t told : kTold) {
      add(true, kCertain - told);
      add(false, told);
    }
    for (std::size_t i = 0; i < kChange.size(); ++i) add(i == 0, kChange[i]);
  }
  std::array<Symbol, kSymbols> all{};

 private:
  void add_numbers(int c) {
    const auto k = static_cast<std::size_t>(c);
    std::array<std::uint64_t, kNumberSymbols> weight{};
    std::uint64_t first = 1u << 20, second = std::uint64_t{kTail[k]} << 12, sum = 0;
    for (std::uint32_t i = 1; i < kTooLarge; ++i) {
      weight[i] = first + second;
      sum += weight[i];
      if (i % 2 != 0) continue;
      first = first * kRatio[k] >> 16;
      second = second * kTailRatio >> 16;
    }
    const std::uint64_t rest =
        kCertain - (kZero[k] * kCertain >> 16) - kNumberSymbols - kTooLargeOnes[k];
    std::array<std::uint32_t, kNumberSymbols> frequency{};
    frequency[kTooLarge] = 1 + kTooLargeOnes[k];
    std::uint32_t left = kCertain - frequency[kTooLarge];
    for (std::uint32_t i = 1; i < kTooLarge; ++i) {
      frequency[i] = 1 + static_cast<std::uint32_t>(weight[i] * rest / sum);
      left -= frequency[i];
    }
    frequency[0] = left;
    for (std::uint32_t i = 0; i < kNumberSymbols; ++i) add(i == 0, frequency[i]);
  }
  void add(bool first, std::uint32_t frequency) {
    if (first) start_ = 0;
    const bool one = frequency == 1;
    all[next_++] = {~std::uint64_t{0} / frequency + (one ? 0 : 1),
                    frequency << (32 - kProbabilityBits),
                    static_cast<std::uint16_t>(start_ + (one ? kCertain - 1 : 0)),
                    static_cast<std::uint16_t>(kCertain - frequency)};
    start_ += frequency;
  }
  std::size_t next_ = 0;
  std::uint32_t start_ = 0;
};

}  // namespace

const std::array<Symbol, kSymbols>& symbols() {
  static const Maker made;
  return made.all;
}

int told_level(std::uint32_t likely) {
  int level = 0;
  while (level + 1 < kToldLevels &&
         2 * likely > std::uint32_t{kTold[std::size_t(level)]} + kTold[std::size_t(level) + 1]) {
    ++level;
  }
  return level;
}

}  // namespace promenade::stream
