// The turns of payers on a room's thread and beside it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>

#include "math/thread_clock.h"
#include "world/beside/command_lanes.h"
#include "world/beside/preparation.h"
#include "world/crowd/gaits.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using Clock = Purse::Clock;

/// A body that no table is kept of: each factor makes another.
std::shared_ptr<const CreatureDefinition> test_body(double mass) {
  v1::Creature message = test_library()->find_creature("human")->whole;
  message.set_name("new");
  for (auto& link : *message.mutable_links()) link.set_mass_kg(link.mass_kg() * mass);
  auto definition = define_creature(message, *test_library(), "body");
  if (auto* error = std::get_if<CommandError>(&definition))
    throw std::runtime_error(error->message);
  return std::get<0>(std::move(definition));
}

TEST(Purses, FillAndAreForgottenWhenFull) {
  const auto start = Clock::now();
  Purses purses({0.5, 2});
  EXPECT_EQ(purses.saved("a", start), 2);
  purses.charge("a", 3, start);
  EXPECT_EQ(purses.saved("a", start), -1);
  EXPECT_GT(purses.opens("a", start), start + 1900ms);
  EXPECT_GT(purses.saved("a", purses.opens("a", start)), 0);
  EXPECT_EQ(purses.saved("b", start), 2);
  purses.charge("", 100, start);
  EXPECT_GT(purses.saved("", start), 0) << "the room itself pays nothing";
  for (std::size_t i = 0; i < Purses::kMost; ++i) purses.charge(std::to_string(i), 1, start);
  EXPECT_LE(purses.size(), Purses::kMost + 1);
  purses.charge("another", 1, start);
  purses.charge("and another", 1, start);
  EXPECT_LT(purses.saved("yet another", start), 1) << "there are too many: they share one purse";
  purses.charge("a", 0, start + 20s);
  EXPECT_LE(purses.size(), 2u);
}

/// Burns processor time.
void work_for(double cpu_s) {
  const double until = thread_cpu_s() + cpu_s;
  while (thread_cpu_s() < until) {
  }
}

TEST(SideThread, ThoseWhoHaveUsedLessComeFirst) {
  std::mutex mutex;
  std::vector<std::string> order;
  std::promise<void> begin, end;
  SideThread side(1);
  side.submit("", [ready = begin.get_future().share()] {
    ready.wait();
    return true;
  });
  const auto job = [&](const std::string& name, int parts) {
    return [&, name, left = parts]() mutable {
      work_for(0.002);
      const std::lock_guard lock(mutex);
      order.push_back(name);
      if (order.size() == 8) end.set_value();
      return --left == 0;
    };
  };
  side.submit("greedy", job("greedy", 3));
  side.submit("greedy", job("greedy again", 3));
  side.submit("modest", job("modest", 2));
  begin.set_value();
  ASSERT_EQ(end.get_future().wait_for(20s), std::future_status::ready);
  const std::lock_guard lock(mutex);
  const auto last_of = [&](const std::string& name) {
    return std::find(order.rbegin(), order.rend(), name) - order.rbegin();
  };
  EXPECT_GT(last_of("modest"), last_of("greedy"))
      << "it does not wait for all of the other's parts";
  EXPECT_EQ(order.back(), "greedy again");
  EXPECT_LT(std::find(order.begin(), order.end(), "modest") - order.begin(), 3);
}

TEST(SideThread, WithoutALimitTheyTakeTurns) {
  std::mutex mutex;
  std::vector<std::string> order;
  std::promise<void> begin, end;
  SideThread side(0);
  side.submit("", [ready = begin.get_future().share()] {
    ready.wait();
    return true;
  });
  for (const char* name : {"a", "b"}) {
    side.submit(name, [&, name, left = 3]() mutable {
      const std::lock_guard lock(mutex);
      order.emplace_back(name);
      if (order.size() == 6) end.set_value();
      return --left == 0;
    });
  }
  begin.set_value();
  ASSERT_EQ(end.get_future().wait_for(20s), std::future_status::ready);
  const std::lock_guard lock(mutex);
  EXPECT_THAT(order, ElementsAre("a", "b", "a", "b", "a", "b"));
}

TEST(SideThread, AJobThatThrowsEndsAndOthersGoOn) {
  SideThread side(0);
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = held;
  side.submit("a", [held = std::move(held)]() -> bool { throw std::runtime_error("no"); });
  std::promise<void> done;
  side.submit("a", [&] {
    done.set_value();
    return true;
  });
  EXPECT_EQ(done.get_future().wait_for(20s), std::future_status::ready);
  EXPECT_TRUE(watched.expired());
}

/// Lanes over a room that nobody ticks.
struct Lanes : ::testing::Test {
  std::shared_ptr<const Library> library = test_library();
  Room room{library, settings_for("pair")};
  std::promise<void> open;
  std::shared_ptr<SideThread> side = std::make_shared<SideThread>(0);
  std::atomic<int> rung{0};
  CommandLanes lanes{side, 1, [this] { ++rung; }};
  bool opened = false;

  /// The side thread makes nothing before let_go().
  void hold_up() {
    side->submit("", [gate = open.get_future().share()] {
      gate.wait();
      return true;
    });
  }
  void let_go() {
    if (!std::exchange(opened, true)) open.set_value();
  }
  ~Lanes() override { let_go(); }

