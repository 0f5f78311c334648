#include "world/command/command_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "schema/message.h"

namespace promenade::world {
namespace {

using ::testing::HasSubstr;

v1::Command from_json(const std::string& json) {
  auto parsed = schema::parse_message<v1::Command>(json);
  EXPECT_TRUE(parsed.ok()) << json;
  return parsed.ok() ? *parsed : v1::Command();
}

struct BadCommand {
  const char* json;
  const char* field;
  const char* value;
  const char* allowed;
};

class BadCommands : public ::testing::TestWithParam<BadCommand> {};

TEST_P(BadCommands, AreRefusedWithFieldValueAndWhatIsAllowed) {
  const auto result = command_from_proto(from_json(GetParam().json));
  ASSERT_TRUE(std::holds_alternative<CommandError>(result)) << GetParam().json;
  const CommandError& error = std::get<CommandError>(result);
  EXPECT_EQ(error.code, CommandError::Code::kInvalid);
  EXPECT_EQ(error.field, GetParam().field);
  EXPECT_THAT(error.value, HasSubstr(GetParam().value));
  EXPECT_THAT(error.allowed, HasSubstr(GetParam().allowed));
  EXPECT_THAT(error.message, HasSubstr(GetParam().field));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadCommands,
    ::testing::Values(
        BadCommand{R"({})", "command", "empty", "set_velocity"},
        BadCommand{R"({"set_velocity": {"x_mps": 1}})", "set_velocity.character", "0", "1 or more"},
        BadCommand{R"({"set_velocity": {"character": 1, "x_mps": 3.5}})", "set_velocity.x_mps",
                   "3.5", "-3 to 3 m/s"},
        BadCommand{R"({"set_velocity": {"character": 1, "y_mps": -4}})", "set_velocity.y_mps", "-4",
                   "-3 to 3 m/s"},
        BadCommand{R"({"set_heading": {"character": 1, "heading_rad": 101}})",
                   "set_heading.heading_rad", "101", "-100 to 100 rad"},
        BadCommand{R"({"stop": {}})", "stop.character", "0", "1 or more"},
        BadCommand{R"({"follow_path": {"character": 1}})", "follow_path.path.points", "0 points",
                   "1 to 256"},
        BadCommand{R"({"follow_path": {"character": 1, "path": {"points": [{}, {"y_m": 1001}]}}})",
                   "follow_path.path.points[1].y_m", "1001", "-1000 to 1000 m"},
        BadCommand{
            R"({"follow_path": {"character": 1, "path": {"points": [{}], "speed_mps": -1}}})",
            "follow_path.path.speed_mps", "-1", "0 to 3 m/s"},
        BadCommand{R"({"push": {"character": 1}})", "push.force_n", "0 numbers", "3 numbers"},
        BadCommand{R"({"push": {"character": 1, "force_n": [0, 0]}})", "push.force_n", "2 numbers",
                   "3 numbers"},
        BadCommand{R"({"push": {"character": 1, "force_n": [0, 6000, 0]}})", "push.force_n[1]",
                   "6000", "-5000 to 5000 N"},
        BadCommand{R"({"push": {"character": 1, "force_n": [4000, 4000, 0]}})", "push.force_n",
                   "magnitude", "0 to 5000 N"},
        BadCommand{R"({"push": {"character": 1, "force_n": [1, 0, 0], "point_m": [0, 0]}})",
                   "push.point_m", "2 numbers", "3 numbers, or none"},
        BadCommand{R"({"push": {"character": 1, "force_n": [1, 0, 0], "point_m": [0, 0, 3]}})",
                   "push.point_m[2]", "3", "-2 to 2 m"},
        BadCommand{R"({"push": {"character": 1, "force_n": [1, 0, 0], "duration_s": 11}})",
                   "push.duration_s", "11", "0 to 10 s"},
        BadCommand{R"({"set_style": {"character": 1}})", "set_style.style", "empty", "name"},
        BadCommand{R"({"spawn": {}})", "spawn.body", "empty", "name"},
        BadCommand{R"({"spawn": {"body": "human", "position_m": [1]}})", "spawn.position_m",
                   "1 numbers", "2 numbers, or none"},
        BadCommand{R"({"spawn": {"body": "human", "position_m": [1, -2000]}})",
                   "spawn.position_m[1]", "-2000", "-1000 to 1000 m"},
        BadCommand{R"({"spawn": {"body": "human", "heading_rad": 1e9}})", "spawn.heading_rad",
                   "1e+09", "-100 to 100 rad"},
        BadCommand{R"({"set_controller": {"controller": "hold"}})", "set_controller.character", "0",
                   "1 or more"},
        BadCommand{R"({"set_controller": {"character": 1}})", "set_controller.controller", "empty",
                   "name"},
        BadCommand{R"({"set_gait": {"character": 1, "gait": "a", "definition": {"name": "b"}}})",
                   "set_gait.definition", "`gait`", "only one"},
        BadCommand{R"({"leap": {}})", "leap.character", "0", "1 or more"},
        BadCommand{R"({"remove": {}})", "remove.character", "0", "1 or more"},
        BadCommand{R"({"single_step": {"ticks": 601}})", "single_step.ticks", "601", "1 to 600"},
        BadCommand{R"({"set_time_scale": {"scale": 0.01}})", "set_time_scale.scale", "0.01",
                   "0.1 to 100"},
        BadCommand{R"({"set_time_scale": {"scale": -1}})", "set_time_scale.scale", "-1",
                   "as fast as possible"},
        BadCommand{R"({"load_scene": {}})", "load_scene.scene", "empty", "name"},
        BadCommand{R"({"set_wander": {"character": 1, "radius_m": 0.5}})", "set_wander.radius_m",
                   "0.5", "1 to 200 m"},
        BadCommand{R"({"set_wander": {"character": 1, "center_m": [1, 2, 3]}})",
                   "set_wander.center_m", "3 numbers", "2 numbers, or none"}));

TEST(CommandCodec, RefusesNumbersThatAreNone) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    v1::Command message;
    auto* push = message.mutable_push();
    push->set_character(1);
    for (const double x : {0.0, bad, 0.0}) push->add_force_n(x);
    auto result = command_from_proto(message);
    ASSERT_TRUE(std::holds_alternative<CommandError>(result));
    EXPECT_EQ(std::get<CommandError>(result).field, "push.force_n[1]");

