#include "api/replies.h"

#include <gtest/gtest.h>

#include <set>

namespace promenade::api {
namespace {

using Code = world::CommandError::Code;

constexpr Code kCodes[] = {Code::kInvalid, Code::kNotFound,    Code::kForbidden, Code::kRateLimited,
                           Code::kBusy,    Code::kUnsupported, Code::kInternal};

v1::ServerMessage parse(const std::string& bytes) {
  v1::ServerMessage message;
  EXPECT_TRUE(message.ParseFromString(bytes));
  return message;
}

TEST(Replies, AnswerWithTheTickOrTheError) {
  world::CommandResult result;
  result.tick = 77;
  result.character = 5;
  const v1::ServerMessage ack = parse(encode_result(9, result));
  EXPECT_EQ(ack.ack().seq(), 9u);
  EXPECT_EQ(ack.ack().tick(), 77u);
  EXPECT_EQ(ack.ack().character(), 5u);
  result.error =
      make_error(Code::kNotFound, "no such link", "push.link", "\"tail\"", "pelvis, torso");
  const v1::ServerMessage error = parse(encode_result(9, result));
  EXPECT_EQ(error.error().seq(), 9u);
  EXPECT_EQ(error.error().code(), v1::NOT_FOUND);
  EXPECT_EQ(error.error().field(), "push.link");
  EXPECT_EQ(error.error().value(), "\"tail\"");
  EXPECT_EQ(error.error().allowed(), "pelvis, torso");
  EXPECT_EQ(error.error().message(), "no such link");
}

TEST(Replies, HaveACodeAndAnHttpStatusForEveryError) {
  std::set<int> codes;
  for (const Code code : kCodes) {
    world::CommandResult result;
    result.error = make_error(code, "x");
    codes.insert(error_message(0, *result.error).code());
    EXPECT_GE(http_status(result), 400);
  }
  EXPECT_EQ(codes.size(), std::size(kCodes));
  EXPECT_EQ(codes.count(v1::ERROR_CODE_UNSPECIFIED), 0u);
  EXPECT_EQ(http_status({}), 200);
}

// A client that checks UTF-8, as most do, must be able to read an error about text that is none.
TEST(Replies, AreUtf8WhateverTheyQuote) {
  for (const std::string bad : {"\xff", "a\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    const auto message = error_message(1, make_error(Code::kInvalid, "m", "f", bad));
    v1::Error back;
    ASSERT_TRUE(back.ParseFromString(message.SerializeAsString()));
    EXPECT_NE(back.value().find('?'), std::string::npos);
  }
  const std::string good = "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x9a\xb6";
  EXPECT_EQ(error_message(1, make_error(Code::kInvalid, "m", "f", good)).value(), good);
}

TEST(Replies, TellOfEvents) {
  const v1::ServerMessage message =
      parse(encode_event({12, 3, world::RoomEvent::Kind::kGotUp, "Human 3 got up"}));
  EXPECT_EQ(message.event().tick(), 12u);
  EXPECT_EQ(message.event().character(), 3u);
  EXPECT_EQ(message.event().kind(), v1::Event::GOT_UP);
  EXPECT_EQ(message.event().text(), "Human 3 got up");
}

}  // namespace
}  // namespace promenade::api
