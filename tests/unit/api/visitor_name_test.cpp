#include "api/visitor_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace promenade::api {
namespace {

using ::testing::HasSubstr;

std::string wrong_with(std::string_view name) {
  const auto error = check_visitor_name("introduce.name", name);
  if (!error) return "";
  EXPECT_EQ(error->field, "introduce.name");
  EXPECT_EQ(error->code, world::CommandError::Code::kInvalid);
  return error->value;
}

TEST(VisitorName, OfAnyScriptIsTaken) {
  for (const char* name :
       {"Anna", "Ünal O'Neil", "李小龍", "نگار‌ی", "O_o <b>", "🦊", ""}) {
    EXPECT_EQ(wrong_with(name), "") << name;
  }
}

TEST(VisitorName, ThatIsLongOrTurnsTextAroundIsRefused) {
  EXPECT_EQ(wrong_with(std::string(40, 'x')), "");
  EXPECT_EQ(wrong_with(std::string(41, 'x')), "41 bytes");
  EXPECT_THAT(wrong_with("a\nb"), HasSubstr("U+000A"));
  EXPECT_THAT(wrong_with("\x1b[31m"), HasSubstr("U+001B"));
  EXPECT_THAT(wrong_with("a\xc2\x9b"), HasSubstr("U+009B"));
  EXPECT_THAT(wrong_with("admin\u202e"), HasSubstr("U+202E"));
  EXPECT_THAT(wrong_with("\u2066x"), HasSubstr("U+2066"));
  EXPECT_THAT(wrong_with("x\u200b"), HasSubstr("U+200B"));
  EXPECT_THAT(wrong_with("\U000e0041x"), HasSubstr("U+E0041"));
}

TEST(VisitorName, ThatNobodyCanSeeIsRefused) {
  for (const char* name : {" ", "\u00a0\u3000"}) {
    EXPECT_EQ(wrong_with(name), "a name that cannot be seen");
  }
  for (const char* name : {"\u200d", "\ufe0f", "ad\u200dmin"}) EXPECT_NE(wrong_with(name), "");
}

TEST(VisitorName, ThatThePageHasForItsOwnVisitorIsRefused) {
  for (const char* name : {"You", "you", "YOU"}) EXPECT_NE(wrong_with(name), "");
  for (const char* name : {"Yo", "Youri", "yoU2"}) EXPECT_EQ(wrong_with(name), "");
}

TEST(VisitorName, IsMadeUpAlwaysTheSameWay) {
  EXPECT_EQ(made_up_name("a1b2c3"), made_up_name("a1b2c3"));
  std::set<std::string> names;
  for (int i = 0; i < 200; ++i) {
    const std::string name = made_up_name("visitor " + std::to_string(i));
    EXPECT_EQ(wrong_with(name), "");
    EXPECT_THAT(name, HasSubstr(" "));
    names.insert(name);
  }
  EXPECT_GT(names.size(), 180u);
  EXPECT_NE(made_up_name("a1b2c3", 0), made_up_name("a1b2c3", 1));
}

}  // namespace
}  // namespace promenade::api
