#include "world/journal/recovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "schema/message.h"
#include "world/checkpoint/checkpoint.h"
#include "world/journal/replay.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A room and its journal, of which each process is one. The journal is not closed: as with kill
/// -9.
class Process {
 public:
  explicit Process(const JournalSettings& journal, const std::string& scene = "crowd")
      : found(recover(test_library(), settings_for(scene), journal)),
        room(*found.room),
        journal_(journal, journal_header(room.settings(), test_library()->digest()), found.start) {
    room.set_command_sink(
        [this](std::uint64_t tick, const Command& command) { journal_.add(tick, command); });
  }
  /// Ticks with a mark every ten.
  void run(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      room.tick();
      if (room.tick_count() % 10 == 0) mark();
    }
  }
  void mark() { journal_.mark(room.tick_count(), room.state_hash()); }
  /// Until the journal's thread has done what it was asked for.
  void settle() {
    std::promise<void> done;
    journal_.then([&] { done.set_value(); });
    done.get_future().wait();
  }
  void keep() {
    journal_.keep(room.save());
    settle();
    while (!journal_.takes_state()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void begin_segment(v1::JournalStart how) {
    journal_.begin_segment({how, room.save()}, room.tick_count(), room.state_hash());
    settle();
  }
  RoomJournal& journal() { return journal_; }
  std::uint64_t hash() const { return room.state_hash(); }

  Recovered found;
  Room& room;

 private:
  RoomJournal journal_;
};

class Recovery : public ::testing::Test {
 protected:
  Recovery() { settings.directory = directory.path(); }
  std::filesystem::path file(const std::string& name) const { return directory.path() / name; }
  std::vector<std::filesystem::path> segments() const {
    std::vector<std::filesystem::path> files;
    for (const auto& one : JournalSet(directory.path(), "main").list().segments) {
      files.push_back(one.path);
    }
    return files;
  }
  void replaces(const std::filesystem::path& path, const std::string& text) const {
    std::ofstream(path, std::ios::binary) << text;
  }

  TemporaryDirectory directory;
  JournalSettings settings;
};

TEST_F(Recovery, ARoomGoesOnWhereItsProcessWasKilledAgainAndAgain) {
  std::uint64_t hash = 0, tick = 0;
  for (int round = 0; round < 4; ++round) {
    Process process(settings);
    EXPECT_EQ(process.found.goes_on, round > 0);
    EXPECT_EQ(process.room.tick_count(), tick);
    if (round > 0) {
      EXPECT_EQ(process.hash(), hash);
      EXPECT_EQ(process.found.start.how, v1::CONTINUED);
      EXPECT_THAT(process.found.notes, Contains(HasSubstr("goes on at tick")));
      EXPECT_THAT(process.found.losses, IsEmpty());
    }
    process.room.apply(SetHeading{1, 0.5 * round});
    process.run(20);
    if (round == 2) process.keep();
    process.run(20);
    // The last line is a command: its tick is the last.
    EXPECT_FALSE(process.room.apply(Spawn{"child", "stroll", std::nullopt, 0, true}).error);
    tick = process.room.tick_count();
    hash = process.hash();
  }
  const auto files = segments();
  EXPECT_EQ(files.size(), 4u);
  const auto replayed = replay(files, test_library(), 2);
  ASSERT_TRUE(replayed.ok()) << replayed.error().text();
  EXPECT_TRUE(replayed->equal) << replayed->difference;
  EXPECT_EQ(replayed->boundaries_checked, 3u);
  EXPECT_EQ(replayed->hash, hash);
  // Any suffix of the set replays too.
  const auto last = replay(std::span(files).last(1), test_library(), 1);
  ASSERT_TRUE(last.ok()) << last.error().text();
  EXPECT_TRUE(last->equal);
  EXPECT_EQ(last->hash, hash);
}

TEST_F(Recovery, GoesOnFromTheNewestStateThatIsWhole) {
  std::uint64_t hash = 0;
  {
    Process process(settings);
    for (int i = 0; i < 4; ++i) {
      process.run(10);
      process.keep();
    }
    process.run(5);
    process.room.apply(Stop{1});
    hash = process.hash();
  }
  auto points = JournalSet(directory.path(), "main").list().points;
  ASSERT_EQ(points.size(), 2u) << "older states are removed";
  {
    const Recovered found = recover(test_library(), settings_for("crowd"), settings);
    EXPECT_EQ(found.room->state_hash(), hash);
    EXPECT_EQ(found.start.how, v1::CONTINUED);
  }
  auto text = *schema::read_file(points[1].path);
  replaces(points[1].path, text.substr(0, text.size() / 2));  // torn by a power cut
  for (int i = 0; i < 2; ++i) {
    const Recovered found = recover(test_library(), settings_for("crowd"), settings);
    EXPECT_EQ(found.room->state_hash(), hash) << "from the state before it, then from the scene";
    EXPECT_THAT(found.losses, Contains(HasSubstr("damaged or cut short")));
    replaces(points[0].path, "");
  }
}

TEST_F(Recovery, ALineThatIsCutOffIsLeftOutAndTold) {
  std::uint64_t hash = 0;
  {
    Process process(settings);
    process.run(10);
    hash = process.hash();
    process.room.apply(Spawn{"child", "stroll", Vec2(7, 7), 0, true});
  }
  const auto path = file("main.000001.journal");
  auto text = *schema::read_file(path);
  replaces(path, text.substr(0, text.size() - 20));
  const Recovered found = recover(test_library(), settings_for("crowd"), settings);
  EXPECT_EQ(found.room->state_hash(), hash);
  EXPECT_THAT(found.losses,
              Contains(AllOf(HasSubstr("cut off"), HasSubstr("left out: 1 line after tick 10"))));
}

TEST_F(Recovery, AStateThatDiffersIsToldAndLeftAtTheLastMarkBeforeIt) {
  std::uint64_t good = 0;
  {
    Process process(settings);
    process.run(20);
    good = process.hash();
    process.run(10);
  }
  const auto path = file("main.000001.journal");
  auto text = *schema::read_file(path);
  const auto at = text.rfind("state_hash\":\"") + 13;
  text.replace(at, 4, text.substr(at, 4) == "0000" ? "1111" : "0000");
  replaces(path, text);
  const Recovered found = recover(test_library(), settings_for("crowd"), settings);
  EXPECT_TRUE(found.goes_on);
  EXPECT_EQ(found.room->tick_count(), 20u);
  EXPECT_EQ(found.room->state_hash(), good);
  EXPECT_EQ(found.start.how, v1::GAP) << "the segment before does not lead to this state";
  EXPECT_THAT(found.losses, Contains(AllOf(HasSubstr("differs from the recorded one at tick 30"),
                                           HasSubstr("ticks 20 to 30 of this file, with 0"))));
}

TEST_F(Recovery, AnotherSceneSeedOrVersionBeginsAnewAndKeepsTheFiles) {
  { Process(settings).run(10); }
  const auto path = file("main.000001.journal");
  const auto text = *schema::read_file(path);
  auto other = settings_for("pair");
  const Recovered scene = recover(test_library(), other, settings);
  EXPECT_FALSE(scene.goes_on);
  EXPECT_EQ(scene.room->tick_count(), 0u);
  EXPECT_EQ(scene.room->character_count(), 2u);
  EXPECT_THAT(scene.losses, Contains(HasSubstr("header.scene is \"crowd\", and the room has")));
  other = settings_for("crowd");
  other.seed = 77;
  EXPECT_FALSE(recover(test_library(), other, settings).goes_on);
  other = settings_for("crowd");
  other.substeps = 9;
  EXPECT_FALSE(recover(test_library(), other, settings).goes_on);
  auto aged = text;
  const auto at = aged.find("\"version\":\"") + 11;
  replaces(path, aged.insert(at, "0."));
  const Recovered version = recover(test_library(), settings_for("crowd"), settings);
  EXPECT_FALSE(version.goes_on);
  EXPECT_THAT(version.losses, Contains(HasSubstr("header.version")));
  EXPECT_EQ(*schema::read_file(path), aged) << "what was recorded stays";
}

TEST_F(Recovery, ARestoredRoomBeginsASegmentWithThatState) {
  v1::Checkpoint state;
  std::uint64_t hash = 0;
  {
    Process process(settings);
    process.run(10);
    state = process.room.save();
    process.run(20);
    const std::uint64_t tick = process.room.tick_count(), before = process.hash();
    ASSERT_FALSE(process.room.restore(state));
    process.journal().begin_segment({v1::RESTORED, state}, tick, before);
    process.run(7);
    process.room.apply(Stop{1});
    hash = process.hash();
  }
  const auto files = segments();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_TRUE(Journal::read(files[0])->whole);
  const auto replayed = replay(files, test_library(), 1);
  ASSERT_TRUE(replayed.ok()) << replayed.error().text();
  EXPECT_TRUE(replayed->equal) << replayed->difference;
  EXPECT_EQ(replayed->hash, hash);
  EXPECT_THAT(replayed->notes, Contains(HasSubstr("a checkpoint was put into the room")));
  EXPECT_EQ(recover(test_library(), settings_for("crowd"), settings).room->state_hash(), hash);
}

TEST_F(Recovery, SegmentsAreRotatedBySizeAndOldOnesGoButNeverTheNewestClosed) {
  settings.segment_bytes = 4000;
  settings.total_bytes = 400'000;
  std::uint64_t hash = 0;
  {
    Process process(settings);
    for (int i = 0; i < 600; ++i) {
      process.room.apply(SetHeading{1, 0.01 * i});
      process.run(1);
      if (i % 20 == 0) process.settle();
      if (process.journal().wants_segment()) process.begin_segment(v1::CONTINUED);
    }
    process.keep();  // files are counted after a state
    hash = process.hash();
  }
  const auto files = JournalSet(directory.path(), "main").list();
  ASSERT_GE(files.segments.size(), 2u);
  EXPECT_GT(files.segments.front().number, 1u) << "the oldest are gone";
  EXPECT_LE(files.bytes(), settings.total_bytes + 150'000) << "but for what is written last";
  const auto replayed = replay(segments(), test_library(), 1);
  ASSERT_TRUE(replayed.ok()) << replayed.error().text();
  EXPECT_TRUE(replayed->equal) << replayed->difference;
  EXPECT_EQ(replayed->hash, hash);
  settings.total_bytes = 1;
  JournalSet(directory.path(), "main").prune(1);
  EXPECT_EQ(segments().size(), 2u);
  EXPECT_EQ(recover(test_library(), settings_for("crowd"), settings).room->state_hash(), hash);
}

TEST_F(Recovery, FilesOfOtherNamesAreNobodysSegments) {
  for (const char* name : {"main.journal", "main.x.journal", "main.000000.journal", "lock",
                           "main.000001.journal.part", ".000001.journal"}) {
    directory.write(name, "x");
  }
  EXPECT_TRUE(segments().empty());
  EXPECT_TRUE(JournalSet::rooms_in(directory.path()).empty());
  directory.write("a.000002.journal", "x");
  directory.write("a.000003.at-77.checkpoint", "x");
  EXPECT_EQ(JournalSet::rooms_in(directory.path()), std::vector<std::string>{"a"});
  const auto files = JournalSet(directory.path(), "a").list();
  EXPECT_EQ(files.next_number(), 4u);
  ASSERT_EQ(files.points.size(), 1u);
  EXPECT_EQ(files.points[0].offset, 77u);
}

}  // namespace
}  // namespace promenade::world
