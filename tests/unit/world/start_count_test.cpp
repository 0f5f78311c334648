#include "world/journal/start_count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "world/journal/recovery.h"
#include "world/journal/replay.h"
#include "world/journal/set_aside.h"
#include "world/journal/set_copy.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::Contains;
using ::testing::HasSubstr;

/// A process that ends without closing its journal, as one that crashes.
struct CrashingProcess {
  explicit CrashingProcess(const JournalSettings& settings)
      : found(recover_with_caution(test_library(), settings_for("crowd"), settings)),
        room(*found.room),
        journal(settings, journal_header(room.settings(), test_library()->digest()), found.start) {
    room.set_command_sink(
        [this](std::uint64_t tick, const Command& command) { journal.add(tick, command); });
  }
  void run(int ticks) {
    for (int i = 0; i < ticks; ++i) room.tick();
    journal.mark(room.tick_count(), room.state_hash());
  }
  void settle() {
    std::promise<void> done;
    journal.then([&] { done.set_value(); });
    done.get_future().wait();
  }
  void keep() {
    journal.keep(room.save());
    settle();
    while (!journal.takes_state()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  Recovered found;
  Room& room;
  RoomJournal journal;
};

class Starts : public ::testing::Test {
 protected:
  Starts() { settings.directory = directory.path(); }
  JournalSet set() const { return {directory.path(), "main"}; }
  std::size_t count_in(const std::string& folder) const {
    std::size_t count = 0;
    std::error_code ignored;
    for (const auto& entry :
         std::filesystem::directory_iterator(directory.path() / folder, ignored)) {
      count += entry.is_directory();
    }
    return count;
  }
  /// Records until tick 30, with a state of tick 20.
  std::uint64_t record() {
    CrashingProcess first(settings);
    first.run(20);
    first.keep();
    kept_hash = first.room.state_hash();
    first.run(10);
    first.room.apply(Spawn{"child", "stroll", Vec2(7, 7), 0, true});
    return first.room.state_hash();
  }

  TemporaryDirectory directory;
  JournalSettings settings;
  std::uint64_t kept_hash = 0;
};

TEST_F(Starts, ThatComeToNothingLeaveOutMoreAndMoreAndLoseNoFile) {
  const std::uint64_t hash = record();
  for (int start = 1; start <= 2; ++start) {
    CrashingProcess process(settings);
    EXPECT_EQ(process.room.state_hash(), hash) << "start " << start;
    EXPECT_EQ(process.found.left_out, "");
    EXPECT_EQ(read_starts(set())->starts, start);
  }
  {
    CrashingProcess third(settings);
    EXPECT_EQ(third.room.tick_count(), 20u);
    EXPECT_EQ(third.room.state_hash(), kept_hash) << "the state alone";
    EXPECT_EQ(third.found.start.how, v1::GAP);
    EXPECT_EQ(third.found.left_out, "the lines after its last state");
    EXPECT_THAT(third.found.losses, Contains(HasSubstr("2 starts in a row")));
  }
  {
    CrashingProcess fourth(settings);
    EXPECT_EQ(fourth.room.tick_count(), 0u) << "the state before that is the scene's";
    EXPECT_EQ(fourth.found.left_out, "its last state and what came after it");
  }
  {
    CrashingProcess fifth(settings);
    EXPECT_FALSE(fifth.found.goes_on);
    EXPECT_EQ(fifth.found.left_out, "all but its scene");
  }
  EXPECT_EQ(count_in("left-out"), 3u);
  { CrashingProcess sixth(settings); }
  EXPECT_EQ(count_in("left-out"), 3u) << "once is enough";
  // The lines left out can be read where they are now.
  std::filesystem::path oldest;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path() / "left-out")) {
    if (oldest.empty() || entry.path() < oldest) oldest = entry.path();
  }
  const Recovered there = recover(test_library(), settings_for("crowd"), [&] {
    JournalSettings aside;
    aside.directory = oldest;
    return aside;
  }());
  EXPECT_EQ(there.room->state_hash(), hash);
}

