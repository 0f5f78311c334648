#include "schema/message.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "promenade/v1/api.pb.h"
#include "promenade/v1/command.pb.h"
#include "promenade/v1/creature.pb.h"
#include "promenade/v1/scene.pb.h"
#include "promenade/v1/wire.pb.h"

namespace promenade::schema {
namespace {

template <typename M>
FileError error_of(const std::string& text) {
  const auto message = parse_message<M>(text);
  return message.ok() ? FileError{"", 0, "", "", "", "no error"} : message.error();
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    path_ =
        std::filesystem::temp_directory_path() /
        ("promenade_" +
         std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".json");
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Message, ReadsBothSpellingsOfKeys) {
  for (const char* text : {R"({"mass_kg": 2.5, "inertia_kgm2": [1, 2, 3], "name": "x"})",
                           R"({"massKg": 2.5, "inertiaKgm2": [1, 2, 3], "name": "x"})"}) {
    const auto link = parse_message<v1::Link>(text);
    ASSERT_TRUE(link.ok()) << link.error().text();
    EXPECT_EQ(link->mass_kg(), 2.5);
    EXPECT_EQ(link->inertia_kgm2(2), 3);
    EXPECT_EQ(link->name(), "x");
  }
}

TEST(Message, ReadsEnumsByNameAndNumber) {
  EXPECT_EQ(parse_message<v1::Joint>(R"({"kind": "BALL"})")->kind(), v1::BALL);
  EXPECT_EQ(parse_message<v1::Joint>(R"({"kind": 2})")->kind(), v1::UNIVERSAL);
  const FileError error = error_of<v1::Joint>(R"({"kind": "ROUND"})");
  EXPECT_EQ(error.key, "kind");
  EXPECT_EQ(error.value, "\"ROUND\"");
  EXPECT_EQ(error.allowed, "one of HINGE, UNIVERSAL, BALL, SLIDER");
  EXPECT_FALSE(parse_message<v1::Joint>(R"({"kind": 9})").ok());
}

TEST(Message, ReadsNumbersAsProtobufDoes) {
  EXPECT_EQ(parse_message<v1::Scene>(R"({"seed": "18446744073709551615"})")->seed(),
            18446744073709551615ULL);
  EXPECT_EQ(parse_message<v1::Scene>(R"({"seed": 1e3})")->seed(), 1000u);
  EXPECT_EQ(parse_message<v1::Crowd>(R"({"count": 3.0})")->count(), 3u);
  EXPECT_EQ(parse_message<v1::Scene>(R"({"friction": "0.5"})")->friction(), 0.5);
  EXPECT_EQ(parse_message<v1::Scene>(R"({"friction": 1e-999})")->friction(), 0);
  for (const char* bad : {"-1", "1.5", "4294967296", "\"x\"", "true", "\" 1\"", "[]", "1e300"}) {
    const FileError error = error_of<v1::Crowd>("{\"count\": " + std::string(bad) + "}");
    EXPECT_EQ(error.key, "count") << bad;
    EXPECT_EQ(error.allowed, "a whole number from 0 to 4294967295") << bad;
  }
}

TEST(Message, RefusesNumbersThatAreNotFinite) {
  for (const char* bad : {"\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "1e999", "-1e999"}) {
    const FileError error = error_of<v1::Scene>("{\"friction\": " + std::string(bad) + "}");
    EXPECT_EQ(error.key, "friction") << bad;
    EXPECT_EQ(error.allowed, "a finite number") << bad;
  }
  // Finite as a double, but not as a float.
  EXPECT_EQ(error_of<v1::Frame>(R"({"time_scale": 1e39})").allowed, "a finite number");
}

TEST(Message, NullIsTheDefault) {
  const auto link = parse_message<v1::Link>(R"({"mass_kg": null, "shapes": null})");
  ASSERT_TRUE(link.ok());
  EXPECT_EQ(link->mass_kg(), 0);
  EXPECT_FALSE(parse_message<v1::Link>(R"({"inertia_kgm2": [1, null, 2]})").ok());
}

TEST(Message, NamesUnknownKeysWithTheKnownOnes) {
  const FileError error = error_of<v1::Creature>(
      "{\"links\": [\n {\"name\": \"a\"},\n {\"name\": \"b\",\n  \"mas_kg\": 3}]}");
  EXPECT_EQ(error.line, 4);
  EXPECT_EQ(error.key, "links[1].mas_kg");
  EXPECT_EQ(error.message, "unknown key");
  EXPECT_EQ(error.allowed, "one of name, mass_kg, inertia_kgm2, shapes");
  EXPECT_EQ(error_of<v1::Command>(R"({"pause": {"now": true}})").allowed, "an empty object");
}

TEST(Message, ErrorsStayShortWhateverWasSent) {
  const std::string most(500000, 'k');
  EXPECT_LT(error_of<v1::Link>("{\"" + most + "\": 1}").text().size(), 500u);
  EXPECT_LT(error_of<v1::Link>("{\"" + most + "\": [[}").text().size(), 500u);
  EXPECT_LT(error_of<v1::Link>("{\"mass_kg\": \"" + most + "\"}").text().size(), 500u);
  EXPECT_LT(error_of<v1::Link>("{\"mass_kg\": " + most + "}").text().size(), 500u);
}

TEST(Message, NamesWrongTypes) {
  const FileError error = error_of<v1::Creature>("{\"links\": [\n {\"mass_kg\":\n \"heavy\"}]}");
  EXPECT_EQ(error.text(), "line 3: links[0].mass_kg: \"heavy\" is not allowed, must be a number");
  EXPECT_EQ(error_of<v1::Creature>(R"({"links": {}})").what(),
            "links: an object is not allowed, must be an array");
  EXPECT_EQ(error_of<v1::Creature>(R"({"links": [7]})").what(),
            "links[0]: 7 is not allowed, must be an object");
  EXPECT_EQ(error_of<v1::Creature>(R"({"name": 7})").allowed, "a string");
  EXPECT_EQ(error_of<v1::Path>(R"({"closed": 1})").allowed, "true or false");
  EXPECT_EQ(error_of<v1::Path>("[]").what(), "an array of 0 is not allowed, must be an object");
}

TEST(Message, RefusesTwoMembersOfAOneof) {
  const FileError error = error_of<v1::Command>("{\"stop\": {\"character\": 1},\n \"pause\": {}}");
  EXPECT_EQ(error.line, 2);
  EXPECT_EQ(error.key, "pause");
  EXPECT_EQ(error.message, "cannot be given together with stop");
}

TEST(Message, RefusesAFieldInBothSpellings) {
  const FileError error = error_of<v1::Link>(R"({"mass_kg": 1, "massKg": 2})");
  EXPECT_EQ(error.key, "mass_kg");
  EXPECT_EQ(error.message, "given twice, as mass_kg and as massKg");
}

TEST(Message, ReadsACommandAsOneWouldSendIt) {
  const auto command = parse_message<v1::Command>(
      R"({"push": {"character": 3, "link": "torso", "force_n": [300, 0, 0], "duration_s": 0.1}})");
  ASSERT_TRUE(command.ok()) << command.error().text();
  EXPECT_EQ(command->push().force_n(0), 300);
  EXPECT_EQ(command->push().character(), 3u);
}

TEST(Message, WritesWhatItReads) {
  v1::Command command;
  command.mutable_set_velocity()->set_character(4);
  command.mutable_set_velocity()->set_x_mps(0.8);
  command.mutable_set_velocity()->set_frame(v1::WORLD);
  const std::string json = message_to_json(command);
  EXPECT_EQ(json, R"({"set_velocity":{"character":4,"x_mps":0.8,"frame":"WORLD"}})");
  EXPECT_EQ(parse_message<v1::Command>(json)->SerializeAsString(), command.SerializeAsString());
  EXPECT_EQ(message_to_json(v1::Stop(), true), R"({"character":0})");
}

TEST(Message, FileErrorsNameFileLineAndKey) {
  const TemporaryFile file("{\n  \"name\": \"x\",\n  \"links\": 3\n}\n");
  const auto loaded = load_message<v1::Creature>(file.path());
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().text(),
            file.path().string() + ":3: links: 3 is not allowed, must be an array");
}

TEST(Message, FileErrorsTellMissingLargeAndOddFiles) {
  const auto missing = load_message<v1::Creature>("/nowhere/x.json");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().text(), "/nowhere/x.json: no such file");
  EXPECT_FALSE(load_message<v1::Creature>(std::filesystem::temp_directory_path()).ok());
  const TemporaryFile file("{" + std::string(1 << 20, ' ') + "}");
  const auto large = load_message<v1::Creature>(file.path());
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().message, "is too large");
}

TEST(Message, SourceKnowsTheLineOfEveryKey) {
  const TemporaryFile file("{\n  \"links\": [\n    {},\n    {\"massKg\": 2}\n  ]\n}\n");
  const auto loaded = load_message<v1::Creature>(file.path());
  ASSERT_TRUE(loaded.ok()) << loaded.error().text();
  EXPECT_EQ(loaded->source.line("links"), 2);
  EXPECT_EQ(loaded->source.line("links[0]"), 3);
  EXPECT_EQ(loaded->source.line("links[1].mass_kg"), 4);
  EXPECT_EQ(loaded->source.line("links[0].mass_kg"), 3);  // absent: where it would be
  EXPECT_EQ(loaded->source.line("joints"), 1);
  EXPECT_EQ(Source().line("links"), 0);
}

}  // namespace
}  // namespace promenade::schema