    message.mutable_set_velocity()->set_character(1);
    message.mutable_set_velocity()->set_x_mps(bad);
    result = command_from_proto(message);
    ASSERT_TRUE(std::holds_alternative<CommandError>(result));
    EXPECT_EQ(std::get<CommandError>(result).field, "set_velocity.x_mps");

    message.mutable_set_time_scale()->set_scale(bad);
    result = command_from_proto(message);
    ASSERT_TRUE(std::holds_alternative<CommandError>(result));
    EXPECT_EQ(std::get<CommandError>(result).field, "set_time_scale.scale");
  }
}

TEST(CommandCodec, RefusesAFrameThatIsNone) {
  v1::Command message;
  message.mutable_set_velocity()->set_character(1);
  message.mutable_set_velocity()->set_frame(static_cast<v1::ReferenceFrame>(7));  // open in proto3
  const auto result = command_from_proto(message);
  ASSERT_TRUE(std::holds_alternative<CommandError>(result));
  EXPECT_EQ(std::get<CommandError>(result).field, "set_velocity.frame");
  EXPECT_EQ(std::get<CommandError>(result).value, "7");
  EXPECT_THAT(std::get<CommandError>(result).allowed, HasSubstr("WORLD"));
}

TEST(CommandCodec, RefusesTooManyWayPoints) {
  v1::Command message;
  message.mutable_follow_path()->set_character(1);
  for (int i = 0; i < 257; ++i) {
    message.mutable_follow_path()->mutable_path()->add_points();
  }
  const auto result = command_from_proto(message);
  ASSERT_TRUE(std::holds_alternative<CommandError>(result));
  EXPECT_EQ(std::get<CommandError>(result).value, "257 points");
}

TEST(CommandCodec, RefusesFieldsItDoesNotKnow) {
  v1::Command message = from_json(R"({"stop": {"character": 1}})");
  // Field 77, a number, within Stop.
  message.mutable_stop()
      ->GetReflection()
      ->MutableUnknownFields(message.mutable_stop())
      ->AddVarint(77, 5);
  const auto result = command_from_proto(message);
  ASSERT_TRUE(std::holds_alternative<CommandError>(result));
  EXPECT_THAT(std::get<CommandError>(result).field, HasSubstr("77"));
}

class GoodCommands : public ::testing::TestWithParam<const char*> {};