TEST_F(Starts, AfterWhichAnythingWasRecordedCountAnew) {
  const std::uint64_t hash = record();
  for (int i = 0; i < 8; ++i) {
    CrashingProcess process(settings);
    EXPECT_EQ(process.found.left_out, "") << i;
    if (i == 0) {
      EXPECT_EQ(process.room.state_hash(), hash);
    }
    // Every second one is killed before it records anything.
    if (i % 2 == 1) process.run(3);
  }
}

TEST_F(Starts, ThatWentWellAreForgotten) {
  record();
  for (int i = 0; i < 5; ++i) {
    CrashingProcess process(settings);
    EXPECT_EQ(process.found.left_out, "") << i;
    start_went_well(settings);
    EXPECT_FALSE(read_starts(set()));
    EXPECT_FALSE(std::filesystem::exists(first_state_path(set())));
  }
}

TEST_F(Starts, OfANewRoomHaveNothingToLeaveOut) {
  for (int i = 0; i < 5; ++i) {
    CrashingProcess process(settings);
    EXPECT_EQ(process.room.tick_count(), 0u);
  }
}

TEST_F(Starts, ACountThatCannotBeReadIsNone) {
  record();
  for (const char* text : {"", "starts", "starts 5 from segment x", "\0\0\0\0"}) {
    directory.write("main.starts", text);
    EXPECT_FALSE(read_starts(set())) << text;
  }
}

TEST_F(Starts, FilesThatAreSetAsideAreMovedAndTheOldestGo) {
  const SetAside closed(directory.path(), "closed");
  EXPECT_TRUE(closed.move(set()).directory.empty()) << "there are none";
  for (int i = 0; i < 3; ++i) {
    record();
    const auto moved = closed.move(set());
    EXPECT_EQ(moved.error, "");
    EXPECT_TRUE(set().list().segments.empty());
    EXPECT_EQ(JournalSet(moved.directory, "main").list().segments.size(), 1u);
  }
  EXPECT_EQ(count_in("closed"), 3u);
  closed.prune(std::uint64_t{1} << 40);
  EXPECT_EQ(count_in("closed"), 3u);
  const std::uint64_t one = [&] {
    std::uint64_t bytes = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(directory.path() / "closed")) {
      if (entry.is_regular_file()) bytes += entry.file_size();
    }
    return bytes / 3;
  }();
  closed.prune(2 * one + one / 2);
  EXPECT_EQ(count_in("closed"), 2u);
  closed.prune(0);
  EXPECT_EQ(count_in("closed"), 0u);
}

TEST_F(Starts, ACopyGoesOnToTheLastHash) {
  TemporaryDirectory to;
  std::uint64_t hash = 0, tick = 0;
  {
    CrashingProcess process(settings);
    process.run(20);
    process.keep();
    process.run(10);
    process.settle();
    hash = process.room.state_hash();
    tick = process.room.tick_count();
    const auto copied = copy_room(set(), to.path());
    ASSERT_TRUE(copied.ok()) << copied.error().text();
    EXPECT_EQ(copied->tick, tick);
    EXPECT_EQ(copied->state_hash, format_hash(hash));
    EXPECT_EQ(copied->scene, "crowd");
  }
  JournalSettings there;
  there.directory = to.path();
  const Recovered found = recover(test_library(), settings_for("crowd"), there);
  EXPECT_EQ(found.start.how, v1::CONTINUED);
  EXPECT_EQ(found.room->state_hash(), hash);
  EXPECT_FALSE(copy_room(JournalSet(directory.path(), "cellar"), to.path()).ok());
}

TEST_F(Starts, ACopyDoesNotClaimAHashThatCommandsOfTheSameTickChange) {
  TemporaryDirectory to;
  CrashingProcess process(settings);
  process.run(20);
  process.room.apply(Spawn{"child", "stroll", Vec2(7, 7), 0, true});
  process.settle();
  const auto copied = copy_room(set(), to.path());
  ASSERT_TRUE(copied.ok()) << copied.error().text();
  EXPECT_EQ(copied->tick, 20u);
  EXPECT_EQ(copied->state_hash, "");
  process.run(1);
  process.settle();
  EXPECT_EQ(copy_room(set(), to.path())->state_hash, format_hash(process.room.state_hash()));
}

}  // namespace
}  // namespace promenade::world
