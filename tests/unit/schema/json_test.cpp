#include "schema/json.h"

#include <gtest/gtest.h>

#include <string>

namespace promenade::schema {
namespace {

FileError error_of(const std::string& text, const JsonLimits& limits = {}) {
  const auto json = parse_json(text, limits);
  return json.ok() ? FileError{"", 0, "", "", "", "no error"} : json.error();
}

TEST(Json, RemembersWhereValuesStand) {
  const std::string text = "{\"a\": [1,  -2.5e3], \"b\": {\"c\": 7}}";
  const auto json = parse_json(text);
  ASSERT_TRUE(json.ok()) << json.error().text();
  EXPECT_EQ(json->begin, 0u);
  EXPECT_EQ(json->members[0].value.items[1].begin, text.find("-2.5e3"));
  EXPECT_EQ(json->members[1].value.members[0].value.begin, text.find("7"));
}

TEST(Json, ReadsEveryKindAndRemembersLines) {
  const auto json =
      parse_json("{\n \"a\": [1, -2.5e3,\n true],\n \"b\": null, \"c\": \"x\\ny\"\n}\n");
  ASSERT_TRUE(json.ok()) << json.error().text();
  ASSERT_EQ(json->members.size(), 3u);
  EXPECT_EQ(json->members[0].key, "a");
  EXPECT_EQ(json->members[0].line, 2);
  const auto& items = json->members[0].value.items;
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[1].text, "-2.5e3");
  EXPECT_EQ(items[2].line, 3);
  EXPECT_TRUE(items[2].boolean);
  EXPECT_EQ(json->members[1].value.kind, JsonValue::Kind::kNull);
  EXPECT_EQ(json->members[2].value.text, "x\ny");
}

TEST(Json, DecodesEscapesToUtf8) {
  const auto json = parse_json(R"(["\u00e9\u20ac\ud83d\ude00\"\\\/\t", "é€😀"])");
  ASSERT_TRUE(json.ok()) << json.error().text();
  EXPECT_EQ(json->items[0].text, "é€😀\"\\/\t");
  EXPECT_EQ(json->items[1].text, "é€😀");
}

TEST(Json, NamesLineAndKeyOfWhatItCannotRead) {
  const FileError error = error_of("{\n  \"links\": [\n    {\"mass_kg\": 12,,}\n  ]\n}");
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "links[0]");
  EXPECT_EQ(error.value, "','");
  EXPECT_EQ(error.text(), "line 3, column 20: links[0]: unexpected ',', must be a key in quotes");
}

TEST(Json, NamesTheColumnInCharactersAndWhatStandsThere) {
  struct Case {
    const char* text;
    int line, column;
    const char* value;
  };
  for (const auto& [text, line, column, value] :
       {Case{"", 1, 1, "end of text"}, Case{"{\"a\": 1", 1, 8, "end of text"},
        Case{"{\"é€😀\": x}", 1, 9, "x"}, Case{"[1,\n  2;]", 2, 4, "';'"},
        Case{"{\"b\": 1,\n \"b\": 2}", 2, 2, "b"}, Case{"[\"\\x\"]", 1, 4, "x"},
        Case{"[\"\\ud800\"]", 1, 5, "d800"}, Case{"[\"a\xff\"]", 1, 4, "byte 255"},
        Case{"[\"a\nb\"]", 1, 4, "byte 10"}, Case{"1 2", 1, 3, "2"}}) {
    const FileError error = error_of(text);
    EXPECT_EQ(error.line, line) << text;
    EXPECT_EQ(error.column, column) << text;
    EXPECT_EQ(error.value, value) << text;
    EXPECT_FALSE(error.allowed.empty()) << text;
  }
}

TEST(Json, RefusesKeysThatStandTwice) {
  const FileError error = error_of("{\"a\": 1,\n\"b\": {\"c\": 1,\n \"c\": 2}}");
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "b.c");
  EXPECT_EQ(error.message, "the key is given twice");
}

TEST(Json, RefusesNumbersThatAreNotFinite) {
  for (const char* word : {"NaN", "Infinity", "-Infinity"}) {
    const FileError error = error_of("{\"mass_kg\":\n " + std::string(word) + "}");
    EXPECT_EQ(error.line, 2);
    EXPECT_EQ(error.key, "mass_kg");
    EXPECT_EQ(error.allowed, "a finite number");
    EXPECT_EQ(error.value, word);
  }
}

TEST(Json, RefusesWhatRfc8259Refuses) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[",
                           "[1",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"a\" 1}",
                           "{\"a\":}",
                           "01",
                           "1.",
                           ".5",
                           "+1",
                           "1e",
                           "0x10",
                           "--1",
                           "tru",
                           "truex",
                           "nul",
                           "'a'",
                           "\"a",
                           "\"\\x\"",
                           "\"\\u12g4\"",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"a\nb\"",
                           "1 2",
                           "[] []",
                           "// c\n1",
                           "\"\xff\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "{}\xef\xbb\xbf"}) {
    EXPECT_FALSE(parse_json(text).ok()) << text;
  }
}

TEST(Json, SaysSoWhenTextEndsEarly) {
  EXPECT_EQ(error_of("{\"a\": [1").message, "unexpected end of text");
}

TEST(Json, LimitsDepthAndSize) {
  const std::string deep(100000, '[');
  EXPECT_EQ(error_of(deep).message, "nested too deep");
  EXPECT_EQ(error_of("[[[]]]", {100, 2}).message, "nested too deep");
  EXPECT_TRUE(parse_json("[[[]]]", {100, 3}).ok());
  EXPECT_EQ(error_of("[1, 2, 3]", {8, 4}).message, "9 bytes are too many");
}

TEST(Json, BriefCutsBetweenCharacters) {
  JsonValue value;
  value.kind = JsonValue::Kind::kString;
  for (int i = 0; i < 50; ++i) value.text += "é";
  const std::string brief = value.brief();
  EXPECT_LT(brief.size(), 70u);
  EXPECT_TRUE(parse_json("[" + brief + "]").ok()) << brief;
}

}  // namespace
}  // namespace promenade::schema
