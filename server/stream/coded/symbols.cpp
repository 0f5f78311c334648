#include "stream/coded/symbols.h"

#include <algorithm>

namespace promenade::stream {
namespace {

// How likely it is that somebody is told of, of kCertain.
constexpr std::array<std::uint16_t, kToldLevels> kTold{
    8, 24, 64, 144, 288, 512, 832, 1280, 1792, 2304, 2816, 3264, 3584, 3808, 3952, 4032, 4080};

// Of the size classes, of 2^16: the likelihood of 0, and the ratio of one symbol's to that of the
// symbol before it.
constexpr std::array<std::uint32_t, kSizeClasses> kZero{
    61000, 61000, 58000, 56000, 53000, 49000, 43000, 36000, 29000, 22000, 16000, 12000,
    16000, 12000, 16000, 12000, 16000, 12000, 16000, 12000, 16000, 12000, 16000, 12000};
constexpr std::array<std::uint32_t, kSizeClasses> kRatio{
    30000, 30000, 30000, 30000, 32000, 34000, 38000, 42000, 46000, 50000, 54000, 57000,
    54000, 57000, 54000, 57000, 54000, 57000, 54000, 57000, 54000, 57000, 54000, 57000};

constexpr std::array<std::uint16_t, std::size_t(Change::kCount)> kChange{3560, 40, 40, 40, 40,
                                                                         40,   40, 40, 256};

class Maker {
 public:
  Maker() {
    for (int c = 0; c < kSizeClasses; ++c) add_numbers(c);
    for (int bits = 1; bits <= kMostBits; ++bits) {
      for (std::uint32_t i = 0; i < (1u << bits); ++i) add(i == 0, kCertain >> bits);
    }
    for (const std::uint16_t told : kTold) {
      add(true, kCertain - told);
      add(false, told);
    }
    for (std::size_t i = 0; i < kChange.size(); ++i) add(i == 0, kChange[i]);
  }
  std::array<Symbol, kSymbols> all{};

 private:
  void add_numbers(int c) {
    const auto zero = kZero[std::size_t(c)], ratio = kRatio[std::size_t(c)];
    // Weights of 1 and more, the greatest 2^20.
    std::array<std::uint64_t, kNumberSymbols> weight{};
    std::uint64_t next = 1u << 20, sum = 0;
    for (std::uint32_t i = 1; i < kNumberSymbols; ++i, next = next * ratio >> 16) {
      weight[i] = next;
      sum += next;
    }
    const std::uint64_t rest = kCertain - (zero * kCertain >> 16) - kNumberSymbols;
    std::array<std::uint32_t, kNumberSymbols> frequency{};
    std::uint32_t left = kCertain;
    for (std::uint32_t i = 1; i < kNumberSymbols; ++i) {
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
                    static_cast<std::uint16_t>(start_), static_cast<std::uint16_t>(frequency),
                    static_cast<std::uint16_t>(start_ + (one ? kCertain - 1 : 0))};
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
