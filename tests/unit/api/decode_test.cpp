#include "api/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace promenade::api {
namespace {

using ::testing::HasSubstr;
using world::CommandError;

v1::ClientMessage command_message() {
  v1::ClientMessage message;
  message.set_seq(5);
  message.mutable_command()->mutable_stop()->set_character(1);
  return message;
}

CommandError error_of(const v1::ClientMessage& message) {
  const ClientMessageResult result = decode_client_message(message.SerializeAsString());
  EXPECT_TRUE(result.readable);
  EXPECT_TRUE(result.error.has_value());
  return result.error.value_or(CommandError{});
}

CommandError command_error(const v1::Command& command) {
  const auto result = decode_command(command);
  if (const auto* error = std::get_if<CommandError>(&result)) return *error;
  ADD_FAILURE() << "accepted: " << command.ShortDebugString();
  return {};
}

CommandError json_error(std::string_view text) {
  const auto result = decode_command_json(text);
  if (const auto* error = std::get_if<CommandError>(&result)) return *error;
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

TEST(DecodeClientMessage, ReadsWhatItShould) {
  const auto result = decode_client_message(command_message().SerializeAsString());
  EXPECT_TRUE(result.readable);
  EXPECT_FALSE(result.error);
  EXPECT_EQ(result.message.seq(), 5u);
  EXPECT_EQ(result.message.command().stop().character(), 1u);
}

TEST(DecodeClientMessage, RefusesEveryTruncation) {
  v1::ClientMessage message;
  message.set_seq(300);
  auto* push = message.mutable_command()->mutable_push();
  push->set_link("torso");
  for (const double force : {100., 0., 5.}) push->add_force_n(force);
  const std::string whole = message.SerializeAsString();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto result = decode_client_message(whole.substr(0, size));
    EXPECT_TRUE(!result.readable || result.error) << size << " of " << whole.size() << " bytes";
  }
}

TEST(DecodeClientMessage, RefusesBytesThatAreNoMessage) {
  const auto result = decode_client_message("\xff\xff\xff\xff hello");
  EXPECT_FALSE(result.readable);
  ASSERT_TRUE(result.error);
  EXPECT_THAT(result.error->message, HasSubstr("ClientMessage"));
}

TEST(DecodeClientMessage, RefusesTextThatIsNotUtf8) {
  std::string bytes = "\x08\x01\x12\x05\x1a\x03";  // seq 1, join { client: 3 bytes }
  EXPECT_FALSE(decode_client_message(bytes + "\xff\xfe\xfd").readable);
  EXPECT_TRUE(decode_client_message(bytes + "abc").readable);
}

TEST(DecodeClientMessage, NamesAnUnknownField) {
  v1::ClientMessage message;
  message.mutable_ping()
      ->GetReflection()
      ->MutableUnknownFields(message.mutable_ping())
      ->AddVarint(77, 1);
  EXPECT_EQ(error_of(message).field, "ping.77");
  v1::ClientMessage other = command_message();
  other.GetReflection()->MutableUnknownFields(&other)->AddVarint(99, 1);
  EXPECT_EQ(error_of(other).field, "99");
}

TEST(DecodeClientMessage, WantsOneKind) {
  v1::ClientMessage message;
  message.set_seq(1);
  EXPECT_THAT(error_of(message).allowed, HasSubstr("join"));
}

TEST(DecodeClientMessage, KeepsRatesWithinTheirRange) {
  for (const double rate : {0.5, 61.0, -1.0, std::nan(""), HUGE_VAL}) {
    v1::ClientMessage join;
    join.mutable_join()->set_rate_hz(rate);
    EXPECT_EQ(error_of(join).field, "join.rate_hz") << rate;
    EXPECT_THAT(error_of(join).allowed, HasSubstr("1 to 60")) << rate;
    v1::ClientMessage set;
    set.mutable_set_rate()->set_rate_hz(rate);
    EXPECT_EQ(error_of(set).field, "set_rate.rate_hz") << rate;
  }
  v1::ClientMessage zero;
  zero.mutable_join();
  EXPECT_FALSE(decode_client_message(zero.SerializeAsString()).error);
  v1::ClientMessage none;
  none.mutable_set_rate();
  EXPECT_EQ(error_of(none).field, "set_rate.rate_hz");
}

TEST(DecodeClientMessage, BoundsTextsAndLists) {
  v1::ClientMessage token;
  token.mutable_join()->set_token(std::string(257, 'x'));
  EXPECT_EQ(error_of(token).field, "join.token");
  EXPECT_EQ(error_of(token).value, "257 bytes") << "a token must not be repeated";
  v1::ClientMessage client;
  client.mutable_join()->set_client(std::string(121, 'x'));
  EXPECT_EQ(error_of(client).field, "join.client");
  v1::ClientMessage watch;
  for (std::uint32_t i = 1; i <= 9; ++i) watch.mutable_watch()->add_characters(i);
  EXPECT_EQ(error_of(watch).field, "watch.characters");
  EXPECT_THAT(error_of(watch).allowed, HasSubstr("8"));
}

TEST(DecodeCommand, NamesTheFieldTheValueAndTheRange) {
  v1::Command command;
  command.mutable_set_velocity()->set_character(1);
  command.mutable_set_velocity()->set_x_mps(9);
  const CommandError error = command_error(command);
  EXPECT_EQ(error.code, CommandError::Code::kInvalid);
  EXPECT_EQ(error.field, "set_velocity.x_mps");
  EXPECT_EQ(error.value, "9");
  EXPECT_THAT(error.allowed, HasSubstr("-3 to 3"));
}

TEST(DecodeCommand, RefusesNumbersThatAreNotFinite) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    v1::Command push;
    push.mutable_push()->set_character(1);
    for (const double force : {0., bad, 0.}) push.mutable_push()->add_force_n(force);
    EXPECT_EQ(command_error(push).field, "push.force_n[1]");
    v1::Command heading;
    heading.mutable_set_heading()->set_character(1);
    heading.mutable_set_heading()->set_heading_rad(bad);
    EXPECT_EQ(command_error(heading).field, "set_heading.heading_rad");
    v1::Command scale;
    scale.mutable_set_time_scale()->set_scale(bad);
    EXPECT_EQ(command_error(scale).field, "set_time_scale.scale");
  }
}

