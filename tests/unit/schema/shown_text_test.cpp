#include "schema/shown_text.h"

#include <gtest/gtest.h>

namespace promenade::schema {
namespace {

std::string fault(std::string_view text) {
  const auto found = text_fault(text, 400);
  if (!found) return "";
  EXPECT_NE(found->allowed, "");
  return found->value;
}

TEST(ShownText, OfAnyScriptIsTaken) {
  for (const char* text :
       {"", "A quiet room", "Größe 2 ½ – “so”", "李小龍", "नमस्ते क्ष्‍म",
        "نگار‌ی", "שלום", "ไทย", "Tiếng Việt", "Tie\u0302\u0301ng",
        "👩‍💻 and ❤️‍🔥", "1️⃣", "🦊🏽", "O_o <b>&amp;", "葛\ufe00"}) {
    EXPECT_EQ(fault(text), "") << text;
  }
}

TEST(ShownText, ThatChangesWhatStandsAroundItIsNot) {
  for (const auto& [text, code] :
       {std::pair{"a\nb", "U+000A"}, {"a\tb", "U+0009"},         {"\x1b[31m", "U+001B"},
        {"a\x7f", "U+007F"},         {"a\xc2\x85", "U+0085"},    {"x\u202e", "U+202E"},
        {"x\u202a", "U+202A"},       {"\u2066x", "U+2066"},      {"x\u2069", "U+2069"},
        {"x\u200e", "U+200E"},       {"x\u200f", "U+200F"},      {"x\u061c", "U+061C"},
        {"x\u2028y", "U+2028"},      {"x\u2029y", "U+2029"},     {"x\u200b", "U+200B"},
        {"x\u2060", "U+2060"},       {"x\ufeff", "U+FEFF"},      {"x\u00ad", "U+00AD"},
        {"\u3164", "U+3164"},        {"\ue000", "U+E000"},       {"\U0001fffe", "U+1FFFE"},
        {"\ufdd0", "U+FDD0"},        {"\U000e0041x", "U+E0041"}, {"\U0001d173", "U+1D173"},
        {"\U00100000", "U+100000"}}) {
    EXPECT_EQ(fault(text), std::string("a text with ") + code) << text;
  }
  EXPECT_EQ(fault(std::string_view("a\0b", 3)), "a text with U+0000");
}

TEST(ShownText, HasJoinersSelectorsAndMarksOnlyWhereTheyAreNeeded) {
  for (const char* text : {"ad\u200dmin", "ad\u200cmin", "\u200dadmin", "a\ufe0fdmin", "\ufe0fx",
                           "я\u200cя", "ن\u200c\u200cن", "❤\ufe0f\ufe0f", "ن\u200ca", "\u0301",
                           " \u0301", "a\u0301\u0301\u0301\u0301"}) {
    EXPECT_NE(fault(text), "") << text;
  }
  EXPECT_EQ(fault("a\u0301\u0302\u0303"), "");
  EXPECT_EQ(fault("ن\u200c"), "a text that ends in a joiner");
}

TEST(ShownText, CanBeSeenAndIsUtf8) {
  for (const char* text : {" ", "\u00a0\u3000", "\u2003"})
    EXPECT_EQ(fault(text), "a text that cannot be seen");
  for (const char* text :
       {"\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    EXPECT_NE(fault(text), "") << text;
  }
  EXPECT_EQ(text_fault(std::string(41, 'x'), 40)->value, "41 bytes");
  EXPECT_EQ(text_fault("\n", 40, "name")->value, "a name with U+000A");
}

}  // namespace
}  // namespace promenade::schema
