#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// The alphabets of coded frames and how likely each of their symbols is taken to be. Both ends have
// the same tables, made from the same few whole numbers: web/src/net/coded/symbols.ts.
namespace promenade::stream {

inline constexpr int kProbabilityBits = 12;
inline constexpr std::uint32_t kCertain = 1u << kProbabilityBits;  // all frequencies of an alphabet

/// Some symbols that stand side by side in the table of all of them.
struct Alphabet {
  std::uint16_t first = 0, size = 0;
};

/// Classes of how large the numbers of a series have been: half a power of two each.
inline constexpr int kSizeClasses = 24;
inline constexpr std::uint32_t kNumberSymbols = 32;  // the last: too large, the rest follows
inline constexpr std::uint32_t kTooLarge = kNumberSymbols - 1;
inline constexpr int kToldLevels = 17;  // levels of the chance that somebody is told of

inline constexpr Alphabet numbers_of(int size_class) {
  return {static_cast<std::uint16_t>(size_class * int(kNumberSymbols)), kNumberSymbols};
}
inline constexpr Alphabet told_at(int level) {
  return {static_cast<std::uint16_t>(kSizeClasses * int(kNumberSymbols) + 2 * level), 2};
}
/// Symbols for what has changed of a character besides its numbers: 0 nothing; 1 to 7 only the
/// three lowest flags, by this number; kManyChanges what follows; kManyChanges + 1 to 7 these flags
/// and those limb contacts that changed with them when both were told last.
inline constexpr std::uint32_t kLowFlags = 7, kManyChanges = kLowFlags + 1;
inline constexpr Alphabet kChanges = {told_at(kToldLevels).first, kManyChanges + kLowFlags + 1};
inline constexpr std::size_t kSymbols = kChanges.first + kChanges.size;

/// A symbol, of kCertain.
struct Symbol {
  std::uint64_t reciprocal = 0;  // 2^64 / frequency, rounded up, at most 2^64 - 1
  std::uint32_t most = 0;    // states of an encoder are below, so that the next one fits 32 bits
  std::uint16_t added = 0;   // `start`, and what the reciprocal of a frequency of 1 falls short by
  std::uint16_t others = 0;  // frequencies of all other symbols
  std::uint32_t frequency() const { return kCertain - others; }
};
inline std::uint32_t start_of(const Symbol& symbol) {
  return symbol.added - (symbol.frequency() == 1 ? kCertain - 1 : 0);
}
const std::array<Symbol, kSymbols>& symbols();

/// The level that is nearest to a likelihood. @param likely  of kCertain
int told_level(std::uint32_t likely);

/// How many bits a number of a size class has beside its symbol. The class itself: twice the
/// logarithm of the mean, in sixteenths, rounded down.
inline constexpr int low_bits(int size_class) { return std::max(0, (size_class - 10) / 2); }
inline constexpr std::int16_t mean_of(int size_class) {
  const int mean = size_class < 2 ? 1 : (2 + (size_class & 1)) << (size_class / 2 - 1);
  return static_cast<std::int16_t>(mean);
}

}  // namespace promenade::stream
