#include "isolation/remote_runner.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "isolation/process.h"
#include "isolation/room_process.h"
#include "support/paths.h"
#include "world_fixture.h"

namespace promenade::isolation {
namespace {

using world::testing::TemporaryDirectory;

const std::shared_ptr<const Library>& library() {
  static const std::shared_ptr<const Library> loaded = *Library::load(test::data_dir());
  return loaded;
}

/// Waits for what must come, however slow the machine is.
template <typename Holds>
::testing::AssertionResult comes(Holds&& holds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return ::testing::AssertionFailure();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return ::testing::AssertionSuccess();
}

/// The process of the only room of this one; 0: there is none.
pid_t room_process() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (pid_t id = 0; children >> id;) {
      std::string name;
      std::getline(std::ifstream("/proc/" + std::to_string(id) + "/comm"), name);
      if (name == "room main") return id;
    }
  }
  return 0;
}

bool has_thing(const RemoteRunner& runner, world::CharacterId id) {
  const auto snapshot = runner.latest();
  return std::any_of(snapshot->things.begin(), snapshot->things.end(),
                     [id](const world::ThingSnapshot& thing) { return thing.id == id; });
}

class RemoteRunnerTest : public ::testing::Test {
 protected:
  RemoteRunnerTest() {
    settings.room.scene = "one";
    isolation.data_dir = test::data_dir();
    isolation.tell = [this](const std::string& text) {
      const std::lock_guard lock(mutex);
      log += text + "\n";
    };
  }
  void keep_a_journal() { settings.journal.directory = directory.path(); }
  std::unique_ptr<RemoteRunner> made() {
    auto runner = std::make_unique<RemoteRunner>(library(), settings, isolation);
    runner->start();
    return runner;
  }
  static world::CommandResult ask(RemoteRunner& runner, world::Command command) {
    auto result = std::make_shared<std::promise<world::CommandResult>>();
    EXPECT_TRUE(runner.submit(std::move(command), [result](const world::CommandResult& answer) {
      result->set_value(answer);
    }));
    return result->get_future().get();
  }
  std::string told() {
    const std::lock_guard lock(mutex);
    return log;
  }

  TemporaryDirectory directory;
  world::RunnerSettings settings;
  IsolationSettings isolation;
  std::mutex mutex;
  std::string log;
};

world::SpawnThing ball() {
  world::SpawnThing spawn;
  spawn.thing = "ball";
  return spawn;
}

TEST_F(RemoteRunnerTest, RunsARoomLikeOneOfThisProcess) {
  auto runner = made();
  ASSERT_TRUE(runner->latest());
  EXPECT_EQ(runner->latest()->roster->scene, "one");
  EXPECT_TRUE(comes([&] { return runner->latest()->tick > 10; }));
  const auto spawned = ask(*runner, ball());
  ASSERT_FALSE(spawned.error);
  EXPECT_TRUE(comes([&] { return has_thing(*runner, spawned.character); }));
  const auto refused = ask(*runner, world::Remove{9999});
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->code, world::CommandError::Code::kNotFound);
  EXPECT_TRUE(comes([&] { return runner->stats().commands_refused == 1; }));
  EXPECT_GT(runner->stats().process.resident_bytes, 0);
  const pid_t process = room_process();
  ASSERT_GT(process, 0);
  runner->stop();
  EXPECT_EQ(room_process(), 0);
  EXPECT_FALSE(runner->submit(ball()));
}

TEST_F(RemoteRunnerTest, SavesAndRestores) {
  settings.start_paused = true;
  auto runner = made();
  std::promise<world::Runner::Saved> saved;
  ASSERT_TRUE(runner->save([&](const world::Runner::Saved& state) { saved.set_value(state); }));
  const world::Runner::Saved state = saved.get_future().get();
  ASSERT_TRUE(std::holds_alternative<v1::Checkpoint>(state));
  const auto hash = runner->latest()->state_hash;
  ASSERT_FALSE(ask(*runner, ball()).error);
  EXPECT_TRUE(comes([&] { return runner->latest()->state_hash != hash; }));
  std::promise<world::CommandResult> restored;
  ASSERT_TRUE(runner->restore(std::get<v1::Checkpoint>(state),
                              [&](const auto& result) { restored.set_value(result); }));
  EXPECT_FALSE(restored.get_future().get().error);
  EXPECT_TRUE(comes([&] { return runner->latest()->state_hash == hash; }));
}

TEST_F(RemoteRunnerTest, AKilledRoomGoesOnWhereItWas) {
  keep_a_journal();
  auto runner = made();
  std::atomic<int> notices{0};
  runner->on_events([&](std::span<const world::RoomEvent> events) {
    for (const auto& event : events) notices += event.kind == world::RoomEvent::Kind::kNotice;
  });
  const auto spawned = ask(*runner, ball());
  ASSERT_FALSE(spawned.error);
  const auto before = runner->latest();
  kill(room_process(), SIGKILL);
  EXPECT_TRUE(comes([&] { return runner->latest()->roster->epoch > before->roster->epoch; }));
  EXPECT_TRUE(has_thing(*runner, spawned.character));
  EXPECT_GE(runner->latest()->tick + 60, before->tick);
  EXPECT_GT(runner->latest()->roster->version, before->roster->version);
  const auto tick = runner->latest()->tick;
  EXPECT_TRUE(comes([&] { return runner->latest()->tick > tick + 5; })) << "it runs on";
  EXPECT_TRUE(comes([&] { return notices == 1; }));
  EXPECT_EQ(runner->stats().process.crashes, 1u);
  EXPECT_NE(told().find("killed by signal 9"), std::string::npos) << told();
}

TEST_F(RemoteRunnerTest, AHungRoomIsKilledAndItsCommandsAreAnswered) {
  isolation.hang_timeout_s = 2;
  auto runner = made();
  const pid_t process = room_process();
  kill(process, SIGSTOP);
  const auto result = ask(*runner, ball());
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code, world::CommandError::Code::kBusy);
  EXPECT_TRUE(comes([&] { return runner->stats().process.trouble.empty(); }));
  EXPECT_EQ(runner->stats().process.hangs, 1u);
  EXPECT_NE(room_process(), process);
}

TEST_F(RemoteRunnerTest, AnUnknownSceneIsTheSameErrorAsHere) {
  settings.room.scene = "nowhere";
  try {
    RemoteRunner runner(library(), settings, isolation);
    FAIL() << "it was made";
  } catch (const world::RoomError& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere"), std::string::npos) << error.what();
  }
}

TEST_F(RemoteRunnerTest, ALimitBelowWhatARoomNeedsIsAnError) {
  isolation.memory_bytes = 1;
  try {
    RemoteRunner runner(library(), settings, isolation);
    FAIL() << "it was made";
  } catch (const world::RoomError& error) {
    EXPECT_NE(std::string(error.what()).find("memory"), std::string::npos) << error.what();
  }
  EXPECT_EQ(room_process(), 0);
}

}  // namespace
}  // namespace promenade::isolation

// The process of a room is the program that started it: this one.
int main(int argc, char** argv) {
  if (argc >= 2 && std::string_view(argv[1]) == promenade::isolation::kRoomProcess) {
    return promenade::isolation::run_room_process();
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
