#include "world/library/definitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "creature/creature_edit.h"
#include "schema/message.h"
#include "world/command/command_codec.h"
#include "world/journal/journal_writer.h"
#include "world/journal/replay.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;
using Code = CommandError::Code;

v1::Style style_message(const std::string& name, double lean_deg = 5) {
  v1::Style style;
  style.set_name(name);
  style.set_lean_deg(lean_deg);
  style.set_step_width_m(0.1);
  auto* curve = style.add_curves();
  curve->set_joint("swing_elbow");
  curve->set_axis(v1::PITCH);
  for (const double phase : {0.0, 1.0 / 3, 0.9}) {
    auto* point = curve->mutable_curve_deg()->add_points();
    point->set_phase(phase);
    point->set_value(-10 - 20 * phase);
  }
  return style;
}

v1::Creature long_legs(const std::string& name, const std::string& base = "human") {
  v1::Creature body;
  body.set_name(name);
  body.set_base(base);
  for (const char* link : {"left_thigh", "right_thigh", "left_shank", "right_shank"}) {
    auto* edit = body.mutable_edit()->add_links();
    edit->set_link(link);
    edit->set_length(1.15);
  }
  return body;
}

// A change of character 1, through the wire's checks.
template <typename Message, typename Definition>
Command change(Message* (v1::Command::*member)(), const Definition& definition) {
  v1::Command message;
  Message* set = (message.*member)();
  set->set_character(1);
  *set->mutable_definition() = definition;
  auto command = command_from_proto(message);
  EXPECT_TRUE(std::holds_alternative<Command>(command));
  return std::get<Command>(command);
}
Command set_style(const v1::Style& style) { return change(&v1::Command::mutable_set_style, style); }
Command set_body(const v1::Creature& body) { return change(&v1::Command::mutable_set_body, body); }

/// The library and what "is saved" besides.
struct WithSaved : Definitions {
  std::shared_ptr<const StyleDefinition> find_style(const std::string& name) const override {
    if (name != "mine") return test_library()->find_style(name);
    auto made = *std::get<0>(define_style(style_message("mine"), ""));
    made.origin = Origin::kSaved;
    return std::make_shared<const StyleDefinition>(made);
  }
  std::shared_ptr<const CreatureDefinition> find_creature(const std::string& name) const override {
    if (name != "tall") return test_library()->find_creature(name);
    auto made = *std::get<0>(define_creature(long_legs("tall"), *test_library(), ""));
    made.origin = Origin::kSaved;
    return std::make_shared<const CreatureDefinition>(made);
  }
  std::string known_styles() const override { return test_library()->known_styles(); }
  std::string known_creatures() const override { return test_library()->known_creatures(); }
  std::shared_ptr<const CreatureDefinition> find_thing(const std::string& name) const override {
    return test_library()->find_thing(name);
  }
  std::string known_things() const override { return test_library()->known_things(); }
  std::shared_ptr<const GaitDefinition> find_gait(const std::string& name) const override {
    if (name != "mine") return test_library()->find_gait(name);
    auto made = *test_library()->find_gait("cat_trot");
    made.message.set_name("mine");
    made.origin = Origin::kSaved;
    return std::make_shared<const GaitDefinition>(made);
  }
  std::string known_gaits(const std::string& creature) const override {
    return test_library()->known_gaits(creature);
  }
  const v1::TaskParameters& tasks() const override { return test_library()->tasks(); }
};

TEST(Definitions, AnEditedStyleIsForOneCharacterFromTheNextTick) {
  Room room(test_library(), settings_for("pair"));
  const auto before = room.snapshot()->roster;
  ASSERT_FALSE(room.apply(set_style(style_message("normal", 30))).error);
  const auto after = room.snapshot()->roster;
  EXPECT_GT(after->version, before->version);
  EXPECT_EQ(after->entries[0].style, "normal");
  EXPECT_EQ(after->entries[0].style_definition->origin, Origin::kEdited);
  EXPECT_EQ(after->entries[0].style_definition->message.lean_deg(), 30);
  EXPECT_EQ(after->entries[1].style_definition->origin, Origin::kBuiltIn);
  Room other(test_library(), settings_for("pair"));
  EXPECT_NE(room.state_hash(), other.state_hash()) << "the style is part of the state";
  run(room, 2);
  run(other, 2);
  const auto lean = [](const Room& r) {
    const auto* body = r.body_for_test(1);
    return body->links()[2].rotation(0, 2);  // the torso's z axis, forward
  };
  EXPECT_GT(lean(room), lean(other) + 0.2);
}

