#include "schema/shown_text.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace promenade::schema {
namespace {

struct Range {
  std::uint32_t first, last;
};

// Characters that cannot be seen, or that change the direction or the lines of the text around
// them.
constexpr std::array kUnseen = {
    Range{0x00, 0x1f},       Range{0x7f, 0x9f},        // control characters
    Range{0xad, 0xad},       Range{0x34f, 0x34f},      // soft hyphen, grapheme joiner
    Range{0x61c, 0x61c},     Range{0x115f, 0x1160},    // Arabic mark of direction, Hangul fillers
    Range{0x17b4, 0x17b5},   Range{0x180b, 0x180f},    // Khmer and Mongolian, not shown
    Range{0x200b, 0x200b},   Range{0x200e, 0x200f},    // zero width space, marks of direction
    Range{0x2028, 0x202e},   Range{0x2060, 0x206f},    // lines, overrides and isolates of direction
    Range{0x2800, 0x2800},   Range{0x3164, 0x3164},    // blanks that look like letters
    Range{0xd800, 0xdfff},   Range{0xe000, 0xf8ff},    // halves of characters, private use
    Range{0xfdd0, 0xfdef},   Range{0xfeff, 0xfeff},    // no characters, byte order mark
    Range{0xffa0, 0xffa0},   Range{0xfff0, 0xfffb},    // Hangul filler, annotations
    Range{0x13430, 0x1343f}, Range{0x1bca0, 0x1bca3},  // controls of hieroglyphs and of shorthand
    Range{0x1d173, 0x1d17a}, Range{0xe0000, 0xe0fff},  // of music; tags
    Range{0xf0000, 0x10ffff}                           // private use
};
constexpr std::array kSpaces = {Range{0x20, 0x20},     Range{0xa0, 0xa0},     Range{0x1680, 0x1680},
                                Range{0x2000, 0x200a}, Range{0x202f, 0x202f}, Range{0x205f, 0x205f},
                                Range{0x3000, 0x3000}};
constexpr std::array kJoiners = {Range{0x200c, 0x200d}};
constexpr std::array kSelectors = {Range{0xfe00, 0xfe0f}};
// Marks of no script of their own, which can be heaped on any character.
constexpr std::array kMarks = {Range{0x300, 0x36f},   Range{0x483, 0x489},   Range{0x1ab0, 0x1aff},
                               Range{0x1dc0, 0x1dff}, Range{0x20d0, 0x20ff}, Range{0xfe20, 0xfe2f}};
constexpr int kMostMarks = 3;
// Characters that a joiner may stand between: scripts whose letters join, and signs. Elsewhere, as
// in Latin, a joiner would only make two texts look alike.
constexpr std::array kJoined = {
    Range{0x590, 0x1dbf},    Range{0x2190, 0x2bff},  Range{0x2d30, 0x2d7f}, Range{0xa800, 0xa8ff},
    Range{0xa900, 0xaaff},   Range{0xfb1d, 0xfdcf},  Range{0xfdf0, 0xfdff}, Range{0xfe70, 0xfefc},
    Range{0x10a00, 0x11fff}, Range{0x1e900, 0x1faff}};
// Characters that a selector of variants may follow: signs that have two forms, ideographs.
constexpr std::array kVaried = {Range{'#', '#'},       Range{'*', '*'},   Range{'0', '9'},
                                Range{0xa9, 0xa9},     Range{0xae, 0xae}, Range{0x1000, 0x10ff},
                                Range{0x203c, 0x3fffd}};

template <std::size_t n>
bool in(const std::array<Range, n>& ranges, std::uint32_t code) {
  for (const Range& range : ranges) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

// The character at `at`, which moves on to the next; nothing where that is no UTF-8.
std::optional<std::uint32_t> next_code(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  if (lead < 0xc2 || lead > 0xf4) return std::nullopt;
  const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  std::uint32_t code = lead & (0x3fu >> more);
  for (std::size_t k = 0; k < more; ++k) {
    if (at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80) {
      return std::nullopt;
    }
    code = (code << 6) | (static_cast<unsigned char>(text[at++]) & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 4> kLeast{0, 0x80, 0x800, 0x10000};
  if (code < kLeast[more] || code > 0x10ffff) return std::nullopt;
  return code;
}

// Judges one character after the other.
class Reader {
 public:
  /// @return whether it may stand there
  bool take(std::uint32_t code) {
    if (in(kUnseen, code) || (code & 0xfffe) == 0xfffe) return false;
    const bool may = may_follow(code);
    marks_ = in(kMarks, code) ? marks_ + 1 : 0;
    seen_ = seen_ || !(in(kSpaces, code) || in(kSelectors, code) || in(kJoiners, code));
    last_ = code;
    if (!in(kSelectors, code) && marks_ == 0 && !in(kJoiners, code)) base_ = code;
    return may;
  }
  /// A joiner with nothing after it.
  bool open() const { return in(kJoiners, last_); }
  bool seen() const { return seen_; }

 private:
  bool may_follow(std::uint32_t code) const {
    if (open()) return in(kJoined, code);
    if (in(kJoiners, code)) return in(kJoined, base_);
    if (in(kSelectors, code)) return !in(kSelectors, last_) && in(kVaried, last_);
    if (in(kMarks, code)) return marks_ < kMostMarks && last_ != 0 && !in(kSpaces, last_);
    return true;
  }
  std::uint32_t last_ = 0, base_ = 0;
  int marks_ = 0;
  bool seen_ = false;
};

}  // namespace

std::optional<TextFault> text_fault(std::string_view text, std::size_t most,
                                    std::string_view noun) {
  const std::string what = "a " + std::string(noun);
  constexpr const char* kAllowed = "letters, digits, signs and spaces that can be seen";
  if (text.size() > most) {
    return TextFault{std::to_string(text.size()) + " bytes",
                     "at most " + std::to_string(most) + " bytes"};
  }
  Reader reader;
  std::uint32_t last = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto code = next_code(text, at);
    if (!code) return TextFault{what + " that is not UTF-8", kAllowed};
    last = *code;
    if (reader.take(last)) continue;
    char number[16];
    std::snprintf(number, sizeof number, "U+%04X", static_cast<unsigned>(last));
    return TextFault{what + " with " + number, kAllowed};
  }
  if (reader.open() && reader.seen()) {
    return TextFault{what + " that ends in a joiner", kAllowed};
  }
  if (reader.seen() || text.empty()) return std::nullopt;
  return TextFault{what + " that cannot be seen",
                   what + " with at least one letter, digit or sign"};
}

}  // namespace promenade::schema
