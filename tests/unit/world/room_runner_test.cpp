#include "world/run/room_runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using namespace std::chrono_literals;

RunnerSettings runner_for(const std::string& scene) {
  RunnerSettings settings;
  settings.room = settings_for(scene);
  return settings;
}

// Waits up to 20 s, long enough for a loaded machine.
template <typename Condition>
bool eventually(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(2ms);
  }
  return condition();
}

CommandResult ask(RoomRunner& runner, Command command) {
  std::promise<CommandResult> promise;
  auto future = promise.get_future();
  EXPECT_TRUE(runner.submit(std::move(command),
                            [&](const CommandResult& result) { promise.set_value(result); }));
  EXPECT_EQ(future.wait_for(20s), std::future_status::ready);
  return future.get();
}

TEST(RoomRunner, TicksOnlyOnceStarted) {
  RoomRunner runner(test_library(), runner_for("pair"));
  ASSERT_TRUE(runner.latest());
  EXPECT_EQ(runner.latest()->tick, 0u);
  EXPECT_EQ(runner.latest()->characters.size(), 2u);
  runner.start();
  EXPECT_TRUE(eventually([&] { return runner.latest()->tick > 10; }));
}

TEST(RoomRunner, KeepsToTheWallClock) {
  RoomRunner runner(test_library(), runner_for("empty"));
  const auto start = std::chrono::steady_clock::now();
  runner.start();
  ASSERT_TRUE(eventually([&] { return runner.latest()->tick >= 60; }));
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  EXPECT_GT(wall.count(), 0.9) << "60 ticks are a second";
}

TEST(RoomRunner, ATimeScaleStretchesTime) {
  RoomRunner runner(test_library(), runner_for("empty"));
  runner.submit(SetTimeScale{0.2});
  const auto start = std::chrono::steady_clock::now();
  runner.start();
  ASSERT_TRUE(eventually([&] { return runner.latest()->tick >= 6; }));
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  EXPECT_GT(wall.count(), 0.35) << "6 ticks at a fifth of the speed are half a second";
  EXPECT_EQ(runner.latest()->time_scale, 0.2);
}

TEST(RoomRunner, AsFastAsPossibleIsFasterThanTheWall) {
  RoomRunner runner(test_library(), runner_for("empty"));
  runner.submit(SetTimeScale{0});
  runner.start();
  EXPECT_TRUE(eventually([&] { return runner.stats().ticks > 3000; }));
  EXPECT_TRUE(eventually([&] { return runner.stats().real_time_factor > 2; }));
}

TEST(RoomRunner, CommandsTakeEffectWhilePausedAndAreShown) {
  RunnerSettings settings = runner_for("pair");
  settings.start_paused = true;
  RoomRunner runner(test_library(), settings);
  runner.start();
  const CommandResult spawned = ask(runner, Spawn{"child", "normal", {}, 0, false});
  EXPECT_FALSE(spawned.error);
  EXPECT_EQ(spawned.character, 3u);
  EXPECT_EQ(spawned.tick, 0u);
  EXPECT_TRUE(eventually([&] { return runner.latest()->characters.size() == 3; }));
  EXPECT_TRUE(runner.latest()->paused);
  EXPECT_EQ(runner.latest()->tick, 0u);
}

TEST(RoomRunner, SingleStepsAreCounted) {
  RunnerSettings settings = runner_for("pair");
  settings.start_paused = true;
  RoomRunner runner(test_library(), settings);
  runner.start();
  EXPECT_FALSE(ask(runner, SingleStep{3}).error);
  EXPECT_TRUE(eventually([&] { return runner.latest()->tick == 3; }));
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(runner.latest()->tick, 3u);
  EXPECT_FALSE(ask(runner, Resume{}).error);
  EXPECT_TRUE(eventually([&] { return runner.latest()->tick > 6; }));
}

TEST(RoomRunner, RefusedCommandsAnswerWithTheError) {
  RoomRunner runner(test_library(), runner_for("pair"));
  runner.start();
  const CommandResult result = ask(runner, Stop{99});
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->field, "stop.character");
  EXPECT_TRUE(eventually([&] { return runner.stats().commands_refused == 1; }));
}

TEST(RoomRunner, AFullQueueRefusesAndForgetsTheReply) {
  RunnerSettings settings = runner_for("pair");
  settings.queue_capacity = 4;
  RoomRunner runner(test_library(), settings);
  std::atomic<int> replies = 0;
  const auto reply = [&](const CommandResult&) { ++replies; };
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(runner.submit(Stop{1}, reply));
  EXPECT_FALSE(runner.submit(Stop{1}, reply));
  EXPECT_EQ(runner.stats().commands_busy, 1u);
  EXPECT_EQ(runner.stats().queue_length, 4u);
  runner.start();
  EXPECT_TRUE(eventually([&] { return replies == 4; }));
  runner.stop();
  EXPECT_EQ(replies, 4);
  EXPECT_FALSE(runner.submit(Stop{1}, reply)) << "stopped";
}