TEST(Definitions, EveryEditChangesTheRosterButNoEditThatChangesNothing) {
  Room room(test_library(), settings_for("pair"));
  room.apply(set_style(style_message("mine", 1)));
  const auto first = room.snapshot()->roster;
  room.apply(set_style(style_message("mine", 2)));
  const auto second = room.snapshot()->roster;
  EXPECT_GT(second->version, first->version) << "so that all editors of the style are told";
  EXPECT_EQ(second->entries[0].style_definition->message.lean_deg(), 2);
  room.apply(set_style(style_message("mine", 2)));
  EXPECT_EQ(room.snapshot()->roster->version, second->version);
  room.apply(SetStyle{1, "march"});
  EXPECT_GT(room.snapshot()->roster->version, second->version);
}

TEST(Definitions, AnEditedBodyGoesOnWalkingAndIsInTheRoster) {
  Room room(test_library(), settings_for("pair"));
  room.apply(SetVelocity{1, Vec2(0.7, 0), Frame::kCharacter});
  run(room, 4);
  const auto before = room.snapshot();
  ASSERT_FALSE(room.apply(set_body(long_legs("long"))).error);
  const auto after = room.snapshot();
  EXPECT_GT(after->roster->version, before->roster->version);
  const auto built_in = before->roster->bodies.size();
  EXPECT_EQ(after->roster->entries[0].body, int(built_in));
  ASSERT_EQ(after->roster->bodies.size(), built_in + 1);
  EXPECT_EQ(after->roster->bodies[built_in]->name, "long");
  const v1::Creature& whole = after->roster->entries[0].body_definition->whole;
  EXPECT_EQ(whole.links_size(), test_library()->find_creature("human")->whole.links_size());
  EXPECT_TRUE(whole.base().empty());
  EXPECT_LT(
      (after->characters[0].root.position - before->characters[0].root.position).head<2>().norm(),
      0.2);
  EXPECT_GT(after->characters[0].root.position.z(), before->characters[0].root.position.z() + 0.05);
  EXPECT_EQ(count(run(room, 5), RoomEvent::Kind::kFell), 0);
  room.apply(SetBody{1, "human"});
  EXPECT_EQ(room.snapshot()->roster->bodies.size(), built_in);
  EXPECT_EQ(count(run(room, 5), RoomEvent::Kind::kFell), 0);
}

TEST(Definitions, TheSameDefinitionIsInTheRosterOnce) {
  Room room(test_library(), settings_for("pair"));
  Command command = SetBody{1, "tall"};
  ASSERT_FALSE(resolve(command, WithSaved()));
  ASSERT_FALSE(room.apply(command).error);
  ASSERT_FALSE(room.apply(with_character(command, 2)).error);
  const auto roster = room.snapshot()->roster;
  EXPECT_EQ(roster->bodies.size(), test_library()->body_list().size() + 1);
  EXPECT_EQ(roster->entries[0].body, roster->entries[1].body);
}