  Spawn slow_spawn(double mass) const {
    Spawn spawn{"", "normal", {}, 0, false, test_body(mass)};
    spawn.controller = "pendulum";
    return spawn;
  }
  void give(const std::string& payer, Command command) {
    Order order;
    order.what = std::move(command);
    order.payer = payer;
    lanes.take(std::move(order));
  }
  /// Payers whose orders have their turn now, in this order.
  std::vector<std::string> turns() {
    std::vector<std::string> out;
    while (auto turn = lanes.next(room, [](const Order&) { return std::nullopt; })) {
      out.push_back(turn->order.payer + (turn->refused ? " refused" : ""));
    }
    return out;
  }
};

TEST_F(Lanes, WhatNeedsTimeHoldsUpItsOwnLaneAlone) {
  hold_up();
  give("a", slow_spawn(1.11));
  give("a", Stop{1});
  give("b", Stop{1});
  give("c", Stop{1});
  give("b", Stop{1});
  EXPECT_THAT(turns(), ElementsAre("b", "c", "b"));
  EXPECT_EQ(lanes.held(), 2u);
  EXPECT_THAT(turns(), ElementsAre());
  let_go();
  for (int i = 0; i < 4000 && rung == 0; ++i) std::this_thread::sleep_for(5ms);
  ASSERT_EQ(rung, 1);
  EXPECT_THAT(turns(), ElementsAre("a", "a"));
  EXPECT_TRUE(lanes.empty());
  EXPECT_GT(lanes.beside_s(), 0);
}

TEST_F(Lanes, TwoWhoEditOneCharacterLeaveNothingToTheRoomsThread) {
  Spawn light{"human", "normal", {}, 0, false};
  light.controller = "pendulum";
  const CommandResult spawned = room.apply(light);
  ASSERT_FALSE(spawned.error);
  v1::Style style = library->find_style("normal")->message;
  style.set_step_width_m(0.18);
  const SetBody body{spawned.character, "", test_body(1.14)};
  const SetStyle other{spawned.character, "", std::get<0>(define_style(style, "style"))};
  give("a", body);
  give("b", other);
  // Three gaits; with a sanitizer each takes some ten seconds.
  for (int i = 0; i < 30000 && !lanes.empty(); ++i) {
    while (auto turn = lanes.next(room, [](const Order&) { return std::nullopt; })) {
      const auto& command = std::get<Command>(turn->order.what);
      ASSERT_FALSE(room.apply(command, turn->prepared.get()).error);
    }
    std::this_thread::sleep_for(5ms);
  }
  ASSERT_TRUE(lanes.empty());
  EXPECT_FALSE(room.prepare(other)) << "the new body's gait in the new style is known";
}

TEST_F(Lanes, AnEditOfSomebodyInThePhysicsDoesNotWait) {
  std::vector<CharacterId> people;
  for (std::size_t i = 0; i <= CommandLanes::kMostLater; ++i) {
    people.push_back(room.apply(Spawn{"human", "normal", {}, 0, false}).character);
    ASSERT_NE(people.back(), 0u);
  }
  ASSERT_FALSE(room.apply(SetDetail{50, {}}).error);
  hold_up();
  // Only the newest body of each is measured afterwards, and only of so many at a time.
  const std::size_t measured = gaits_measured(*library);
  give("a", SetBody{people[0], "", test_body(1.15)});
  give("a", SetBody{people[0], "", test_body(1.16)});
  EXPECT_THAT(turns(), ElementsAre("a", "a"));
  for (std::size_t i = 1; i < people.size(); ++i)
    give("a", SetBody{people[i], "", test_body(1.17)});
  EXPECT_EQ(turns().size(), CommandLanes::kMostLater - 1);
  EXPECT_EQ(lanes.held(), 1u) << "one more than may be made afterwards waits";
  let_go();
  for (int i = 0; i < 30000 && gaits_measured(*library) < measured + 2; ++i) {
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(gaits_measured(*library), measured + 2);
}

TEST_F(Lanes, WhoeverHasUsedItsShareOfTheRoomWaits) {
  lanes.charge("a", CommandLanes::kSavedOnRoom + 0.01);
  give("a", Stop{1});
  give("b", Stop{1});
  EXPECT_THAT(turns(), ElementsAre("b"));
  EXPECT_EQ(lanes.put_off(), 1u);
  ASSERT_TRUE(lanes.opens());
  std::this_thread::sleep_until(*lanes.opens() + 5ms);
  EXPECT_THAT(turns(), ElementsAre("a"));
}

TEST_F(Lanes, ALaneTakesSoManyOrdersAndAnswersTheOthers) {
  // However many come at once: they are done at once.
  for (std::size_t i = 0; i < 2 * CommandLanes::kMostHeld; ++i) give("a", Stop{1});
  EXPECT_EQ(turns().size(), 2 * CommandLanes::kMostHeld);
  hold_up();
  give("a", slow_spawn(1.12));
  EXPECT_THAT(turns(), ElementsAre());
  for (std::size_t i = 1; i < CommandLanes::kMostHeld; ++i) give("a", Stop{1});
  EXPECT_THAT(turns(), ElementsAre());
  give("a", Stop{1});
  give("b", Stop{1});
  EXPECT_THAT(turns(), ElementsAre("a refused", "b"));
  EXPECT_EQ(lanes.close().size(), CommandLanes::kMostHeld);
  EXPECT_TRUE(lanes.empty());
}

TEST_F(Lanes, ASceneThatIsBeingMadeIsToldOf) {
  hold_up();
  give("a", LoadScene{"crowd"});
  EXPECT_THAT(turns(), ElementsAre());
  const auto making = lanes.making();
  ASSERT_TRUE(making);
  EXPECT_EQ(making->scene, "crowd");
  EXPECT_FALSE(making->doing.empty());
}

}  // namespace
}  // namespace promenade::world
