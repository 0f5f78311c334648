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

/// A number whose size nothing is known of: how many bits it has, and these.
template <typename Coder>
std::uint32_t code_whole(Coder& coder, std::uint32_t value) {
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

/// What a number's symbol leaves open: how much too large it was, and its lowest bits.
/// @param high  what the symbol says  @return the number as a zigzag
template <typename Coder>
std::uint32_t code_rest(Coder& coder, int size_class, std::uint32_t high, std::uint32_t zigzag) {
  const int low = low_bits(size_class);
  if (high == kTooLarge) high += code_whole(coder, (zigzag >> low) - kTooLarge);
  return low == 0 ? high : high << low | coder.plain(low, zigzag & ((1u << low) - 1));
}

/// A number of which no earlier one is known. How many bits it has is told by the difference to
/// what others of its kind had. @param width  of their bits: the middle of what came, moved by one
template <typename Coder>
std::int32_t code_first(Coder& coder, std::int32_t& width, std::int32_t value) {
  constexpr int kOften = 6;  // the size class that such differences have
  const std::uint32_t zigzag = zigzag_of(value);
  const std::uint32_t off = zigzag_of(static_cast<std::int32_t>(std::bit_width(zigzag)) - width);
  const std::uint32_t high = coder.symbol(numbers_of(kOften), std::min(off, kTooLarge));
  const std::int32_t told = width + from_zigzag(code_rest(coder, kOften, high, off));
  const int bits = std::clamp(told, 0, 32);
  width += (bits > width) - (bits < width);
  if (bits == 0) return 0;
  const std::uint32_t top = 1u << (bits - 1);
  return from_zigzag(top | coder.plain(bits - 1, zigzag & (top - 1)));
}

/// The quanta of a group of channels, as ChannelKernels::measure() has made symbols of them: all
/// symbols, and then what these leave open.
/// @param means  kCoded of their block, [quanta.size()] or more
template <typename Coder>
void code_quanta(Coder& coder, const std::int16_t* means, std::span<std::int32_t> quanta) {
  if constexpr (Coder::kEncodes) {
    std::uint16_t* const symbols = coder.room(quanta.size());
    coder.add(quanta.size());
    // The symbols move where what follows them needs more room.
    const std::size_t begin = coder.count() - quanta.size();
    constexpr std::size_t kAtOnce = sizeof(std::uint64_t) / sizeof(symbols[0]);
    for (std::size_t i = 0; i < quanta.size(); i += kAtOnce) {
      std::uint64_t some = 0;
      std::memcpy(&some, coder.from(begin + i), sizeof some);
      constexpr std::uint64_t kMarks = 0x0001'0001'0001'0001u * kMoreFollows;
      for (std::uint64_t more = some & kMarks; more != 0; more &= more - 1) {
        const std::size_t k = i + std::size_t(std::countr_zero(more)) / 16;
        if (k >= quanta.size()) break;
        std::uint16_t& symbol = *coder.from(begin + k);
        symbol ^= kMoreFollows;
        code_rest(coder, symbol / int(kNumberSymbols), symbol % kNumberSymbols,
                  zigzag_of(quanta[k]));
      }
    }
  } else {
    for (std::size_t i = 0; i < quanta.size(); ++i) {
      quanta[i] = static_cast<std::int32_t>(coder.symbol(numbers_of(size_class_of(means[i]))));
    }
    for (std::size_t i = 0; i < quanta.size(); ++i) {
      const auto high = static_cast<std::uint32_t>(quanta[i]);
      quanta[i] = from_zigzag(code_rest(coder, size_class_of(means[i]), high, 0));
    }
  }
}

}  // namespace promenade::stream