TEST(Definitions, AreRefusedBeyondWhatTheRoomHoldsAndTheRoomSaysWhatThatIs) {
  const std::size_t one =
      std::get<0>(define_creature(long_legs("long"), *test_library(), ""))->bytes;
  RoomSettings settings = settings_for("pair");
  settings.max_definition_bytes = 2 * one + one / 2;
  Room room(test_library(), settings);
  const Command first = set_body(long_legs("one"));
  ASSERT_FALSE(room.apply(first).error);
  ASSERT_FALSE(room.apply(with_character(first, 2)).error);
  Spawn spawn{"", "", Vec2(5, 5), 0, false};
  spawn.body_definition = std::get<0>(define_creature(long_legs("two"), *test_library(), ""));
  const std::uint64_t hash = room.state_hash();
  const auto refused = room.apply(spawn).error;
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, Code::kBusy);
  EXPECT_EQ(refused->field, "spawn.body_definition");
  EXPECT_THAT(refused->value, HasSubstr("2 styles, bodies and gaits in the room"));
  EXPECT_THAT(refused->allowed, HasSubstr(std::to_string(settings.max_definition_bytes)));
  EXPECT_EQ(room.state_hash(), hash);
  // A built-in body costs nothing, and an edit takes the place of the last one.
  EXPECT_FALSE(room.apply(Spawn{"human", "", Vec2(5, 5), 0, false}).error);
  EXPECT_FALSE(room.apply(set_body(long_legs("one-again"))).error);
  EXPECT_FALSE(room.apply(SetBody{2, "human"}).error);
  EXPECT_FALSE(room.apply(spawn).error);
  // A saved body is counted once, however many have it.
  EXPECT_FALSE(room.apply(Remove{4}).error);
  Command tall = SetBody{1, "tall"};
  ASSERT_FALSE(resolve(tall, WithSaved()));
  for (const CharacterId id : {1, 2, 3}) {
    EXPECT_FALSE(room.apply(with_character(tall, id)).error) << id;
  }
  settings.max_definition_bytes = 0;
  Room replayed(test_library(), settings);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(replayed.apply(spawn).error);
}

TEST(Definitions, OfEqualBodiesHaveEqualIds) {
  const auto make = [](const v1::Creature& body) {
    return std::get<0>(define_creature(body, *test_library(), ""));
  };
  const auto long_one = make(long_legs("long"));
  EXPECT_EQ(long_one->id, make(long_legs("long"))->id);
  EXPECT_EQ(long_one->id, make(long_one->whole)->id) << "however it was given";
  EXPECT_NE(long_one->id, make(long_legs("other"))->id);
  EXPECT_EQ(make(test_library()->find_creature("human")->whole)->id,
            test_library()->find_creature("human")->id);
  v1::Creature read;
  ASSERT_TRUE(read.ParseFromString(long_one->encoded));
  EXPECT_EQ(read.SerializeAsString(), long_one->whole.SerializeAsString());
}

TEST(Definitions, ABodyThatIsTooLargeOnceEncodedIsRefused) {
  v1::Creature body;
  body.set_name("vast");
  for (int i = 0; i < 32; ++i) {
    auto* link = body.add_links();
    link->set_name("link_with_a_long_name_" + std::to_string(i));
    link->set_mass_kg(1);
    for (int k = 0; k < 3; ++k) link->add_inertia_kgm2(0.1);
    for (int shape = 0; shape < 16; ++shape) {
      auto* capsule = link->add_shapes()->mutable_capsule();
      for (const double at : {0.1, 0.2, 0.3}) {
        capsule->add_from_m(at);
        capsule->add_to_m(-at);
      }
      capsule->set_radius_m(0.05);
      link->mutable_shapes(shape)->mutable_material()->set_friction(0.5);
      link->mutable_shapes(shape)->mutable_material()->set_restitution(0.5);
    }
    if (i == 0) continue;
    auto* joint = body.add_joints();
    joint->set_name("joint_" + link->name());
    joint->set_parent(body.links(0).name());
    joint->set_child(link->name());
    joint->set_kind(v1::BALL);
    for (int k = 0; k < 3; ++k) {
      joint->add_at_parent_m(0.1);
      joint->add_at_child_m(0.1);
      joint->add_lower_rad(-1);
      joint->add_upper_rad(1);
      joint->add_gain_scale(1);
      joint->add_rest_rad(0.1);
    }
  }
  const auto made = define_creature(body, *test_library(), "set_body.definition");
  ASSERT_TRUE(std::holds_alternative<CommandError>(made));
  const CommandError& error = std::get<CommandError>(made);
  EXPECT_EQ(error.field, "set_body.definition.links");
  EXPECT_THAT(error.value, HasSubstr(std::to_string(body.ByteSizeLong())));
  EXPECT_THAT(error.allowed, HasSubstr("49152"));
}

