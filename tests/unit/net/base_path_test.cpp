#include "net/http/base_path.h"

#include <gtest/gtest.h>

namespace promenade::net {
namespace {

TEST(BasePath, IsAPathThatMayStandInALink) {
  for (const auto& [text, path] : {std::pair{"", ""},
                                   {"/", ""},
                                   {"/sim/a", "/sim/a"},
                                   {"/sim/a//", "/sim/a"},
                                   {"/A-1._~", "/A-1._~"}}) {
    EXPECT_EQ(parse_base_path(text), path) << text;
  }
  for (const char* text : {"sim", "//evil.example", "/a//b", "/..", "/a/./b", "/a b", "/a?b",
                           "/a%2f", "/<b>", "/a\r\nX: y", "https://example.org/a"}) {
    EXPECT_EQ(parse_base_path(text), std::nullopt) << text;
  }
  EXPECT_TRUE(parse_base_path("/" + std::string(199, 'a')));
  EXPECT_FALSE(parse_base_path("/" + std::string(200, 'a')));
}

TEST(BasePath, IsTakenOffOnce) {
  for (const auto& [path, rest] : {std::pair{"/sim/a/ws", "/ws"},
                                   {"/sim/a/", "/"},
                                   {"/sim/a", ""},
                                   {"/ws", "/ws"},
                                   {"/sim/ab", "/sim/ab"},
                                   {"/sim/a/sim/a/ws", "/sim/a/ws"}}) {
    EXPECT_EQ(below_base_path(path, "/sim/a"), rest) << path;
  }
  EXPECT_EQ(below_base_path("/ws", ""), "/ws");
}

}  // namespace
}  // namespace promenade::net
