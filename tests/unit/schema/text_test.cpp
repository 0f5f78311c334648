#include "schema/text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "promenade/v1/creature.pb.h"
#include "schema/message.h"

namespace promenade::schema {
namespace {

using namespace std::string_literals;

std::string fault_of(const std::string& text) {
  const auto fault = text_fault(text);
  return fault ? fault->text() : "";
}

/// The text in another encoding, without a mark; it is of ASCII.
std::string wide(std::string_view text, int bytes, bool little) {
  std::string out;
  for (const char c : text) {
    std::string unit(std::size_t(bytes), '\0');
    (little ? unit.front() : unit.back()) = c;
    out += unit;
  }
  return out;
}

TEST(Text, IsUtf8WithLinesThatEndInLfOrCrLf) {
  for (const std::string& good : {""s, "a"s, "a\nb\n"s, "a\r\nb\r\n"s, "\xef\xbb\xbf a\n"s,
                                  "gr\xc3\xbc\xc3\x9f dich \xf0\x9f\x9a\xb6\n"s, "a\r"s}) {
    EXPECT_EQ(fault_of(good), "") << good;
  }
}

TEST(Text, ThatIsNoneIsNamedForWhatItIs) {
  const std::string content = "{\"name\": \"x\"}\n";
  EXPECT_EQ(fault_of("\xff\xfe" + wide(content, 2, true)),
            "line 1: the text is UTF-16 (little-endian), must be saved as UTF-8");
  EXPECT_EQ(fault_of("\xfe\xff" + wide(content, 2, false)),
            "line 1: the text is UTF-16 (big-endian), must be saved as UTF-8");
  EXPECT_EQ(fault_of(wide(content, 2, true)),
            "line 1: the text is UTF-16 (little-endian), must be saved as UTF-8");
  EXPECT_EQ(fault_of(wide(content, 2, false)),
            "line 1: the text is UTF-16 (big-endian), must be saved as UTF-8");
  EXPECT_EQ(fault_of("\xff\xfe\0\0"s + wide(content, 4, true)),
            "line 1: the text is UTF-32 (little-endian), must be saved as UTF-8");
  EXPECT_EQ(fault_of("\0\0\xfe\xff"s + wide(content, 4, false)),
            "line 1: the text is UTF-32 (big-endian), must be saved as UTF-8");
  EXPECT_EQ(fault_of("a\nb\0c\n"s),
            "line 2: a NUL byte stands in the text, must be text without it");
  EXPECT_EQ(fault_of("a\nb\rc\n"),
            "line 2: a carriage return (CR) without a line feed (LF), must be LF or CR LF at the "
            "end of each line");
  EXPECT_EQ(fault_of("a\n\nf\xfcr\n"), "line 3: byte 252 is not UTF-8, must be saved as UTF-8");
}

TEST(Text, OfAFileHasNoByteOrderMarkAndIsRefusedWithItsName) {
  const auto path = std::filesystem::temp_directory_path() / "promenade_text_test.json";
  std::ofstream(path, std::ios::binary) << "\xef\xbb\xbf{\"name\": \"x\"}\n";
  EXPECT_EQ(*read_text(path), "{\"name\": \"x\"}\n");
  EXPECT_EQ(load_message<v1::Creature>(path)->message.name(), "x");
  std::ofstream(path, std::ios::binary) << "{\"name\":\r\"x\"}\r";
  EXPECT_EQ(load_message<v1::Creature>(path).error().text(),
            path.string() +
                ":1: a carriage return (CR) without a line feed (LF), must be LF or CR LF at the "
                "end of each line");
  std::filesystem::remove(path);
}

TEST(Text, OfJsonThatIsNoFileMayHaveAMarkAndIsNamedWhereItIsNotUtf8) {
  EXPECT_EQ(parse_message<v1::Creature>("\xef\xbb\xbf{\"name\": \"x\"}")->name(), "x");
  EXPECT_EQ(
      parse_message<v1::Creature>("\xff\xfe" + wide("{\"name\": \"x\"}", 2, true)).error().text(),
      "line 1: the text is UTF-16 (little-endian), must be saved as UTF-8");
  EXPECT_EQ(parse_message<v1::Creature>("{\"name\":\n\0\"x\"}"s).error().text(),
            "line 2: a NUL byte stands in the text, must be text without it");
  EXPECT_TRUE(parse_message<v1::Creature>("{\"name\":\r\"x\"}").ok())
      << "CR is white space in JSON";
}

}  // namespace
}  // namespace promenade::schema
