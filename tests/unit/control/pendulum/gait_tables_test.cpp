#include "control/pendulum/gait_tables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "control/controller_library.h"
#include "control/gbwc/style_library.h"
#include "creature/creature_library.h"
#include "support/paths.h"

namespace promenade::control::pendulum {
namespace {

namespace fs = std::filesystem;
using Lasts = GaitTables::Lasts;

struct Data {
  CreatureLibrary bodies = CreatureLibrary::load(test::data_dir() / "creatures").value();
  StyleLibrary styles = StyleLibrary::load(test::data_dir() / "styles").value();
  ControllerLibrary controllers = ControllerLibrary::load(test::data_dir() / "controllers").value();
};

const Data& data() {
  static const Data loaded;
  return loaded;
}

/// A human who walks normally, as objects of their own: another program would have others.
struct Walk {
  std::shared_ptr<const Creature> creature =
      std::make_shared<const Creature>(*data().bodies.find("human")->body);
  std::shared_ptr<const Style> style = std::make_shared<const Style>(*data().styles.find("normal"));

  ControllerSetup setup() const {
    return data().controllers.setup(*find_family("gbwc"), creature, style);
  }
  void note(GaitTables& tables, Lasts lasts) const {
    tables.note(creature, "human", lasts);
    tables.note(style, "normal", lasts);
  }
};

StateVisitor::Buffer words_of(const GaitTable& table) {
  StateVisitor::Buffer words;
  write_state(table, words);
  return words;
}

std::string name() {
  return GaitStore::name_of(
      "human", "normal", data().controllers.parameters(*find_family("gbwc"))->SerializeAsString());
}

class GaitTablesTest : public ::testing::Test {
 protected:
  GaitTablesTest()
      : directory_(fs::temp_directory_path() / ("gait_tables_test." + std::to_string(::getpid()))) {
  }
  ~GaitTablesTest() override { fs::remove_all(directory_); }

  GaitStore store() const { return GaitStore({}, directory_); }
  std::size_t files() const {
    std::error_code none;
    return std::size_t(std::distance(fs::directory_iterator(directory_, none), {}));
  }

  const fs::path directory_;
};

TEST_F(GaitTablesTest, FindsTheBitsThatWereMeasured) {
  GaitTables first, second;
  const Walk walk, again;
  for (GaitTables* tables : {&first, &second}) tables->use(store());
  walk.note(first, Lasts::kYes);
  again.note(second, Lasts::kYes);
  const auto measured = first.poser(walk.setup());
  EXPECT_EQ(first.measured(), 1u);
  EXPECT_EQ(files(), 1u);
  const auto found = second.poser(again.setup());
  EXPECT_EQ(second.measured(), 0u);
  EXPECT_EQ(words_of(found->table()), words_of(measured->table()));
  EXPECT_TRUE(second.knows(again.creature, again.style));
  EXPECT_FALSE(second.knows(walk.creature, walk.style));
}

TEST_F(GaitTablesTest, TakesADamagedFileForNone) {
  GaitTables tables;
  const Walk walk;
  tables.use(store());
  walk.note(tables, Lasts::kYes);
  const auto measured = tables.poser(walk.setup());
  const std::size_t links = walk.creature->link_names.size();
  const fs::path path = directory_ / name();
  const std::size_t size = fs::file_size(path);
  ASSERT_TRUE(store().find(name(), links));
  EXPECT_FALSE(store().find(name(), links + 1));
  std::string bytes(size, '\0');
  std::ifstream(path, std::ios::binary).read(bytes.data(), std::streamsize(size));
  const auto write = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  };
  for (std::size_t at = 0; at < size; at += 4099) {
    std::string damaged = bytes;
    damaged[at] = char(damaged[at] ^ 0x10);
    write(damaged);
    EXPECT_FALSE(store().find(name(), links)) << "byte " << at;
  }
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{7}, std::size_t{24}, size / 2, size - 8}) {
    write(bytes.substr(0, length));
    EXPECT_FALSE(store().find(name(), links)) << length << " bytes";
  }
  // One of another body under this name.
  write(bytes);
  const std::string other = GaitStore::name_of("giant", "normal", "");
  fs::copy_file(path, directory_ / other);
  EXPECT_FALSE(store().find(other, links));
  write(bytes + bytes);
  GaitTables anew;
  anew.use(store());
  walk.note(anew, Lasts::kYes);
  EXPECT_EQ(words_of(anew.poser(walk.setup())->table()), words_of(measured->table()));
  EXPECT_EQ(anew.measured(), 1u);
  EXPECT_EQ(fs::file_size(path), size) << "mended";
}

TEST_F(GaitTablesTest, RemembersEditsByContentAndKeepsNoFilesOfThem) {
  GaitTables tables;
  tables.use(store());
  const Walk first, second;
  first.note(tables, Lasts::kNo);
  second.note(tables, Lasts::kNo);
  const auto measured = tables.poser(first.setup());
  const auto known = tables.poser(second.setup());
  EXPECT_EQ(tables.measured(), 1u);
  EXPECT_EQ(files(), 0u);
  EXPECT_EQ(words_of(known->table()), words_of(measured->table()));
}

TEST_F(GaitTablesTest, NamesTablesByAllThatTheyWereMeasuredFrom) {
  const std::string one = GaitStore::name_of("a", "b", "c");
  EXPECT_EQ(one, GaitStore::name_of("a", "b", "c"));
  EXPECT_NE(one, GaitStore::name_of("ab", "", "c"));
  EXPECT_NE(one, GaitStore::name_of("a", "c", "b"));
  EXPECT_NE(one, GaitStore::name_of("a", "b", ""));
}

}  // namespace
}  // namespace promenade::control::pendulum
