#include "world/journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "world/journal/journal_writer.h"
#include "world/journal/replay.h"
#include "world/run/room_runner.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;

// Runs a room through commands of every kind and journals it. @return the last hash
std::uint64_t record(const std::filesystem::path& path) {
  Room room(test_library(), settings_for("pair"));
  JournalWriter journal(path, room.settings(), test_library()->digest());
  room.set_command_sink(
      [&](std::uint64_t tick, const Command& command) { journal.add(tick, command); });
  room.apply(SetVelocity{1, Vec2(0.5, 0), Frame::kWorld});
  run(room, 0.5);
  room.apply(Push{1, "left_shank", Vec3(0.01, 0, 1.0 / 3), Vec3(10, 20.5, 1e-3), 0.1});
  room.apply(SetHeading{2, 1.25});
  EXPECT_TRUE(room.apply(Stop{77}).error);  // refused: not journaled
  run(room, 0.5);
  journal.mark(room.tick_count(), room.state_hash());
  room.apply(Spawn{"child", "stroll", Vec2(2.0 / 3, -2), 0.1, true});
  room.apply(SetWander{2, {std::nullopt, 4}});
  room.apply(Pause{});
  room.apply(SingleStep{3});
  room.apply(SetTimeScale{2});
  room.apply(Resume{});
  run(room, 0.5);
  room.apply(FollowPath{1, {{Vec2(1, 1), Vec2(1.0 / 7, 0)}, true, 0.5}});
  room.apply(SetStyle{3, "march"});
  room.apply(SetBody{3, "human"});
  room.apply(SetController{1, "limp"});
  Spawn held{"child", "", Vec2(8, 8), 0, false};
  held.controller = "hold";
  room.apply(held);
  run(room, 0.5);
  room.apply(Remove{2});
  room.apply(Reset{0});
  run(room, 0.5);
  room.apply(LoadScene{"crowd"});
  run(room, 0.5);
  room.apply(Stop{1005});
  run(room, 0.5);
  journal.close(room.tick_count(), room.state_hash());
  EXPECT_EQ(journal.lost(), 0u);
  return room.state_hash();
}

ReplayResult replayed(const std::vector<std::filesystem::path>& files, int threads = 1) {
  auto result = replay(files, test_library(), threads);
  EXPECT_TRUE(result.ok()) << result.error().text();
  return result.ok() ? *result : ReplayResult{};
}

TEST(Journal, ReplayGivesTheSameHash) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "a.jsonl";
  const std::uint64_t hash = record(path);
  const auto journal = Journal::read(path);
  ASSERT_TRUE(journal.ok()) << journal.error().text();
  EXPECT_TRUE(journal->whole);
  EXPECT_EQ(journal->entries.size(), 18u);
  EXPECT_EQ(journal->end_tick, 210u);
  for (const int threads : {1, 2}) {
    const ReplayResult result = replayed({path}, threads);
    EXPECT_TRUE(result.equal) << result.error << " at " << result.difference;
    EXPECT_EQ(result.marks_checked, 2u);
    EXPECT_EQ(result.commands, 18u);
    EXPECT_EQ(result.hash, hash);
    EXPECT_EQ(result.ticks, 210u);
  }
}

TEST(Journal, ReplayNoticesAChange) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "a.jsonl";
  record(path);
  auto journal = Journal::read(path);
  ASSERT_TRUE(journal.ok());
  for (Journal::Entry& entry : journal->entries) {
    if (auto* push = std::get_if<Push>(&entry.command)) push->force.x() += 1e-9;
  }
  Room room(test_library(), journal->settings(1));
  const Walk result = walk(room, *journal);
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.first_difference, 60u) << "the first mark after the push";
}

TEST(Journal, ReplayReportsARefusedCommand) {
  Journal journal;
  journal.header.set_scene("pair");
  journal.header.set_seed(1);
  journal.header.set_substeps(8);
  journal.header.set_ticks_per_second(60);
  journal.header.set_max_characters(10);
  journal.entries.push_back({2, Stop{9}});
  journal.end_tick = 5;
  Room room(test_library(), journal.settings(1));
  const Walk result = walk(room, journal);
  EXPECT_THAT(result.refused, HasSubstr("tick 2"));
  EXPECT_THAT(result.refused, HasSubstr("stop.character"));
  EXPECT_EQ(room.tick_count(), 5u);
}

TEST(Journal, ReadsWhatAKilledProgramLeft) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "a.jsonl";
  record(path);
  auto text = *schema::read_file(path);
  text.resize(text.size() - 30);  // in the middle of the end mark
  for (const std::string& torn : {text, text + std::string(300, '\0')}) {  // kill -9, power cut
    const auto cut = directory.write("cut.jsonl", torn);
    const auto journal = Journal::read(cut);
    ASSERT_TRUE(journal.ok()) << journal.error().text();
    EXPECT_FALSE(journal->whole);
    EXPECT_EQ(journal->entries.size(), 18u);
    EXPECT_THAT(journal->damage, HasSubstr("cut.jsonl:"));
    const ReplayResult result = replayed({cut});
    EXPECT_TRUE(result.equal);
    EXPECT_THAT(result.notes, ::testing::Contains(HasSubstr("cut off")));
  }
}

