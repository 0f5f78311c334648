#include "creature/creature_library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support.h"

namespace promenade {
namespace {

/// A directory of bodies that lasts as long as the test.
class BodyLibraryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("promenade_bodies_" +
                  std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / (name + ".json")) << text;
  }
  /// The human's file with one text in place of another.
  void write_human(const std::string& from = "", const std::string& to = "") {
    std::ifstream in(test::characters_dir() / "human.json");
    std::stringstream text;
    text << in.rdbuf();
    std::string content = text.str();
    if (!from.empty()) {
      const std::size_t at = content.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      content.replace(at, from.size(), to);
    }
    write("human", content);
  }
  std::string complaint() {
    const auto library = CreatureLibrary::load(directory_);
    if (library.ok()) return "none";
    std::string text = library.error().text();
    const std::string prefix = directory_.string() + "/";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }

  std::filesystem::path directory_;
};

TEST_F(BodyLibraryTest, FollowsChainsOfBases) {
  write_human();
  write("big", R"({"name": "big", "base": "human", "edit": {"scale": 2}})");
  write("a_bigger", R"({"name": "a_bigger", "title": "Bigger", "base": "big",
                        "edit": {"scale": 1.5}, "color": "#010203"})");
  const auto library = CreatureLibrary::load(directory_);
  ASSERT_TRUE(library.ok()) << library.error().text();
  EXPECT_EQ(library->names(), (std::vector<std::string>{"a_bigger", "big", "human"}));
  const auto* bigger = library->find("a_bigger");
  ASSERT_NE(bigger, nullptr);
  EXPECT_NEAR(bigger->body->total_mass, 70.4 * 27, 1e-6);
  EXPECT_EQ(bigger->body->title, "Bigger");
  EXPECT_EQ(bigger->body->color, "#010203");
  EXPECT_EQ(bigger->character.name(), "a_bigger");
  EXPECT_TRUE(bigger->character.base().empty());
  EXPECT_FALSE(bigger->character.has_edit());
  EXPECT_EQ(bigger->character.links_size(), 16);
  EXPECT_EQ(library->find("big")->body->color, library->find("human")->body->color);
  EXPECT_EQ(library->find("nobody"), nullptr);
}

TEST_F(BodyLibraryTest, RefusesCyclesOfBases) {
  write("a", "{\"name\": \"a\",\n \"base\": \"b\"}");
  write("b", "{\"name\": \"b\",\n\n \"base\": \"a\"}");
  EXPECT_EQ(complaint(),
            "b.json:3: base: the bases make a cycle, a -> b -> a, must be a body that is not an "
            "edit of this one");
}

TEST_F(BodyLibraryTest, RefusesItselfAsBase) {
  write("a", "{\"name\": \"a\", \"base\": \"a\"}");
  EXPECT_EQ(complaint(),
            "a.json:1: base: the bases make a cycle, a -> a, must be a body that is not an edit of "
            "this one");
}

TEST_F(BodyLibraryTest, NamesFileLineAndKey) {
  write_human("\"mass_kg\": 5.2", "\"mass_kg\": -2");
  EXPECT_EQ(complaint(), "human.json:14: links[3].mass_kg: -2 is not allowed, must be > 0 kg");
  write_human("\"mass_kg\": 5.2", "\"mas_kg\": 5.2");
  EXPECT_EQ(complaint(),
            "human.json:14: links[3].mas_kg: unknown key, must be one of name, mass_kg, "
            "inertia_kgm2, shapes");
  write_human("\"mass_kg\": 5.2", "\"mass_kg\": NaN");
  EXPECT_EQ(complaint(),
            "human.json:14:33: links[3].mass_kg: NaN is not allowed, must be a finite number");
  write_human("\"name\": \"head\"", "\"name\": \"skull\"");
  EXPECT_NE(complaint().find("joints[2].child: \"head\" is not allowed, must be a link's name"),
            std::string::npos)
      << complaint();
}

TEST_F(BodyLibraryTest, RefusesFilesThatSayTooMuchOrTooLittle) {
  write_human();
  const auto with = [&](const std::string& text) {
    write("x", text);
    return complaint();
  };
  EXPECT_EQ(with(R"({"name": "y", "base": "human"})"),
            "x.json:1: name: \"y\" is not allowed, must be \"x\" as the file's name says");
  EXPECT_EQ(with(R"({"name": "x", "base": "nobody"})"),
            "x.json:1: base: \"nobody\" is not allowed, must be the name of a body in the same "
            "directory");
  EXPECT_EQ(with("{\"name\": \"x\", \"base\": \"human\",\n \"links\": [{}]}"),
            "x.json:2: links: 1 entries is not allowed, must be left out when `base` is given");
  EXPECT_EQ(
      with("{\"name\": \"x\",\n \"edit\": {}}"),
      "x.json:2: edit: an edit of nothing, must be given together with the `base` that it edits");
  EXPECT_EQ(
      with("{\"name\": \"x\"}"),
      "x.json:1: links: none is not allowed, must be the links of a body, or a `base` instead");
  EXPECT_EQ(with("{\"name\": \"x\", \"base\": \"human\",\n \"edit\": {\n  \"scale\": 9}}"),
            "x.json:3: edit.scale: 9 is not allowed, must be from 0.3 to 3");
}

TEST_F(BodyLibraryTest, RefusesDirectoriesWithoutBodies) {
  EXPECT_NE(complaint().find("has no bodies"), std::string::npos);
  EXPECT_FALSE(CreatureLibrary::load(directory_ / "nowhere").ok());
}

}  // namespace
}  // namespace promenade
