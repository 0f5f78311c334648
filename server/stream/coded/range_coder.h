#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Binary range coder with adaptive models.
// Source: Martin 1979 (range coding); the carry handling of Igor Pavlov's LZMA specification,
// "The range coder". web/src/net/coded/range_decoder.ts has the same decoder.
namespace promenade::stream {

/// How likely the next bit of a kind is 0, learnt from those before.
///
/// Law:    p = (fast + slow) / 2, each moved by 1/32 and 1/128 of its distance towards what came;
///         fast follows changes, slow keeps what holds in the long run
struct BitModel {
  std::uint16_t fast = 1 << 15, slow = 1 << 15;  // of 2^16

  /// Of 4096: from 4 to 4091, as both halves stop short of their ends.
  std::uint32_t zero_of_4096() const { return (std::uint32_t{fast} + slow) >> 5; }
  void learn(bool bit) {
    if (bit) {
      fast = static_cast<std::uint16_t>(fast - (fast >> 5));
      slow = static_cast<std::uint16_t>(slow - (slow >> 7));
    } else {
      fast = static_cast<std::uint16_t>(fast + ((0xffff - fast) >> 5));
      slow = static_cast<std::uint16_t>(slow + ((0xffff - slow) >> 7));
    }
  }
};

inline constexpr std::uint32_t kRangeTop = 1u << 24;  // the range is kept at or above

/// Appends the bits that it is given to a string. Allocates nothing but the string's bytes.
class RangeEncoder {
 public:
  static constexpr bool kEncodes = true;

  explicit RangeEncoder(std::string& out) : out_(out) {}

  /// @return the bit, as RangeDecoder does
  bool bit(BitModel& model, bool bit) {
    const std::uint32_t bound = (range_ >> 12) * model.zero_of_4096();
    if (bit) {
      low_ += bound;
      range_ -= bound;
    } else {
      range_ = bound;
    }
    model.learn(bit);
    while (range_ < kRangeTop) shift();
    return bit;
  }
  /// The lowest `count` bits of `value`, each as likely 0 as 1, the highest first.
  std::uint32_t plain(int count, std::uint32_t value) {
    for (int i = count - 1; i >= 0; --i) {
      range_ >>= 1;
      if (value >> i & 1) low_ += range_;
      while (range_ < kRangeTop) shift();
    }
    return value;
  }
  /// Writes what is left, in as few bytes as tell it: the decoder reads zeros after the end, as
  /// many as it likes.
  void finish(std::size_t begin) {
    low_ = (low_ + kRangeTop - 1) & ~std::uint64_t{kRangeTop - 1};
    for (int i = 0; i < 5; ++i) shift();
    while (out_.size() > begin && out_.back() == '\0') out_.pop_back();
  }

 private:
  void shift() {
    if (low_ < 0xff000000u || low_ > 0xffffffffu) {
      const auto carry = static_cast<std::uint8_t>(low_ >> 32);
      if (!first_) out_.push_back(static_cast<char>(cache_ + carry));
      first_ = false;
      for (; waiting_ > 0; --waiting_) out_.push_back(static_cast<char>(0xff + carry));
      cache_ = static_cast<std::uint8_t>(low_ >> 24);
    } else {
      ++waiting_;
    }
    low_ = (low_ & 0x00ffffffu) << 8;
    range_ <<= 8;
  }

  std::string& out_;
  std::uint64_t low_ = 0;
  std::uint32_t range_ = 0xffffffffu;
  std::uint8_t cache_ = 0;     // the last byte, to which a carry may still be added
  std::uint64_t waiting_ = 0;  // bytes of 0xff after it, which a carry would turn over
  bool first_ = true;          // the byte before the first, always 0, is not written
};

/// Reads them back. What is not of a RangeEncoder gives some bits, never an access out of bounds.
class RangeDecoder {
 public:
  static constexpr bool kEncodes = false;

  explicit RangeDecoder(std::string_view bytes) : bytes_(bytes) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8 | next();
  }

  bool bit(BitModel& model, bool = false) {
    const std::uint32_t bound = (range_ >> 12) * model.zero_of_4096();
    const bool bit = code_ >= bound;
    if (bit) {
      code_ -= bound;
      range_ -= bound;
    } else {
      range_ = bound;
    }
    model.learn(bit);
    refill();
    return bit;
  }
  std::uint32_t plain(int count, std::uint32_t = 0) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) {
      range_ >>= 1;
      const bool bit = code_ >= range_;
      if (bit) code_ -= range_;
      value = value << 1 | std::uint32_t{bit};
      refill();
    }
    return value;
  }

 private:
  void refill() {
    while (range_ < kRangeTop) {
      range_ <<= 8;
      code_ = code_ << 8 | next();
    }
  }
  std::uint8_t next() {
    return at_ < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at_++]) : std::uint8_t{0};
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint32_t range_ = 0xffffffffu, code_ = 0;
};

}  // namespace promenade::stream