TEST(Definitions, ABodyChangesWhileItLiesAndWhileItIsPushed) {
  Room room(test_library(), settings_for("lying"));
  room.apply(Push{1, "left_foot", Vec3::Zero(), Vec3(10, 0, 0), 5});
  ASSERT_TRUE(room.set_state_for_test(1, lying_state(room, 1)));
  run(room, 1);
  ASSERT_TRUE(room.snapshot()->characters[0].flags & kFlagFallen);
  for (const char* name : {"giant", "child", "robot", "human"}) {
    ASSERT_FALSE(room.apply(SetBody{1, name}).error);
    const auto events = run(room, 1);
    EXPECT_EQ(count(events, RoomEvent::Kind::kQuarantined), 0) << name;
    EXPECT_LT(room.snapshot()->characters[0].root.position.z(), 0.8) << name;
  }
}

TEST(Definitions, OneRandomBodyAfterAnotherWhileItWalks) {
  Room room(test_library(), settings_for("pair"));
  room.apply(SetVelocity{1, Vec2(0.6, 0), Frame::kCharacter});
  run(room, 3);
  int fell = 0;
  constexpr int kBodies = 40;
  for (int seed = 1; seed <= kBodies; ++seed) {
    v1::Creature body;
    body.set_name("random");
    body.set_base("human");
    *body.mutable_edit() = random_edit(std::uint64_t(seed));
    ASSERT_FALSE(room.apply(set_body(body)).error) << seed;
    const auto events = run(room, 1.7);
    fell += count(events, RoomEvent::Kind::kFell);
    EXPECT_EQ(count(events, RoomEvent::Kind::kQuarantined), 0) << seed;
  }
  EXPECT_LE(fell, kBodies / 5);
}

TEST(Definitions, JournalsReplayEditsAndSavedNamesWithoutTheStore) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "edits.jsonl";
  std::uint64_t hash = 0;
  {
    Room room(test_library(), settings_for("pair"));
    JournalWriter writer(path, room.settings(), test_library()->digest());
    room.set_command_sink([&](std::uint64_t tick, const Command& c) { writer.add(tick, c); });
    const auto apply = [&](Command command) {
      ASSERT_FALSE(resolve(command, WithSaved()));
      const CommandResult result = room.apply(command);
      ASSERT_FALSE(result.error) << result.error->message;
    };
    apply(SetVelocity{1, Vec2(0.8, 0), Frame::kCharacter});
    run(room, 1.3);
    apply(set_style(style_message("odd", 1.0 / 3)));
    run(room, 0.7);
    apply(set_body(long_legs("a", "stout")));
    run(room, 0.4);
    apply(set_body(long_legs("b", "tall")));  // an edit of a saved body
    apply(SetStyle{2, "mine"});
    apply(SetBody{2, "tall"});
    apply(Spawn{"tall", "mine", Vec2(3, 3), 0, true});
    apply(SetBody{3, "giant"});
    writer.mark(room.tick_count(), room.state_hash());
    run(room, 2);
    hash = room.state_hash();
    writer.close(room.tick_count(), hash);
  }
  const std::filesystem::path files[] = {path};
  const auto result = replay(files, test_library(), 2);
  ASSERT_TRUE(result.ok()) << result.error().text();
  EXPECT_TRUE(result->equal) << result->error << " at " << result->difference;
  EXPECT_TRUE(result->notes.empty());
  EXPECT_EQ(result->hash, hash);
}

TEST(Definitions, TheHashTellsDefinitionsOfOneNameApart) {
  Room a(test_library(), settings_for("pair")), b(test_library(), settings_for("pair"));
  a.apply(set_style(style_message("mine", 1)));
  b.apply(set_style(style_message("mine", 1.0001)));
  EXPECT_NE(a.state_hash(), b.state_hash());
}

TEST(Definitions, ScriptsOfScenesMayHoldThem) {
  const char* script = R"("characters": [{"body": "human"}], "script": [
      {"at_s": 0.5, "command": {"set_body": {"character": 1, "definition":
          {"name": "big", "base": "%s", "edit": {"scale": 1.3}}}}}])";
  const auto with_base = [script](const char* base) {
    std::string text = script;
    return text.replace(text.find("%s"), 2, base);
  };
  const auto library = library_with({{"grow", with_base("human")}});
  ASSERT_TRUE(library.ok()) << library.error().text();
  Room room(*library, settings_for("grow"));
  EXPECT_EQ(count(run(room, 1), RoomEvent::Kind::kNotice), 0);
  EXPECT_EQ(room.snapshot()->roster->bodies.size(), (*library)->body_list().size() + 1);
  const auto wrong = library_with({{"grow", with_base("dragon")}});
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().text(), HasSubstr("grow.json"));
  EXPECT_THAT(wrong.error().text(), HasSubstr("set_body.definition.base"));
}