TEST(RoomRunner, CallbacksSeeSnapshotsAndEvents) {
  RoomRunner runner(test_library(), runner_for("pair"));
  std::atomic<std::uint64_t> last = 0;
  std::atomic<int> snapshots = 0, arrived = 0;
  std::atomic<bool> in_order = true;
  runner.on_snapshot([&](std::shared_ptr<const Snapshot> snapshot) {
    if (snapshot->tick < last) in_order = false;
    last = snapshot->tick;
    ++snapshots;
  });
  runner.on_events([&](std::span<const RoomEvent> events) {
    for (const RoomEvent& event : events) arrived += event.kind == RoomEvent::Kind::kArrived;
  });
  runner.submit(SetTimeScale{0});
  runner.submit(FollowPath{1, {{Vec2(0, 0)}, false, 0.5}});  // where it stands
  runner.start();
  EXPECT_TRUE(eventually([&] { return arrived == 1 && snapshots > 5; }));
  EXPECT_TRUE(in_order);
}

TEST(RoomRunner, CountsTicksAndTheirTimes) {
  RoomRunner runner(test_library(), runner_for("pair"));
  runner.submit(SetTimeScale{0});
  runner.start();
  ASSERT_TRUE(eventually([&] { return runner.stats().ticks > 50; }));
  runner.stop();
  const RunnerStats stats = runner.stats();
  EXPECT_EQ(stats.characters, 2u);
  EXPECT_GT(stats.physics_s, 0);
  EXPECT_GT(stats.control_s, 0);
  EXPECT_GT(stats.snapshot_s, 0);
  std::uint64_t sum = 0;
  for (const std::uint64_t c : stats.tick_time.counts) sum += c;
  EXPECT_EQ(sum, stats.tick_time.total);
  EXPECT_GE(stats.tick_time.quantile(0.99), stats.tick_time.quantile(0.5));
}

TEST(RoomRunner, ManySubmittersAtOnce) {
  RoomRunner runner(test_library(), runner_for("pair"));
  runner.submit(SetTimeScale{0});
  runner.start();
  std::atomic<int> accepted = 0, answered = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          if (runner.submit(SetHeading{1, 0.01 * i}, [&](const CommandResult&) { ++answered; })) {
            ++accepted;
          }
          if (i % 50 == 0) std::this_thread::sleep_for(1ms);
        }
      });
    }
  }
  EXPECT_TRUE(eventually([&] { return answered == accepted; }));
  EXPECT_GT(accepted, 100);
  runner.stop();
  EXPECT_EQ(answered, accepted);
}

TEST(RoomRunner, TellsALargeRoomLessOftenAndItsHashWhereSomebodyAsks) {
  RunnerSettings settings = runner_for("pair");
  settings.many = 1;
  std::atomic<int> told{0}, hashed{0};
  std::atomic<std::uint64_t> tick{0};
  RoomRunner runner(test_library(), settings);
  EXPECT_TRUE(runner.latest()->has_hash) << "the first";
  runner.on_snapshot([&](const std::shared_ptr<const Snapshot>& snapshot) {
    ++told;
    hashed += snapshot->has_hash ? 1 : 0;
    tick = snapshot->tick;
  });
  runner.start();
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(eventually([&] { return tick > 120; }));
  const int heard = told;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  EXPECT_LE(heard, 40 * wall.count() + 3) << "every second tick, not the next one after a late one";
  EXPECT_GT(told, 20);
  EXPECT_GT(hashed, 3);
  EXPECT_LT(hashed, told / 2);
  runner.touch();
  EXPECT_TRUE(eventually([&] { return runner.latest()->has_hash; }));
  const int told_then = told, hashed_then = hashed;
  ASSERT_TRUE(eventually([&] { return told > told_then + 5; }));
  EXPECT_GE(hashed - hashed_then, 5) << "while somebody asks";
  EXPECT_FALSE(ask(runner, Pause{}).error);
  EXPECT_TRUE(runner.latest()->has_hash) << "while it stands still";
}

TEST(RoomRunner, SleepsUnwatchedAndWakesWhereItWas) {
  RunnerSettings settings = runner_for("pair");
  settings.sleep_after = 0.2;
  RoomRunner runner(test_library(), settings);
  runner.set_watchers(1);
  runner.start();
  ASSERT_TRUE(eventually([&] { return runner.latest()->tick > 30; }));
  EXPECT_FALSE(runner.stats().asleep) << "somebody watches";
  runner.set_watchers(0);
  ASSERT_TRUE(eventually([&] { return runner.stats().asleep; }));
  const std::uint64_t tick = runner.latest()->tick;
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(runner.latest()->tick, tick);
  EXPECT_FALSE(runner.latest()->paused);

  const CommandResult result = ask(runner, Stop{1});
  EXPECT_FALSE(result.error);
  EXPECT_EQ(result.tick, tick) << "it goes on where it was";
  ASSERT_TRUE(eventually([&] { return runner.latest()->tick > tick + 5; }));
  ASSERT_TRUE(eventually([&] { return runner.stats().asleep; }));
  const std::uint64_t again = runner.latest()->tick;
  runner.touch();
  ASSERT_TRUE(eventually([&] { return runner.latest()->tick > again + 5; }));
  ASSERT_TRUE(eventually([&] { return runner.stats().asleep; }));
  runner.stop();  // asleep
}

TEST(RoomRunner, RefusesWhatItHasNoTimeFor) {
  RunnerSettings settings = runner_for("crowd");
  settings.room.substeps = 100;  // so that few fit
  settings.max_load = 0.05;
  RoomRunner runner(test_library(), settings);
  runner.start();
  ASSERT_TRUE(eventually([&] { return runner.stats().load > 0.05; }));
  const CommandResult refused = ask(runner, Spawn{"human", "", std::nullopt, 0, false});
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->code, CommandError::Code::kBusy);
  EXPECT_FALSE(ask(runner, Remove{1}).error);
}

}  // namespace
}  // namespace promenade::world
