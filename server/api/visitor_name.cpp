#include "api/visitor_name.h"

#include <array>
#include <cstdint>
#include <cstdio>

#include "api/decode.h"
#include "math/hash.h"
#include "schema/refusal.h"

namespace promenade::api {
namespace {

struct Range {
  std::uint32_t first, last;
};

// Characters that cannot be seen, or that change the direction or the lines of the text around
// them. The joiners U+200C and U+200D are not among them: some scripts cannot be written without.
constexpr std::array kUnseen = {
    Range{0x00, 0x1f},       Range{0x7f, 0x9f},        // control characters
    Range{0xad, 0xad},       Range{0x34f, 0x34f},      // soft hyphen, grapheme joiner
    Range{0x61c, 0x61c},     Range{0x115f, 0x1160},    // Arabic mark of direction, Hangul fillers
    Range{0x17b4, 0x17b5},   Range{0x180b, 0x180f},    // Khmer and Mongolian, not shown
    Range{0x200b, 0x200b},   Range{0x200e, 0x200f},    // zero width space, marks of direction
    Range{0x2028, 0x202e},   Range{0x2060, 0x206f},    // lines, overrides and isolates of direction
    Range{0x2800, 0x2800},   Range{0x3164, 0x3164},    // blanks that look like letters
    Range{0xd800, 0xdfff},   Range{0xe000, 0xf8ff},    // halves of characters, private use
    Range{0xfeff, 0xfeff},   Range{0xffa0, 0xffa0},    // byte order mark, Hangul filler
    Range{0xfff0, 0xfffb},   Range{0xfffe, 0xffff},    // annotations, no characters
    Range{0xe0000, 0xe0fff}, Range{0xf0000, 0x10ffff}  // tags, private use
};
// Spaces, joiners and selectors of variants: a name of nothing else cannot be seen either.
constexpr std::array kBlank = {Range{0x20, 0x20},     Range{0xa0, 0xa0},     Range{0x1680, 0x1680},
                               Range{0x2000, 0x200d}, Range{0x202f, 0x202f}, Range{0x205f, 0x205f},
                               Range{0x3000, 0x3000}, Range{0xfe00, 0xfe0f}};

template <std::size_t n>
bool in(const std::array<Range, n>& ranges, std::uint32_t code) {
  for (const Range& range : ranges) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

// The character at `at`, which moves on to the next. @pre valid UTF-8
std::uint32_t next_code(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  std::uint32_t code = lead & (0x3fu >> more);
  for (int k = 0; k < more && at < text.size(); ++k) {
    code = (code << 6) | (static_cast<unsigned char>(text[at++]) & 0x3fu);
  }
  return code;
}

constexpr std::array<const char*, 64> kHow = {
    "Able",   "Airy",   "Bold",    "Brave",   "Bright", "Brisk",  "Calm",   "Careful",
    "Cheery", "Clever", "Cosy",    "Curious", "Daring", "Eager",  "Early",  "Easy",
    "Fair",   "Famous", "Fancy",   "Fleet",   "Fond",   "Free",   "Fresh",  "Gentle",
    "Glad",   "Grand",  "Happy",   "Hardy",   "Honest", "Jolly",  "Keen",   "Kind",
    "Lively", "Loyal",  "Lucky",   "Mellow",  "Merry",  "Mighty", "Mild",   "Neat",
    "Nimble", "Noble",  "Patient", "Plucky",  "Polite", "Proud",  "Quick",  "Quiet",
    "Ready",  "Shy",    "Smart",   "Smooth",  "Snug",   "Spry",   "Steady", "Sunny",
    "Swift",  "Tidy",   "Trusty",  "Upbeat",  "Warm",   "Wise",   "Witty",  "Zesty"};
constexpr std::array<const char*, 64> kWho = {
    "Alpaca",  "Badger",  "Bear",   "Beaver",  "Bison",   "Bunny",  "Camel",   "Cat",
    "Cheetah", "Condor",  "Coyote", "Crane",   "Deer",    "Dingo",  "Dolphin", "Dove",
    "Eagle",   "Egret",   "Falcon", "Ferret",  "Finch",   "Fox",    "Gazelle", "Gecko",
    "Gibbon",  "Giraffe", "Goose",  "Hare",    "Hawk",    "Heron",  "Ibex",    "Jackdaw",
    "Jaguar",  "Koala",   "Lark",   "Lemur",   "Leopard", "Lion",   "Llama",   "Lynx",
    "Magpie",  "Marmot",  "Marten", "Mole",    "Moose",   "Newt",   "Ocelot",  "Osprey",
    "Otter",   "Owl",     "Panda",  "Pelican", "Puffin",  "Quail",  "Rabbit",  "Raven",
    "Robin",   "Seal",    "Stork",  "Swan",    "Tiger",   "Turtle", "Wombat",  "Zebra"};

}  // namespace

std::optional<world::CommandError> check_visitor_name(const char* field, std::string_view name) {
  using Code = world::CommandError::Code;
  if (name.size() > kMaxVisitorNameLength) {
    return world::refuse(Code::kInvalid, field, std::to_string(name.size()) + " bytes",
                         "at most " + std::to_string(kMaxVisitorNameLength) + " bytes");
  }
  bool seen = false;
  for (std::size_t at = 0; at < name.size();) {
    const std::uint32_t code = next_code(name, at);
    if (in(kUnseen, code)) {
      char what[40];
      std::snprintf(what, sizeof what, "a name with U+%04X", static_cast<unsigned>(code));
      return world::refuse(Code::kInvalid, field, what,
                           "letters, digits, signs and spaces that can be seen");
    }
    seen = seen || !in(kBlank, code);
  }
  const auto is = [name](std::size_t at, char low) { return (name[at] | 0x20) == low; };
  if (name.size() == 3 && is(0, 'y') && is(1, 'o') && is(2, 'u')) {
    return world::refuse(Code::kInvalid, field, schema::in_quotes(name),
                         "any other name: pages call their own visitor so");
  }
  if (seen || name.empty()) return std::nullopt;
  return world::refuse(Code::kInvalid, field, "a name that cannot be seen",
                       "a name with at least one letter, digit or sign");
}

std::string made_up_name(std::string_view visitor, unsigned turn) {
  Hash hash;
  hash.add(visitor);
  hash.add(std::uint64_t{turn});
  const std::uint64_t value = hash.value();
  return std::string(kHow[value % kHow.size()]) + " " + kWho[(value >> 32) % kWho.size()];
}

}  // namespace promenade::api