struct BadDefinition {
  const char* json;  // of a Command
  const char* field;
  const char* value;
  const char* allowed;
  Code code = Code::kInvalid;
};

class BadDefinitions : public ::testing::TestWithParam<BadDefinition> {};

TEST_P(BadDefinitions, AreRefusedAndNothingChanges) {
  Room room(test_library(), settings_for("pair"));
  room.apply(SetVelocity{1, Vec2(0.8, 0), Frame::kCharacter});
  run(room, 1);
  const std::uint64_t before = room.state_hash();
  const auto message = schema::parse_message<v1::Command>(GetParam().json);
  ASSERT_TRUE(message.ok()) << message.error().text();
  auto command = command_from_proto(*message);
  std::optional<CommandError> error;
  if (auto* wrong = std::get_if<CommandError>(&command)) {
    error = *wrong;
  } else {
    // Whether it comes over the wire or from a journal: both ways refuse it alike.
    error = room.apply(std::get<Command>(command)).error;
    const auto again = resolve(std::get<Command>(command), *test_library());
    ASSERT_TRUE(again);
    ASSERT_TRUE(error);
    EXPECT_EQ(again->field, error->field);
  }
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, GetParam().code);
  EXPECT_EQ(error->field, GetParam().field);
  EXPECT_THAT(error->value, HasSubstr(GetParam().value));
  EXPECT_THAT(error->allowed, HasSubstr(GetParam().allowed));
  EXPECT_THAT(error->message, HasSubstr(GetParam().field));
  EXPECT_EQ(room.state_hash(), before);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadDefinitions,
    ::testing::Values(
        BadDefinition{R"({"set_style": {"character": 1, "style": "normal", "definition":
                          {"name": "x"}}})",
                      "set_style.definition", "together with", "one of the two"},
        BadDefinition{R"({"set_style": {"character": 1, "definition": {}}})",
                      "set_style.definition.name", "", "a-z"},
        BadDefinition{R"({"set_style": {"character": 1, "definition": {"name": "x", "curves": [
                          {"joint": "tail", "axis": "PITCH", "curve_deg": {"points": [{}]}}]}}})",
                      "set_style.definition.curves[0].joint", "tail", "stance_knee"},
        BadDefinition{R"({"set_style": {"character": 1, "definition": {"name": "x", "foot_height_m":
                          {"points": [{"phase": 0.5}, {"phase": 0.4}]}}}})",
                      "set_style.definition.foot_height_m.points[1].phase", "0.4", "more than"},
        BadDefinition{R"({"set_style": {"character": 1, "definition": {"name": "x",
                          "lean_deg": 80}}})",
                      "set_style.definition.lean_deg", "80", "-45 to 45"},
        BadDefinition{R"({"set_body": {"character": 1}})", "set_body.body", "empty", "name"},
        BadDefinition{R"({"set_body": {"character": 1, "body": "human", "definition":
                          {"name": "x"}}})",
                      "set_body.definition", "together with", "one of the two"},
        BadDefinition{R"({"set_body": {"character": 1, "definition": {"name": "x"}}})",
                      "set_body.definition.links", "none", "base"},
        BadDefinition{R"({"set_body": {"character": 1, "definition": {"name": "x",
                          "base": "dragon"}}})",
                      "set_body.definition.base", "dragon", "human", Code::kNotFound},
        BadDefinition{R"({"set_body": {"character": 1, "definition": {"name": "x", "base": "human",
                          "edit": {"links": [{"link": "torso", "length": -1}]}}}})",
                      "set_body.definition.edit.links[0].length", "-1", "0.3 to 3"},
        BadDefinition{R"({"set_body": {"character": 1, "definition": {"name": "x", "links": [
                          {"name": "pelvis"}]}}})",
                      "set_body.definition.links[0].mass_kg", "0", "0"},
        BadDefinition{R"({"spawn": {"body_definition": {"name": "x", "base": "dragon"}}})",
                      "spawn.body_definition.base", "dragon", "human", Code::kNotFound},
        BadDefinition{R"({"spawn": {"body": "human", "style_definition": {"name": "?"}}})",
                      "spawn.style_definition.name", "?", "a-z"}));

