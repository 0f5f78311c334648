#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

// Binary range coder with adaptive models.
// Source: Martin 1979 (range coding); the carry handling of Igor Pavlov's LZMA specification,
// "The range coder". web/src/net/coded/range_decoder.ts has the same decoder.
namespace promenade::stream {

/// How likely the next bit of a kind is 0, learnt from those before.
///
/// Law:    p = (fast + slow) / 2, each moved by 1/32 and 1/128 of its distance towards what came;
///         fast follows changes, slow keeps what holds in the long run
struct BitModel {
  std::uint32_t halves = 0x8000'8000;  // of 2^16 each: fast is the lower one, slow the higher

  /// Of 4096: from 4 to 4091, as both halves stop short of their ends.
  std::uint32_t zero_of_4096() const { return ((halves & 0xffff) + (halves >> 16)) >> 5; }
  /// @param take  the bit: all ones, or 0. Both directions go one way, without a branch.
  void learn(std::uint32_t take) {
    const std::uint32_t gap = halves ^ ~take;  // to the end that they move away from
    halves = (gap - ((gap >> 5 & 0x07ff) + (gap >> 7 & 0x01ff'0000))) ^ ~take;
  }
};

inline constexpr std::uint32_t kRangeTop = 1u << 24;  // the range is kept at or above

/// Appends the bits that it is given to a string. They wait in a queue until there are many, and
/// are then coded in one loop without branches on what they are. Allocates nothing but the string's
/// bytes.
class RangeEncoder {
 public:
  static constexpr bool kEncodes = true;

  explicit RangeEncoder(std::string& out) : out_(out) {}

  /// @return the bit, as RangeDecoder does
  bool bit(BitModel& model, bool bit) {
    make_room(1);
    put(0, model, bit);
    advance(1);
    return bit;
  }
  /// The lowest `count` bits of `value`, each as likely 0 as 1, the highest first.
  std::uint32_t plain(int count, std::uint32_t value) {
    make_room(kMostAtOnce);
    for (int i = count - 1; i >= 0; --i) queue_[queued_++] = kPlain | (value >> i & 1);
    return value;
  }

  // Several at once: put() after make_room(), and advance() by those that count.
  static constexpr std::size_t kMostAtOnce = 32;
  void make_room(std::size_t count) {
    if (queued_ + count > queue_.size()) drain();
  }
  void put(std::size_t ahead, BitModel& model, bool bit) {
    queue_[queued_ + ahead] = reinterpret_cast<std::uintptr_t>(&model) | std::uintptr_t{bit};
  }
  void advance(std::size_t count) { queued_ += count; }

  /// Codes what waits.
  void drain() {
    // No bit takes more than two bytes.
    const std::size_t before = out_.size();
    out_.resize(before + 2 * queued_ + waiting_ + 1);
    char* const begin = out_.data() + before;
    char* end = begin;
    const std::uintptr_t* const entries = queue_.data();
    const std::size_t count = std::exchange(queued_, 0);
    std::uint64_t low = low_;
    std::uint32_t range = range_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uintptr_t entry = entries[i];
      const auto take = 0 - static_cast<std::uint32_t>(entry & 1);
      if (entry & kPlain) {
        range >>= 1;
        low += range & take;
      } else {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): an entry is a pointer and two marks.
        auto& model = *reinterpret_cast<BitModel*>(entry & ~kMarks);
        const std::uint32_t bound = (range >> 12) * model.zero_of_4096();
        low += bound & take;
        range = bound + ((range - 2 * bound) & take);
        model.learn(take);
      }
      while (range < kRangeTop) {
        low = shift(low, end);
        range <<= 8;
      }
    }
    low_ = low;
    range_ = range;
    out_.resize(before + static_cast<std::size_t>(end - begin));
  }
  /// Writes what is left, in as few bytes as tell it: the decoder reads zeros after the end, as
  /// many as it likes.
  void finish(std::size_t begin) {
    drain();
    constexpr std::size_t kLast = 5;
    const std::size_t before = out_.size();
    out_.resize(before + kLast + waiting_ + 1);
    char* end = out_.data() + before;
    low_ = (low_ + kRangeTop - 1) & ~std::uint64_t{kRangeTop - 1};
    for (std::size_t i = 0; i < kLast; ++i) low_ = shift(low_, end);
    out_.resize(static_cast<std::size_t>(end - out_.data()));
    while (out_.size() > begin && out_.back() == '\0') out_.pop_back();
  }

 private:
  // A queue's entry is a model's address, and in the bits that its alignment leaves the bit itself,
  // or kPlain and the bit.
  static constexpr std::uintptr_t kPlain = 2, kMarks = 3;
  static_assert(alignof(BitModel) > kMarks, "marks need the lowest bits of a pointer");
  static constexpr std::size_t kQueue = 512;

  // @return `low` without its highest byte, which goes to `end` once no carry can reach it
  std::uint64_t shift(std::uint64_t low, char*& end) {
    if (low < 0xff000000u || low > 0xffffffffu) {
      const auto carry = static_cast<std::uint8_t>(low >> 32);
      if (!first_) *end++ = static_cast<char>(cache_ + carry);
      first_ = false;
      for (; waiting_ > 0; --waiting_) *end++ = static_cast<char>(0xff + carry);
      cache_ = static_cast<std::uint8_t>(low >> 24);
    } else {
      ++waiting_;
    }
    return (low & 0x00ffffffu) << 8;
  }

  std::string& out_;
  std::array<std::uintptr_t, kQueue> queue_;
  std::size_t queued_ = 0;
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
    model.learn(bit ? ~std::uint32_t{0} : 0);
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
