#include "net/http/http_types.h"

#include <gtest/gtest.h>

namespace promenade::net {
namespace {

TEST(DecodePath, DecodesAndCutsTheQuery) {
  EXPECT_EQ(decode_path("/a%20b/c?x=1"), "/a b/c");
  EXPECT_EQ(decode_path("/%2e%2E/secret"), "/../secret");
  EXPECT_EQ(decode_path("/"), "/");
}

TEST(DecodePath, RefusesWhatIsNoPath) {
  for (const char* target :
       {"", "relative", "http://host/", "/%", "/%4", "/%zz", "/a%00b", "/a%0ab", "*"}) {
    EXPECT_EQ(decode_path(target), std::nullopt) << target;
  }
}

TEST(ErrorResponse, IsJsonWhateverItSays) {
  const HttpResponse response =
      error_response(404, {"NOT_FOUND", "path", "/\"x\xff\n", "a \"y\"", "no \"x\"\n\x01 here\\"});
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(std::get<std::string>(response.body),
            "{\"error\":{\"code\":\"NOT_FOUND\",\"field\":\"path\",\"value\":\"/\\\"x??\","
            "\"allowed\":\"a \\\"y\\\"\",\"message\":\"no \\\"x\\\"\\u000a\\u0001 "
            "here\\\\\"}}\n");
}

TEST(ErrorResponse, SaysOfItselfWhatIsWrong) {
  const HttpResponse response =
      error_response(404, {"NOT_FOUND", "path", std::string(5000, 'x'), "a shorter one"});
  const auto& body = std::get<std::string>(response.body);
  EXPECT_NE(body.find("path is xxx"), body.npos) << body;
  EXPECT_NE(body.find("; allowed: a shorter one"), body.npos) << body;
  EXPECT_LT(body.size(), 400u) << "a stranger's text is not sent back whole";
}

}  // namespace
}  // namespace promenade::net
