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

/// Takes symbols in the order in which they will be read. They are coded at the end, the last first.
class SymbolEncoder {
 public:
  static constexpr bool kEncodes = true;

  void clear() { count_ = 0; }
  std::size_t count() const { return count_; }

  /// @return the value, as SymbolDecoder does
  std::uint32_t symbol(Alphabet alphabet, std::uint32_t value) {
    *room(1) = static_cast<std::uint16_t>(alphabet.first + value);
    ++count_;
    return value;
  }
  /// Where the next symbols go, as indices into symbols(); they count after add().
  std::uint16_t* room(std::size_t count) {
    if (count_ + count > queue_.size()) queue_.resize(2 * (count_ + count));
    return queue_.data() + count_;
  }
  void add(std::size_t count) { count_ += count; }
  std::uint16_t* from(std::size_t index) { return queue_.data() + index; }

  /// Appends the bytes of all symbols.
  void finish(std::string& out);
  /// Bits that the symbols from `first` on take.
  double bits(std::size_t first) const;

 private:
  std::vector<std::uint16_t> queue_, words_;
  std::size_t count_ = 0;
};

/// Reads them back. What is not of a SymbolEncoder gives some symbols, never an access out of
/// bounds.
class SymbolDecoder {
 public:
  static constexpr bool kEncodes = false;

  explicit SymbolDecoder(std::string_view bytes) : bytes_(bytes) {
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
    while (found->start > slot) --found;
    std::uint32_t now = found->frequency * (state >> kProbabilityBits) + slot - found->start;
    if (now < kStateLeast) now = now << 16 | next();
    states_ = {states_[1], now};
    return static_cast<std::uint32_t>(found - first);
  }
  /// Whether these were all symbols that there are.
  bool at_end() const {
    return states_[0] == kStateLeast && states_[1] == kStateLeast && at_ == bytes_.size();
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
  std::size_t at_ = 0;
  std::array<std::uint32_t, 2> states_{};  // that of the next symbol first
};

}  // namespace promenade::stream