TEST(Journal, WrongFilesAreRefusedWithTheLine) {
  const TemporaryDirectory directory;
  const std::string header =
      R"({"header": {"format": 1, "version": "x", "scene": "pair", "seed": "1", "substeps": 8,
          "ticks_per_second": 60, "max_characters": 10, "data_digest": "0123456789abcdef"}})";
  std::string line = header;
  line.erase(std::remove(line.begin(), line.end(), '\n'), line.end());
  const auto error = [&](const std::string& text) {
    const auto journal = Journal::read(directory.write("j.jsonl", text));
    return journal.ok() ? std::string("none") : journal.error().text();
  };
  EXPECT_THAT(error(""), HasSubstr("header"));
  EXPECT_THAT(error("{\"mark\": {\"tick\": 1, \"state_hash\": \"0123456789abcdef\"}}\n"),
              HasSubstr("header"));
  EXPECT_THAT(error(line + "\n{\"entry\": {\"tick\": 3, \"command\": {\"stop\": {}}}}\n"),
              HasSubstr("j.jsonl:2: entry.command.stop.character"));
  EXPECT_THAT(error(line + "\n{\"entry\": {\"tick\": 3, \"command\": {\"reset\": {}}}}\n"
                           "{\"entry\": {\"tick\": 2, \"command\": {\"reset\": {}}}}\n"),
              HasSubstr("j.jsonl:3: entry.tick"));
  EXPECT_THAT(error(line + "\n{\"mark\": {\"tick\": 1, \"state_hash\": \"xyz\"}}\n"),
              HasSubstr("16 hexadecimal digits"));
  EXPECT_THAT(error(line + "\n{\"surprise\": {}}\n"), HasSubstr("j.jsonl:2"));
  EXPECT_THAT(error("{\"header\": {\"format\": 9, \"seed\": 1}}\n"), HasSubstr("header.format"));
}

TEST(Journal, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(JournalWriter("/nonexistent/j.jsonl", settings_for("pair"), 1), RoomError);
}

// As on a disk with so much room left.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uintmax_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(Journal, AFullDiskLosesOnlyTheLinesThatDoNotFit) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "full.jsonl";
  RoomSettings settings = settings_for("pair");
  settings.seed = 1;
  JournalWriter writer(path, settings, 1);
  std::uint64_t added = 0;
  const auto add_until = [&](auto done) {
    for (int i = 0; i < 10'000 && !done(); ++i) writer.add(++added, SetHeading{1, 0.25});
    ASSERT_TRUE(done());
  };
  {
    const FileSizeLimit limit(std::filesystem::file_size(path) + 200);  // not whole lines
    add_until([&] { return writer.lost() >= 3; });
  }
  const auto size = std::filesystem::file_size(path);
  add_until([&] { return std::filesystem::file_size(path) > size; });
  writer.close(added + 1, 1);
  const auto journal = Journal::read(path);
  ASSERT_TRUE(journal.ok()) << journal.error().text();
  EXPECT_FALSE(journal->whole);
  EXPECT_EQ(journal->entries.size(), added - writer.lost());
  EXPECT_EQ(journal->end_tick, added + 1);
}

TEST(Journal, ARunnersJournalReplays) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "lab.000001.journal";
  RunnerSettings settings;
  settings.room = settings_for("pair");
  settings.journal.directory = directory.path();
  settings.journal.room = "lab";
  std::uint64_t hash = 0;
  {
    RoomRunner runner(test_library(), settings);
    std::atomic<int> answered = 0, refused = 0;
    const auto reply = [&](const CommandResult& result) {
      refused += result.error.has_value();
      ++answered;
    };
    EXPECT_TRUE(runner.submit(SetTimeScale{0}, reply));
    EXPECT_TRUE(runner.submit(SetVelocity{1, Vec2(0.4, 0.1), Frame::kCharacter}, reply));
    runner.start();
    while (runner.latest()->tick < 60) std::this_thread::yield();
    EXPECT_TRUE(runner.submit(Push{1, "torso", Vec3::Zero(), Vec3(50, 0, 0), 0.1}, reply));
    while (runner.latest()->tick < 120 || answered < 3) std::this_thread::yield();
    runner.stop();
    EXPECT_EQ(refused, 0);
    EXPECT_EQ(runner.stats().journal.lost, 0u);
    EXPECT_FALSE(runner.stats().journal.failing);
  }
  const auto journal = Journal::read(path);
  ASSERT_TRUE(journal.ok()) << journal.error().text();
  EXPECT_TRUE(journal->whole);
  ASSERT_FALSE(journal->marks.empty());
  const ReplayResult result = replayed({path}, 2);
  EXPECT_TRUE(result.equal) << result.error;
  hash = journal->marks.back().hash;
  EXPECT_EQ(result.hash, hash);
}

}  // namespace
}  // namespace promenade::world
