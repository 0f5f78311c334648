#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "stream/coded/range_coder.h"

// Whole numbers as bits for the range coder, and the models of these bits. Everything here is
// written once for encoder and decoder: `Coder` is either, and a value that is given to a decoder
// is not looked at.
namespace promenade::stream {

/// Numbers whose size nothing is known of. @return the value
/// Source: Elias 1975, the gamma code, with modelled bits of the length
struct LengthModel {
  std::array<BitModel, 33> more{};

  template <typename Coder>
  std::uint32_t code(Coder& coder, std::uint32_t value) {
    // value + 1 in `length` bits after its highest one.
    const std::uint64_t whole = std::uint64_t{value} + 1;
    const int wanted = static_cast<int>(std::bit_width(whole)) - 1;
    int length = 0;
    while (length < 32 && coder.bit(more[static_cast<std::size_t>(length)], length < wanted)) {
      ++length;
    }
    const std::uint32_t high = length > 16 ? coder.plain(length - 16, bits(whole, 16, length)) : 0;
    const int low_count = std::min(length, 16);
    const std::uint32_t low = coder.plain(low_count, bits(whole, 0, low_count));
    const std::uint64_t rest = std::uint64_t{high} << 16 | low;
    return static_cast<std::uint32_t>((std::uint64_t{1} << length | rest) - 1);
  }

 private:
  static std::uint32_t bits(std::uint64_t value, int from, int to) {
    return static_cast<std::uint32_t>(value >> from & ((std::uint64_t{1} << (to - from)) - 1));
  }
};

/// How large the numbers of one series have been lately, which says how the next is coded.
/// Law:    mean += (|r| - mean) / 4, in sixteenths, at most 2^14
struct SeriesScale {
  std::uint16_t mean = 16;  // sixteenths
  std::int8_t sign = 0;     // of the last that was not 0

  void learn(std::int32_t value) {
    const std::int64_t size = std::min<std::int64_t>(std::abs(std::int64_t{value}), 1 << 10) * 16;
    mean = static_cast<std::uint16_t>(mean + ((size - mean) >> 2));
    if (value != 0) sign = value < 0 ? -1 : 1;
  }
  /// 0 to kClasses - 1: half a power of two each.
  int size_class() const {
    const auto width = static_cast<int>(std::bit_width(static_cast<unsigned>(mean) | 1u));
    const int half = width >= 2 ? mean >> (width - 2) & 1 : 0;
    return std::min(2 * (width - 1) + half, kClasses - 1);
  }
  static constexpr int kClasses = 24;
};

/// Codes the numbers of many series of a kind, which are around zero.
///
/// Law:    zero?, sign, then |r| - 1 in two parts: the lowest k bits as they are, the others in
///         unary with modelled bits up to kUnary, what is beyond as its length and bits; k and the
///         models go by the series' size class, as in Golomb-Rice codes (Rice 1979) whose parameter
///         is learnt (Weinberger, Seroussi and Sapiro 2000, LOCO-I, section 3.3)
class NumberModel {
 public:
  template <typename Coder>
  std::int32_t code(Coder& coder, SeriesScale& scale, std::int32_t value) {
    const int size = scale.size_class();
    Class& models = classes_[static_cast<std::size_t>(size)];
    const std::int32_t coded = code_in(coder, models, size, scale.sign, value);
    scale.learn(coded);
    return coded;
  }

 private:
  static constexpr int kUnary = 14;
  static constexpr int kFirstWithLowBits = 12;  // of the size classes
  struct Class {
    BitModel zero;
    std::array<BitModel, 3> sign;  // by the one before
    std::array<BitModel, kUnary> more;
    BitModel highest_low;
  };

  template <typename Coder>
  std::int32_t code_in(Coder& coder, Class& models, int size, int sign_before, std::int32_t value) {
    if constexpr (Coder::kEncodes) {
      if (put_small(coder, models, size, sign_before, value)) return value;
    }
    if (!coder.bit(models.zero, value != 0)) return 0;
    const bool negative =
        coder.bit(models.sign[static_cast<std::size_t>(sign_before + 1)], value < 0);
    const std::uint32_t rest =
        static_cast<std::uint32_t>(std::abs(std::int64_t{value}) - (Coder::kEncodes ? 1 : 0));
    const int low_bits = size < kFirstWithLowBits ? 0 : (size - kFirstWithLowBits) / 2 + 1;
    const std::uint32_t high = rest >> low_bits;
    std::uint32_t coded = 0;
    while (coded < kUnary && coder.bit(models.more[coded], coded < high)) ++coded;
    if (coded == kUnary) coded += beyond_.code(coder, high - kUnary);
    if (low_bits > 0) {
      const std::uint32_t top = coder.bit(models.highest_low, rest >> (low_bits - 1) & 1);
      const std::uint32_t mask = (1u << (low_bits - 1)) - 1;
      coded = coded << low_bits | top << (low_bits - 1) | coder.plain(low_bits - 1, rest & mask);
    }
    const auto size_coded = static_cast<std::int64_t>(std::uint64_t{coded} + 1);
    return static_cast<std::int32_t>(negative ? -size_coded : size_coded);
  }

  // The same bits for nearly all numbers, put in one go: a branch on a number that nothing is known
  // of costs more than its bits. @return false: it is not so small, and nothing has been put
  template <typename Coder>
  static bool put_small(Coder& coder, Class& models, int size, int sign_before,
                        std::int32_t value) {
    constexpr std::uint32_t kSmall = 4;
    const auto whole = static_cast<std::uint32_t>(value < 0 ? -std::int64_t{value} : value);
    if (size >= kFirstWithLowBits || whole > kSmall) return false;
    coder.make_room(kSmall + 2);
    coder.put(0, models.zero, whole != 0);
    coder.put(1, models.sign[static_cast<std::size_t>(sign_before + 1)], value < 0);
    for (std::uint32_t i = 0; i < kSmall; ++i) coder.put(2 + i, models.more[i], i + 1 < whole);
    coder.advance(whole == 0 ? 1 : 2 + whole);
    return true;
  }

  std::array<Class, SeriesScale::kClasses> classes_{};
  LengthModel beyond_;
};

}  // namespace promenade::stream
