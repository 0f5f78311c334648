#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace promenade {

/// 64-bit hash of words: FNV-1a's loop over words instead of bytes, with a rotation so that high
/// bits reach low ones, and SplitMix64's finish. Not safe against inputs made to collide.
class Hash {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ULL;
    state_ = (state_ << 29) | (state_ >> 35);
  }
  /// The raw bits: 0 and -0 have different hashes, and so have different NaNs.
  void add(double value) {
    std::uint64_t word;
    std::memcpy(&word, &value, sizeof word);
    add(word);
  }
  void add(std::span<const double> values) {
    for (const double value : values) add(value);
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (std::size_t i = 0; i < text.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + i, text.size() - i < 8 ? text.size() - i : 8);
      add(word);
    }
  }
  std::uint64_t value() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace promenade
