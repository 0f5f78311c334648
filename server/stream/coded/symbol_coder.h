#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stream/coded/symbols.h"

// Symbols to bytes, each in as many bits as it is unlikely.
// Source: Duda 2013, asymmetric numeral systems, the range variant (rANS); Giesen 2014, two
// interleaved states. web/src/net/coded/symbol_decoder.ts has the same decoder.
namespace promenade::stream {

inline constexpr std::uint32_t kStateLeast = 1u << 16;  // states are kept from there to 2^32

/// Takes symbols in the order in which they will be read. They are coded at the end, the last
/// first. Plain bits stand behind them, the first in the last byte.
class SymbolEncoder {
 public:
  static constexpr bool kEncodes = true;

  void clear() {
    count_ = 0;
    plain_words_ = 0;
    plain_waiting_ = 0;
    plain_count_ = 0;
  }
  std::size_t count() const { return count_; }

  /// @return the value, as SymbolDecoder does
  std::uint32_t symbol(Alphabet alphabet, std::uint32_t value) {
    *room(1) = static_cast<std::uint16_t>(alphabet.first + value);
    ++count_;
    return value;
  }
  /// The lowest bits of a value, each as likely 0 as 1. @param count  at most 32
  std::uint32_t plain(int count, std::uint32_t value) {
    plain_waiting_ |= std::uint64_t{value} << plain_count_;
    plain_count_ += count;
    if (plain_count_ >= 32) put_word();
    return value;
  }
  /// Where the next symbols go, as indices into symbols(); they count after add().
  std::uint16_t* room(std::size_t count) {
    if (count_ + count > queue_.size()) queue_.resize(2 * (count_ + count));
    return queue_.data() + count_;
  }
  void add(std::size_t count) { count_ += count; }

  /// Appends the bytes of all symbols.
  void finish(std::string& out);
  struct Mark {
    std::size_t symbols = 0, plain = 0;
  };
  Mark mark() const { return {count_, 32 * plain_words_ + std::size_t(plain_count_)}; }
  /// Bits that everything since then takes.
  double bits(Mark from) const;

 private:
  void put_word() {
    if (plain_words_ == plain_.size()) plain_.resize(2 * plain_.size() + 64);
    plain_[plain_words_++] = static_cast<std::uint32_t>(plain_waiting_);
    plain_waiting_ >>= 32;
    plain_count_ -= 32;
  }

  std::vector<std::uint16_t> queue_, words_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> plain_;  // the first bits lowest
  std::size_t plain_words_ = 0;       // of them
  std::uint64_t plain_waiting_ = 0;
  int plain_count_ = 0;  // bits of `plain_waiting_`
};

/// Reads them back. Bytes that no SymbolEncoder made give some symbols, never an access out of
/// bounds.
class SymbolDecoder {
 public:
  static constexpr bool kEncodes = false;

  explicit SymbolDecoder(std::string_view bytes) : bytes_(bytes), end_(bytes.size()) {
    for (std::uint32_t& state : states_) {
      state = next();
      state |= next() << 16;
    }
  }
  std::uint32_t symbol(Alphabet alphabet, std::uint32_t = 0) {
    const std::uint32_t state = states_[0];
    const std::uint32_t slot = state & (kCertain - 1);
    const Symbol* const first = symbols().data() + alphabet.first;
    const Symbol* found = first + alphabet.size - 1;
    while (start_of(*found) > slot) --found;
    std::uint32_t now = found->frequency() * (state >> kProbabilityBits) + slot - start_of(*found);
    if (now < kStateLeast) now = now << 16 | next();
    states_ = {states_[1], now};
    return static_cast<std::uint32_t>(found - first);
  }
  std::uint32_t plain(int count, std::uint32_t = 0) {
    for (; plain_count_ < count; plain_count_ += 8) {
      const std::uint8_t byte = end_ > 0 ? static_cast<std::uint8_t>(bytes_[--end_]) : 0;
      plain_waiting_ |= std::uint64_t{byte} << plain_count_;
    }
    const auto value =
        static_cast<std::uint32_t>(plain_waiting_ & ((std::uint64_t{1} << count) - 1));
    plain_waiting_ >>= count;
    plain_count_ -= count;
    return value;
  }
  /// Whether that was everything.
  bool at_end() const {
    return states_[0] == kStateLeast && states_[1] == kStateLeast && at_ == end_;
  }

 private:
  std::uint32_t next() {
    if (at_ + 2 > bytes_.size()) return 0;
    const auto low = static_cast<std::uint8_t>(bytes_[at_]);
    const auto high = static_cast<std::uint8_t>(bytes_[at_ + 1]);
    at_ += 2;
    return std::uint32_t{low} | std::uint32_t{high} << 8;
  }

  std::string_view bytes_;
  std::size_t at_ = 0, end_ = 0;           // of words, and of plain bits
  std::array<std::uint32_t, 2> states_{};  // that of the next symbol first
  std::uint64_t plain_waiting_ = 0;
  int plain_count_ = 0;  // bits of `plain_waiting_`
};

}  // namespace promenade::stream
