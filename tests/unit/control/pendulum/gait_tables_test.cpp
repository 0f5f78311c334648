#include "control/pendulum/gait_tables.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "control/controller_library.h"
#include "control/gbwc/style_library.h"
#include "creature/creature_library.h"
#include "support/paths.h"

namespace promenade::control::pendulum {
namespace {

namespace fs = std::filesystem;

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
  void note(GaitTables& tables) const {
    tables.note(creature, "human");
    tables.note(style, "normal");
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
  /// The files in the directory.
  std::vector<fs::path> files() const {
    std::error_code none;
    std::vector<fs::path> out;
    for (const auto& file : fs::directory_iterator(directory_, none)) out.push_back(file.path());
    return out;
  }

  const fs::path directory_;
};

TEST_F(GaitTablesTest, FindsTheBitsThatWereMeasured) {
  GaitTables first, second;
  const Walk walk, again;
  for (GaitTables* tables : {&first, &second}) tables->use(store());
  walk.note(first);
  again.note(second);
  const auto measured = first.poser(walk.setup());
  EXPECT_EQ(first.measured(), 1u);
  EXPECT_EQ(files().size(), 1u);
  const auto found = second.poser(again.setup());
  EXPECT_EQ(second.measured(), 0u);
  EXPECT_EQ(words_of(found->table()), words_of(measured->table()));
}

TEST_F(GaitTablesTest, TakesADamagedFileForNone) {
  GaitTables tables;
  const Walk walk;
  tables.use(store());
  walk.note(tables);
  const auto measured = tables.poser(walk.setup());
  const std::size_t links = walk.creature->link_names.size();
  ASSERT_EQ(files().size(), 1u);
  const fs::path path = files()[0];
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
  std::string moved = path.filename().string();
  fs::copy_file(path, directory_ / moved.replace(0, name().size(), other));
  EXPECT_FALSE(store().find(other, links));
  // Something else than a file.
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_FALSE(store().find(name(), links));
  fs::remove(path);
  write(bytes + bytes);
  GaitTables anew;
  anew.use(store());
  walk.note(anew);
  EXPECT_EQ(words_of(anew.poser(walk.setup())->table()), words_of(measured->table()));
  EXPECT_EQ(anew.measured(), 1u);
  EXPECT_EQ(fs::file_size(path), size) << "mended";
}

TEST_F(GaitTablesTest, KeepsNoFilesOfEdits) {
  GaitTables tables;
  tables.use(store());
  const Walk walk;
  tables.note(walk.creature, "human");
  tables.poser(walk.setup());
  EXPECT_EQ(tables.measured(), 1u);
  EXPECT_TRUE(files().empty());
}

TEST_F(GaitTablesTest, MeasuresWhereNothingCanBeKept) {
  const Walk walk;
  GaitTables reference;
  const auto words = words_of(reference.poser(walk.setup())->table());
  std::ofstream(directory_) << "a file where the directory would be";
  const fs::path full = "/dev/full";
  for (const fs::path& where : {directory_, directory_ / "below", full, fs::path("/proc/gaits")}) {
    GaitTables tables;
    tables.use(GaitStore({where}, where));
    walk.note(tables);
    EXPECT_EQ(words_of(tables.poser(walk.setup())->table()), words) << where;
    EXPECT_EQ(tables.measured(), 1u) << where;
    EXPECT_FALSE(GaitStore({}, where).keep(name(), reference.poser(walk.setup())->table()));
  }
}

TEST_F(GaitTablesTest, LeavesNothingOfAFileThatTheDiskDoesNotTake) {
  // A limit on the size of files is met as a disk is that has no more room.
  const Walk walk;
  GaitTables tables;
  tables.use(store());
  walk.note(tables);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  rlimit less = before;
  less.rlim_cur = 50'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &less), 0);
  tables.poser(walk.setup());
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  EXPECT_EQ(tables.measured(), 1u);
  EXPECT_TRUE(files().empty());
}

TEST_F(GaitTablesTest, TakesTablesOfTheInstallationOnAnyMachineAndItsOwnOnItself) {
  const Walk walk;
  GaitTables tables;
  const auto words = words_of(tables.poser(walk.setup())->table());
  const std::size_t links = walk.creature->link_names.size();
  const GaitTable& table = tables.poser(walk.setup())->table();
  ASSERT_TRUE(GaitStore({}, directory_, GaitStore::For::kInstallation).keep(name(), table));
  const auto found = GaitStore({"/nowhere", directory_}, "").find(name(), links);
  ASSERT_TRUE(found);
  EXPECT_EQ(words_of(*found), words);
  EXPECT_FALSE(store().find(name(), links)) << "its name says nothing of the machine";
  ASSERT_TRUE(store().keep(name(), table));
  EXPECT_TRUE(store().find(name(), links));
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(GaitTablesTest, RemovesTablesOfOtherPrograms) {
  const Walk walk;
  GaitTables tables;
  const GaitTable& table = tables.poser(walk.setup())->table();
  ASSERT_TRUE(store().keep(name(), table));
  ASSERT_TRUE(store().keep(GaitStore::name_of("an", "other", ""), table));
  std::ofstream(directory_ / "notes.txt") << "somebody's";
  store().remove_others({name()});
  EXPECT_EQ(files().size(), 2u);
  EXPECT_TRUE(store().find(name(), walk.creature->link_names.size()));
  EXPECT_TRUE(fs::exists(directory_ / "notes.txt"));
}

TEST_F(GaitTablesTest, KeepsAtMostSoManyFiles) {
  const Walk walk;
  GaitTables tables;
  fs::create_directories(directory_);
  for (int i = 0; i < 450; ++i) {
    const fs::path path = directory_ / (std::to_string(i) + ".gait");
    std::ofstream(path) << i;
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(500 - i));
  }
  ASSERT_TRUE(store().keep(name(), tables.poser(walk.setup())->table()));
  EXPECT_EQ(files().size(), 400u);
  EXPECT_TRUE(store().find(name(), walk.creature->link_names.size()));
  EXPECT_TRUE(fs::exists(directory_ / "449.gait"));
  EXPECT_FALSE(fs::exists(directory_ / "0.gait"));
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