TEST_P(GoodCommands, ComeBackAsTheyWere) {
  const auto first = command_from_proto(from_json(GetParam()));
  ASSERT_TRUE(std::holds_alternative<Command>(first)) << GetParam();
  const v1::Command message = command_to_proto(std::get<Command>(first));
  const auto second = command_from_proto(message);
  ASSERT_TRUE(std::holds_alternative<Command>(second)) << GetParam();
  EXPECT_EQ(command_to_proto(std::get<Command>(second)).SerializeAsString(),
            message.SerializeAsString());
  EXPECT_EQ(std::get<Command>(first).index(), std::get<Command>(second).index());
  const auto* field = v1::Command::descriptor()->FindFieldByNumber(message.kind_case());
  EXPECT_EQ(field->name(), command_name(std::get<Command>(first)));
}

/// The fields of a command's own message that are set.
std::set<std::string> fields_of(const v1::Command& command) {
  const auto* kind = v1::Command::descriptor()->FindFieldByNumber(command.kind_case());
  const auto& message = command.GetReflection()->GetMessage(command, kind);
  std::vector<const google::protobuf::FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  std::set<std::string> names;
  for (const auto* field : set) names.insert(field->name());
  return names;
}

// Journals have what `write` makes of a command: a field that it leaves out is lost at the next
// start.
TEST_P(GoodCommands, KeepEveryFieldThatIsSet) {
  const v1::Command given = from_json(GetParam());
  const auto parsed = command_from_proto(given);
  ASSERT_TRUE(std::holds_alternative<Command>(parsed)) << GetParam();
  const std::set<std::string> kept = fields_of(command_to_proto(std::get<Command>(parsed)));
  for (const std::string& name : fields_of(given)) {
    EXPECT_TRUE(kept.contains(name)) << name << " of " << GetParam();
  }
}

constexpr const char* kGoodCommands[] = {
    R"({"set_velocity": {"character": 1, "x_mps": 0.8, "y_mps": -0.1, "frame": "WORLD"}})",
    R"({"set_heading": {"character": 2, "heading_rad": 7.3}})",
    R"({"stop": {"character": 3}})",
    R"({"follow_path": {"character": 1, "path": {"points": [{"x_m": 1.1}, {"y_m": -2}],
            "closed": true, "speed_mps": 0.7}}})",
    R"({"push": {"character": 1, "link": "head", "point_m": [0, 0.1, 0.2],
            "force_n": [100, -30.5, 2], "duration_s": 0.25}})",
    R"({"push": {"character": 1, "force_n": [0.1, 0.2, 0.3]}})",
    R"({"set_style": {"character": 1, "style": "march"}})",
    R"({"set_controller": {"character": 1, "controller": "limp"}})",
    R"({"spawn": {"body": "cat", "controller": "hold"}})",
    R"({"set_style": {"character": 1, "definition": {"name": "mine", "lean_deg": 3}}})",
    R"({"set_body": {"character": 1, "body": "giant"}})",
    R"({"set_body": {"character": 1, "definition": {"name": "long", "base": "human",
            "edit": {"links": [{"link": "torso", "length": 1.1}]}}}})",
    R"({"spawn": {"body_definition": {"name": "long", "base": "human"},
            "style_definition": {"name": "mine"}, "wander": true}})",
    R"({"spawn": {"body": "child", "style": "stroll", "position_m": [1, 2],
            "heading_rad": -1, "wander": true}})",
    R"({"spawn": {"body": "human"}})",
    R"({"remove": {"character": 9}})",
    R"({"reset": {}})",
    R"({"reset": {"character": 4}})",
    R"({"pause": {}})",
    R"({"resume": {}})",
    R"({"single_step": {"ticks": 30}})",
    R"({"set_time_scale": {"scale": 0}})",
    R"({"set_time_scale": {"scale": 0.5}})",
    R"({"load_scene": {"scene": "one"}})",
    R"({"set_wander": {"character": 1, "center_m": [3, 4], "radius_m": 5}})",
    R"({"set_wander": {"character": 1}})",
    R"({"spawn_thing": {"thing": "crate", "position_m": [1, 2, 3], "yaw_rad": 1,
            "pitch_rad": 0.5, "roll_rad": -0.5, "velocity_mps": [1, 0, 2],
            "angular_velocity_radps": [0, 3, 0]}})",
    R"({"spawn_thing": {"thing_definition": {"name": "mine", "base": "crate"}}})",
    R"({"place": {"character": 1, "position_m": [1, 2], "heading_rad": 1}})",
    R"({"drag": {"character": 1, "link": "head", "point_m": [0, 0.1, 0],
            "target_m": [1, 2, 3], "max_force_n": 50}})",
    R"({"grip": {"a": {"id": 1, "link": "head", "point_m": [0, 0, 0.1]}, "b": {"id": 2},
            "firm": true, "stiffness_npm": 1000, "damping_nspm": 10, "max_force_n": 99}})",
    R"({"tie": {"tie": {"name": "rope", "a": {"id": 1}, "b": {"id": 2}, "kind": "SPRING",
            "length_m": 1, "stiffness_npm": 100, "damping_nspm": 5, "break_n": 500}}})",
    R"({"release": {"id": 3}})",
    R"({"release": {"character": 3}})",
    R"({"set_level": {"character": 1, "level": "LIGHT"}})",
    R"({"set_detail": {"in_physics": 20, "views": [{"eye_m": [1, 2, 3], "at_m": [0, 0, 1]}]}})",
    R"({"alarm": {"center_m": [1, 2], "radius_m": 20, "duration_s": 40}})",
    R"({"set_flow": {"flow": {}}})",
    R"({"set_tasks": {"character": 1, "tasks": [{"go_to": {"position_m": [1, 2]}}],
            "repeat": true, "begin_at": 1}})",
    R"({"set_tasks": {"character": 1, "tasks": [{"go_to": {"position_m": [1, 2]}}],
            "append": true}})",
    R"({"share_tasks": {"characters": [1, 2], "repeat": true, "append": true,
            "tasks": [{"carry": {"thing": 3, "position_m": [1, 2]}}]}})",
    R"({"set_style": {"character": 1, "definition": {"name": "mine"},
            "based_on": {"name": "normal"}}})",
    R"({"set_body": {"character": 1, "definition": {"name": "long", "base": "human"},
            "based_on": {"name": "long", "base": "human"}}})",
    R"({"set_gait": {"character": 1, "gait": "cat_trot"}})",
    R"({"set_gait": {"character": 1, "definition": {"name": "mine", "creature": "cat",
            "states": [{"duration_s": 0.1}]}, "weights": [1], "feedback": false}})",
    R"({"set_gait": {"character": 1, "feedback": false}})",
    R"({"leap": {"character": 1, "size": 0.5}})",
    R"({"load_scene": {"scene": "one", "people": 0.5}})"};

