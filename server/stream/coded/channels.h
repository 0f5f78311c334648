#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

// The numbers of a character over time, side by side, and what is expected of them next. Both ends
// of a connection have the same, to the last bit: whole numbers of 32 bits, with all bits beyond
// cut off. web/src/net/coded/tracks.ts is the other text.
namespace promenade::stream {

/// When the last three values of a group of channels were told.
struct TrackTimes {
  std::uint64_t last = 0;                // tick
  std::uint32_t passed = 0, before = 0;  // ticks from the last but one to the last, and so on
  std::uint32_t told = 0;                // how many values there are, at most 3

  void push(std::uint64_t now) {
    before = passed;
    passed = static_cast<std::uint32_t>(std::min<std::uint64_t>(now - last, ~std::uint32_t{0}));
    last = now;
    told = std::min(told + 1, 3u);
  }
  /// Forgets the values before the last: as if nothing had moved until then.
  void forget() { told = std::min(told, 1u); }
};

/// How far ahead of the last values a moment is.
struct Ahead {
  static constexpr int kShareBits = 10;
  std::int32_t share = 0;  // of the time between the last two values, in 1024ths; 0: at rest
  bool even = false;       // three values and this moment are equally far apart

  /// @param most  ticks that a motion is continued for; after that it is taken to rest
  Ahead(const TrackTimes& times, std::uint64_t now, std::uint64_t most) {
    if (times.told < 2 || now <= times.last || times.passed == 0) return;
    const std::uint64_t since = now - times.last;
    const std::uint64_t passed = times.passed;
    share =
        static_cast<std::int32_t>(((std::min(since, most) << kShareBits) + passed / 2) / passed);
    even = times.told == 3 && since == passed && since <= most && times.before == times.passed;
  }
};

/// Channels stand in lanes, eight to a group. A block has rows of all its lanes: first three rows
/// of values, 32 bits each, then four of means, 16 bits each.
inline constexpr std::size_t kLanes = 8;
enum ValueRow : std::uint8_t {
  kLast,    // the values told last
  kBefore,  // those before
  kFirst,   // and before that
  kValueRows
};
enum MeanRow : std::uint8_t {
  kRest,          // of |expected - told| by each law, sixteenths: that it rests,
  kVelocity,      // moves on,
  kAcceleration,  // speeds up or slows down evenly
  kCoded,         // of |what was coded|, sixteenths of a quantum
  kMeanRows
};
/// How many words of 32 bits a block takes.
inline constexpr std::size_t block_size(std::size_t lanes) {
  return (kValueRows + kMeanRows / 2) * lanes;
}
inline std::int16_t* means_of(std::int32_t* block, std::size_t lanes, MeanRow row) {
  return reinterpret_cast<std::int16_t*>(block + kValueRows * lanes) + row * lanes;
}
inline const std::int16_t* means_of(const std::int32_t* block, std::size_t lanes, MeanRow row) {
  return reinterpret_cast<const std::int16_t*>(block + kValueRows * lanes) + row * lanes;
}
inline constexpr std::int16_t kFirstMean = 16;
inline constexpr std::size_t lanes_of(std::size_t channels) {
  return (channels + kLanes - 1) / kLanes * kLanes;
}

/// The operations on all lanes of a block, for the processor that runs them. Numbers of lanes are
/// multiples of kLanes; `exponents` has kLanes numbers, for each group the same.
///
/// Law:    of the values told last, a, b before and c before that, what is expected now is
///           a (rest), a + share (a - b) (constant velocity), or 3 a - 3 b + c (constant
///           acceleration, where the three are even),
///         whichever was closest lately: each miss counts for 1/8 of its mean
struct ChannelKernels {
  void (*expect)(const std::int32_t* block, std::size_t lanes, const Ahead& ahead,
                 std::int32_t* expected);
  /// The greatest distance between two rows.
  std::uint32_t (*apart)(const std::int32_t* a, const std::int32_t* b, std::size_t lanes);
  /// How many quanta of 2^exponent `now` is from what is expected, and the symbols for that: with
  /// kMoreFollows where the symbol does not say all.
  void (*measure)(const std::int32_t* block, std::size_t lanes, const std::int32_t* now,
                  const std::int32_t* expected, const std::int32_t* exponents, std::int32_t* quanta,
                  std::uint16_t* symbols);
  /// Takes what was told. @return a sum that depends on each number
  std::uint32_t (*learn)(std::int32_t* block, std::size_t lanes, const Ahead& ahead,
                         const std::int32_t* expected, const std::int32_t* exponents,
                         const std::int32_t* quanta);
};
inline constexpr std::uint16_t kMoreFollows = 0x8000;
const ChannelKernels& channel_kernels();
/// The kernels that run on every processor and give the same numbers.
const ChannelKernels& plain_channel_kernels();

}  // namespace promenade::stream
