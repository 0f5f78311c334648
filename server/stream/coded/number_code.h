#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "stream/coded/channels.h"
#include "stream/coded/symbols.h"

// Whole numbers as symbols. Everything here is written once for encoder and decoder: `Coder` is
// either, and a value that is given to a decoder is not looked at.
namespace promenade::stream {

/// A number of unknown size: how many bits it has, and then the bits.
template <typename Coder>
std::uint32_t code_whole(Coder& coder, std::uint32_t value = 0) {
  constexpr int kCountBits = 6;
  const std::uint32_t wanted = static_cast<std::uint32_t>(std::bit_width(value));
  const std::uint32_t count = std::min(coder.plain(kCountBits, wanted), 32u);
  return coder.plain(static_cast<int>(count), value);
}

inline std::uint32_t zigzag_of(std::int32_t value) {
  return static_cast<std::uint32_t>(value) << 1 ^ static_cast<std::uint32_t>(value >> 31);
}
inline std::int32_t from_zigzag(std::uint32_t value) {
  return static_cast<std::int32_t>(value >> 1 ^ (0 - (value & 1)));
}

/// 0 to kSizeClasses - 1, by the mean size in sixteenths.
inline int size_class_of(std::int32_t mean) {
  const auto width = static_cast<int>(std::bit_width(static_cast<unsigned>(mean) | 1u));
  const int half = width >= 2 ? mean >> (width - 2) & 1 : 0;
  return std::min(2 * (width - 1) + half, kSizeClasses - 1);
}

/// A number of which no earlier one is known. How many bits it has is told by the difference to
/// what others of its kind had. @param width  of their bits: the middle of what came, moved by one
template <typename Coder>
std::int32_t code_first(Coder& coder, std::int32_t& width, std::int32_t value) {
  constexpr int kOften = 6;  // the size class that such differences have
  const std::uint32_t zigzag = zigzag_of(value);
  const std::uint32_t off = zigzag_of(static_cast<std::int32_t>(std::bit_width(zigzag)) - width);
  std::uint32_t high = coder.symbol(numbers_of(kOften), std::min(off, kTooLarge));
  if (high == kTooLarge) high += code_whole(coder, off - kTooLarge);
  const std::int32_t told = width + from_zigzag(high);
  const int bits = std::clamp(told, 0, 32);
  width += (bits > width) - (bits < width);
  if (bits == 0) return 0;
  const std::uint32_t top = 1u << (bits - 1);
  return from_zigzag(top | coder.plain(bits - 1, zigzag & (top - 1)));
}

/// The quanta of a group of channels, as ChannelKernels::measure() has made symbols of them: all
/// symbols; their lowest bits; and by how much those were larger that are too large.
/// @param means  kCoded of their block, [quanta.size()] or more
template <typename Coder>
void code_quanta(Coder& coder, const std::int16_t* means, std::span<std::int32_t> quanta) {
  if constexpr (Coder::kEncodes) {
    std::uint16_t* const symbols = coder.room(quanta.size());
    coder.add(quanta.size());
    constexpr std::size_t kAtOnce = sizeof(std::uint64_t) / sizeof(symbols[0]);
    constexpr std::uint64_t kMarks = 0x0001'0001'0001'0001u * kMoreFollows;
    bool too_large = false;
    for (std::size_t i = 0; i < quanta.size(); i += kAtOnce) {
      std::uint64_t some = 0;
      std::memcpy(&some, symbols + i, sizeof some);
      if ((some & kMarks) == 0) continue;
      some &= ~kMarks;
      std::memcpy(symbols + i, &some, sizeof some);
      // Without a branch on what the numbers are: most would be foreseen wrongly.
      const std::size_t end = std::min(i + kAtOnce, quanta.size());
      std::uint32_t bits = 0;
      int count = 0;
      for (std::size_t k = i; k < end; ++k) {
        const int low = low_bits(symbols[k] / int(kNumberSymbols));
        bits |= (zigzag_of(quanta[k]) & ((1u << low) - 1)) << count;
        count += low;
        too_large |= symbols[k] % kNumberSymbols == kTooLarge;
      }
      coder.plain(count, bits);
    }
    if (!too_large) return;
    for (std::size_t i = 0; i < quanta.size(); ++i) {
      if (symbols[i] % kNumberSymbols != kTooLarge) continue;
      const int low = low_bits(symbols[i] / int(kNumberSymbols));
      code_whole(coder, (zigzag_of(quanta[i]) >> low) - kTooLarge);
    }
  } else {
    for (std::size_t i = 0; i < quanta.size(); ++i) {
      quanta[i] = static_cast<std::int32_t>(coder.symbol(numbers_of(size_class_of(means[i]))));
    }
    for (std::size_t i = 0; i < quanta.size(); ++i) {
      const int low = low_bits(size_class_of(means[i]));
      const auto high = static_cast<std::uint32_t>(quanta[i]);
      quanta[i] = static_cast<std::int32_t>(high << low | coder.plain(low));
    }
    for (std::size_t i = 0; i < quanta.size(); ++i) {
      const int low = low_bits(size_class_of(means[i]));
      auto zigzag = static_cast<std::uint32_t>(quanta[i]);
      if (zigzag >> low == kTooLarge) zigzag += code_whole(coder) << low;
      quanta[i] = from_zigzag(zigzag);
    }
  }
}

}  // namespace promenade::stream