INSTANTIATE_TEST_SUITE_P(All, GoodCommands, ::testing::ValuesIn(kGoodCommands));

TEST(CommandCodec, IsTriedWithEveryFieldOfEveryCommand) {
  std::map<std::string, std::set<std::string>> tried;
  for (const char* json : kGoodCommands) {
    const v1::Command command = from_json(json);
    const auto* kind = v1::Command::descriptor()->FindFieldByNumber(command.kind_case());
    tried[kind->name()].merge(fields_of(command));
  }
  const auto* all = v1::Command::descriptor();
  for (int i = 0; i < all->field_count(); ++i) {
    const auto* message = all->field(i)->message_type();
    EXPECT_TRUE(tried.contains(all->field(i)->name())) << all->field(i)->name();
    for (int k = 0; k < message->field_count(); ++k) {
      EXPECT_TRUE(tried[all->field(i)->name()].contains(message->field(k)->name()))
          << message->field(k)->full_name();
    }
  }
}

TEST(CommandCodec, FillsInDefaults) {
  const auto push =
      command_from_proto(from_json(R"({"push": {"character": 1, "force_n": [1, 0, 0]}})"));
  EXPECT_EQ(std::get<Push>(std::get<Command>(push)).link, "");  // the torso, or the first
  EXPECT_EQ(std::get<Push>(std::get<Command>(push)).duration, 0.1);
  const auto steps = command_from_proto(from_json(R"({"single_step": {}})"));
  EXPECT_EQ(std::get<SingleStep>(std::get<Command>(steps)).ticks, 1u);
  const auto spawn = command_from_proto(from_json(R"({"spawn": {"body": "human"}})"));
  // The default depends on the controller: the room fills it in.
  EXPECT_EQ(std::get<Spawn>(std::get<Command>(spawn)).style, "");
  EXPECT_FALSE(std::get<Spawn>(std::get<Command>(spawn)).position);
  const auto wander = command_from_proto(from_json(R"({"set_wander": {"character": 1}})"));
  EXPECT_EQ(std::get<SetWander>(std::get<Command>(wander)).order.radius, 8);
}

TEST(CommandCodec, NamesTheCharacterAndChangesIt) {
  const Command push = Push{3, "torso", Vec3::Zero(), Vec3::UnitX(), 0.1};
  EXPECT_EQ(command_character(push), 3u);
  EXPECT_EQ(command_character(with_character(push, 8)), 8u);
  EXPECT_EQ(command_character(Command(Pause{})), 0u);
}

}  // namespace
}  // namespace promenade::world