TEST(Definitions, NumbersThatAreNoneAndTooManyPointsAreRefused) {
  const auto refused = [](const v1::Style& style) {
    const auto made = define_style(style, "definition");
    const auto* error = std::get_if<CommandError>(&made);
    EXPECT_TRUE(error);
    return error ? *error : CommandError();
  };
  v1::Style style = style_message("x");
  auto* points = style.mutable_curves(0)->mutable_curve_deg();
  points->mutable_points(1)->set_value(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(refused(style).field, "definition.curves[0].curve_deg.points[1].value");
  points->mutable_points(1)->set_value(1);
  points->mutable_points(2)->set_phase(std::numeric_limits<double>::infinity());
  EXPECT_EQ(refused(style).field, "definition.curves[0].curve_deg.points[2].phase");
  points->clear_points();
  for (int i = 0; i < 65; ++i) points->add_points()->set_phase(i / 65.0);
  EXPECT_EQ(refused(style).field, "definition.curves[0].curve_deg.points");
  EXPECT_THAT(refused(style).allowed, HasSubstr("64"));
  style = style_message("x");
  for (int i = 0; i < 64; ++i) *style.add_curves() = style.curves(0);
  EXPECT_EQ(refused(style).field, "definition.curves");
  v1::Creature body = test_library()->find_creature("human")->whole;
  body.mutable_links(3)->set_mass_kg(0);
  const auto made = define_creature(body, *test_library(), "definition");
  ASSERT_TRUE(std::holds_alternative<CommandError>(made));
  EXPECT_EQ(std::get<CommandError>(made).field, "definition.links[3].mass_kg");
  EXPECT_EQ(std::get<CommandError>(made).value, "0");
}

TEST(Definitions, NamesThatAreNotKnownAreRefusedWithThoseThatAre) {
  struct Case {
    Command command;
    const char *field, *allowed;
  };
  for (const auto& [command, field, allowed] :
       {Case{SetBody{1, "dragon"}, "set_body.body", "human"},
        Case{SetStyle{1, "fly"}, "set_style.style", "normal"},
        Case{Spawn{"dragon", "normal", std::nullopt, 0, false}, "spawn.body", "human"},
        Case{Spawn{"human", "fly", std::nullopt, 0, false}, "spawn.style", "normal"}}) {
    Room room(test_library(), settings_for("pair"));
    Command resolved = command;
    for (const auto& error : {resolve(resolved, *test_library()), room.apply(command).error}) {
      ASSERT_TRUE(error) << field;
      EXPECT_EQ(error->code, Code::kNotFound);
      EXPECT_EQ(error->field, field);
      EXPECT_THAT(error->allowed, HasSubstr(allowed));
      EXPECT_THAT(error->message, HasSubstr(field));
    }
  }
}

TEST(Definitions, SayWhoDrivesABodyAndWhatItsHandsCanDo) {
  const auto human = test_library()->find_creature("human");
  EXPECT_THAT(human->facts.families,
              ::testing::ElementsAre("gbwc", "pendulum", "hold", "limp", "rise", "posegraph"));
  ASSERT_TRUE(human->facts.hands);
  EXPECT_NEAR(human->facts.hands->lift, 0.6 * human->body->total_mass, 1e-9);
  EXPECT_GT(human->facts.hands->reach_up, human->body->standing_height);
  const auto giant = test_library()->find_creature("giant");
  EXPECT_LT(giant->facts.hands->lift, 0.6 * giant->body->total_mass) << "hands hold no more";
  EXPECT_GT(giant->facts.hands->width, human->facts.hands->width);
  const auto cat = test_library()->find_creature("cat");
  EXPECT_THAT(cat->facts.families, ::testing::ElementsAre("hold", "limp", "posegraph"));
  EXPECT_FALSE(cat->facts.hands);
}

}  // namespace
}  // namespace promenade::world