TEST(DecodeCommand, RefusesAnUnknownFieldOrFrameOrNoKind) {
  v1::Command unknown;
  auto* stop = unknown.mutable_stop();
  stop->set_character(1);
  stop->GetReflection()->MutableUnknownFields(stop)->AddVarint(50, 1);
  EXPECT_THAT(command_error(unknown).field, HasSubstr("50"));
  v1::Command frame;
  frame.mutable_set_velocity()->set_character(1);
  frame.mutable_set_velocity()->set_frame(static_cast<v1::ReferenceFrame>(7));
  EXPECT_EQ(command_error(frame).field, "set_velocity.frame");
  EXPECT_THAT(command_error(v1::Command()).allowed, HasSubstr("push"));
}

TEST(DecodeCommand, RefusesTooManyWayPoints) {
  v1::Command command;
  command.mutable_follow_path()->set_character(1);
  v1::Path* path = command.mutable_follow_path()->mutable_path();
  for (int i = 0; i < 256; ++i) path->add_points()->set_x_m(i);
  EXPECT_TRUE(std::holds_alternative<world::Command>(decode_command(command)));
  path->add_points();
  const CommandError error = command_error(command);
  EXPECT_EQ(error.field, "follow_path.path.points");
  EXPECT_THAT(error.allowed, HasSubstr("256"));
}

TEST(DecodeCommandJson, TakesSnakeAndCamelCase) {
  for (const char* text :
       {R"({"push": {"character": 1, "link": "torso", "force_n": [300, 0, 0]}})",
        R"({"push": {"character": 1, "link": "torso", "forceN": [300, 0, 0]}})"}) {
    const auto result = decode_command_json(text);
    const auto* command = std::get_if<world::Command>(&result);
    ASSERT_TRUE(command) << text;
    EXPECT_EQ(std::get<world::Push>(*command).force.x(), 300);
  }
}

TEST(DecodeClientMessage, ChecksWhatAVisitorAttendsTo) {
  v1::ClientMessage message;
  message.set_seq(1);
  v1::Attend* attend = message.mutable_attend();
  EXPECT_FALSE(decode_client_message(message.SerializeAsString()).error);
  attend->add_pointer_m(1);
  EXPECT_EQ(error_of(message).field, "attend.pointer_m");
  attend->add_pointer_m(std::numeric_limits<float>::quiet_NaN());
  attend->add_pointer_m(0);
  EXPECT_EQ(error_of(message).field, "attend.pointer_m[1]");
  EXPECT_EQ(error_of(message).value, "nan");
  attend->set_pointer_m(1, 1001);
  EXPECT_THAT(error_of(message).allowed, HasSubstr("-1000 to 1000 m"));
  attend->set_pointer_m(1, -1000);
  for (std::uint32_t id = 0; id < 32; ++id) attend->add_selected(id);
  EXPECT_FALSE(decode_client_message(message.SerializeAsString()).error);
  attend->add_selected(33);
  EXPECT_EQ(error_of(message).field, "attend.selected");
}

TEST(DecodeClientMessage, ChecksTheNameOfAnIntroduction) {
  v1::ClientMessage message;
  message.set_seq(1);
  message.mutable_introduce()->set_name("Anna");
  EXPECT_FALSE(decode_client_message(message.SerializeAsString()).error);
  message.mutable_introduce()->set_name("\u202eAnna");
  EXPECT_EQ(error_of(message).field, "introduce.name");
}

TEST(DecodeCommandJson, NamesAnUnknownKey) {
  const CommandError error = json_error(R"({"push": {"character": 1, "strength": 3}})");
  EXPECT_EQ(error.field, "push.strength");
  EXPECT_THAT(error.allowed, HasSubstr("force_n"));
}

TEST(DecodeCommandJson, RefusesWhatIsNotOneJsonObject) {
  for (const char* text : {"", "{", "[]", "null", "3", R"({"stop": {"character": 1}} {})",
                           R"({"stop": {"character": 1}, "pause": {}})",
                           R"({"stop": {"character": "one"}})", R"({"stop": {"character": -1}})",
                           R"({"set_heading": {"character": 1, "heading_rad": "NaN"}})",
                           R"({"set_heading": {"character": 1, "heading_rad": 1e999}})"}) {
    EXPECT_EQ(json_error(text).code, CommandError::Code::kInvalid) << text;
    EXPECT_FALSE(json_error(text).message.empty()) << text;
  }
}

TEST(DecodeCommandJson, IsNotFooledByDepth) {
  json_error(std::string(60'000, '['));
  json_error(std::string(30'000, '{'));
}

}  // namespace
}  // namespace promenade::api
