// What is made beside a room's thread, and whose turn it is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>

#include "math/thread_clock.h"
#include "promenade/v1/checkpoint.pb.h"
#include "promenade/v1/crowd.pb.h"
#include "world/beside/command_lanes.h"
#include "world/beside/preparation.h"
#include "world/gaits.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Clock = Purse::Clock;

constexpr const char* kLane = R"({
  "entrances": [{"name": "west", "area": {"center_m": [-8, 0], "size_m": [2, 5]},
                 "rates": [{"at_s": 0, "per_minute": 120}]}],
  "exits": [{"name": "east", "area": {"center_m": [8, 0], "size_m": [2, 5]}}],
  "walls": [{"points_m": [0, -1, 0, 1]}],
  "most_people": 40, "present_at_start": 10, "bodies": ["human", "child"], "styles": ["normal"],
  "controller": "pendulum"})";

/// All scenes of the program, and people who come and go.
std::shared_ptr<const Library> all_scenes() {
  static const auto made = [] {
    const TemporaryDirectory directory;
    std::filesystem::copy(test::data_dir(), directory.path() / "data",
                          std::filesystem::copy_options::recursive);
    directory.write("data/scenes/lane.json",
                    std::string(R"({"name": "lane", "flow": )") + kLane + "}");
    auto loaded = Library::load(directory.path() / "data");
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return made;
}

SetFlow lane_flow() {
  auto parsed = schema::parse_message<v1::CrowdFlow>(kLane);
  if (!parsed) throw std::runtime_error(parsed.error().text());
  return {std::make_shared<const v1::CrowdFlow>(*parsed)};
}

/// A body that no table is kept of: each factor makes another.
std::shared_ptr<const CreatureDefinition> new_body(const Library& library, double mass) {
  v1::Creature message = library.find_creature("human")->whole;
  message.set_name("new");
  for (auto& link : *message.mutable_links()) link.set_mass_kg(link.mass_kg() * mass);
  auto definition = define_creature(message, library, "body");
  if (auto* error = std::get_if<CommandError>(&definition))
    throw std::runtime_error(error->message);
  return std::get<0>(std::move(definition));
}

/// Makes all of it, on another thread, as the side thread does.
std::unique_ptr<Preparation> made(std::unique_ptr<Preparation> preparation) {
  if (!preparation) return preparation;
  std::thread([&] {
    while (!preparation->make_part()) {
    }
  }).join();
  return preparation;
}

// Nothing that comes of a command depends on whether it was prepared.
class Prepared : public ::testing::TestWithParam<const char*> {};

TEST_P(Prepared, ASceneIsLoadedToTheSameFuture) {
  const auto library = all_scenes();
  Room one(library, settings_for("square")), two(library, settings_for("square"));
  run(one, 0.5), run(two, 0.5);
  const Command load = LoadScene{GetParam()};
  auto preparation = one.prepare(load);
  ASSERT_TRUE(preparation);
  run(one, 0.3), run(two, 0.3);  // it goes on meanwhile
  preparation = made(std::move(preparation));
  ASSERT_TRUE(one.fits(load, *preparation));
  std::vector<std::uint64_t> told;
  one.set_command_sink([&](std::uint64_t tick, const Command&) { told.push_back(tick); });
  const CommandResult first = one.apply(load, preparation.get()), second = two.apply(load);
  ASSERT_FALSE(first.error || second.error);
  EXPECT_EQ(first.tick, second.tick);
  EXPECT_THAT(told, ElementsAre(first.tick));
  EXPECT_EQ(one.tick_count(), two.tick_count());
  EXPECT_EQ(one.state_hash(), two.state_hash());
  EXPECT_EQ(one.snapshot()->roster->epoch, two.snapshot()->roster->epoch);
  run(one, 1.5), run(two, 1.5);
  EXPECT_EQ(one.state_hash(), two.state_hash());
}

TEST_P(Prepared, AStateIsGoneBackToWithTheSameFuture) {
  const auto library = all_scenes();
  Room origin(library, settings_for(GetParam())), room(library, settings_for("square"));
  run(origin, 1);
  const v1::Checkpoint saved = origin.save();
  auto preparation = made(room.prepare(std::make_shared<const v1::Checkpoint>(saved)));
  run(room, 0.2);
  ASSERT_FALSE(room.restore(saved, preparation.get()));
  EXPECT_EQ(room.state_hash(), origin.state_hash());
  run(room, 1), run(origin, 1);
  EXPECT_EQ(room.state_hash(), origin.state_hash());
}

INSTANTIATE_TEST_SUITE_P(Scenes, Prepared,
                         ::testing::Values("bridge", "course", "lane", "seesaw", "reach"));

TEST(Preparing, ARestoreThatIsRefusedLeavesTheRoomAlone) {
  Room room(test_library(), settings_for("pair"));
  v1::Checkpoint saved = room.save();
  saved.set_scene("moon");
  auto preparation = made(room.prepare(std::make_shared<const v1::Checkpoint>(saved)));
  const std::uint64_t before = room.state_hash();
  const auto error = room.restore(saved, preparation.get());
  ASSERT_TRUE(error);
  EXPECT_EQ(error->field, "checkpoint.scene");
  EXPECT_EQ(room.state_hash(), before);
}

TEST(Preparing, ASceneThatTakesAnothersPlaceHasNumbersThatAreKnownBefore) {
  Room room(test_library(), settings_for("pair"));
  ASSERT_FALSE(room.apply(LoadScene{"crowd"}).error);
  EXPECT_EQ(room.snapshot()->characters.front().id, 1001u);
  ASSERT_FALSE(room.apply(LoadScene{"pair"}).error);
  EXPECT_EQ(room.snapshot()->characters.front().id, 2001u);
  // Whoever comes while it is made takes none of its numbers; a thousand of them do.
  auto preparation = made(room.prepare(LoadScene{"crowd"}));
  ASSERT_FALSE(room.apply(Spawn{"human", "normal", {}, 0, false}).error);
  EXPECT_TRUE(room.fits(LoadScene{"crowd"}, *preparation));
  ASSERT_FALSE(room.apply(LoadScene{"pair"}).error);
  EXPECT_FALSE(room.fits(LoadScene{"crowd"}, *preparation)) << "its numbers are taken";
  ASSERT_FALSE(room.apply(LoadScene{"crowd"}, preparation.get()).error);
  EXPECT_EQ(room.snapshot()->characters.front().id, 4001u) << "made on the spot";
}

TEST(Preparing, GaitsAreMeasuredBeforeTheCommandTakesEffect) {
  const auto library = all_scenes();
  Room room(library, settings_for("one"));
  Spawn spawn{"", "normal", {}, 0, false, new_body(*library, 1.01)};
  spawn.controller = "pendulum";
  auto preparation = room.prepare(spawn);
  ASSERT_TRUE(preparation);
  EXPECT_THAT(preparation->doing(), HasSubstr("1 of 1"));
  EXPECT_EQ(preparation->share(), 0);
  preparation = made(std::move(preparation));
  EXPECT_EQ(preparation->share(), 1);
  const std::size_t measured = gaits_measured(*library);
  ASSERT_FALSE(room.apply(spawn, preparation.get()).error);
  EXPECT_EQ(gaits_measured(*library), measured);
  EXPECT_FALSE(room.prepare(spawn)) << "it is known";
}

TEST(Preparing, WhatNobodyNeedsIsNotMade) {
  Room room(all_scenes(), settings_for("one"));
  Spawn spawn{"", "normal", {}, 0, false, new_body(*all_scenes(), 1.02)};
  EXPECT_FALSE(room.prepare(spawn)) << "in full physics";
  EXPECT_FALSE(room.prepare(Push{1, "torso", Vec3::Zero(), Vec3(10, 0, 0), 0.1}));
  EXPECT_FALSE(room.prepare(LoadScene{"moon"})) << "the command says what is wrong";
  spawn.controller = "moon";
  EXPECT_FALSE(room.prepare(spawn)) << "likewise";
}

TEST(Preparing, AnEditThatOthersHaveEditedMeanwhileIsPreparedAnew) {
  const auto library = all_scenes();
  Room room(library, settings_for("close-circle"));  // light people
  const auto styled = [&](double width) {
    v1::Style style = library->find_style("normal")->message;
    style.set_step_width_m(width);
    return std::get<0>(define_style(style, "style"));
  };
  const auto based_on = std::make_shared<const v1::Style>(library->find_style("normal")->message);
  const Command mine = SetStyle{1, "", styled(0.17), based_on};
  auto preparation = made(room.prepare(mine));
  ASSERT_TRUE(preparation);
  EXPECT_TRUE(room.fits(mine, *preparation));
  v1::Style theirs = library->find_style("normal")->message;
  theirs.set_title("Theirs");
  ASSERT_FALSE(
      room.apply(SetStyle{1, "", std::get<0>(define_style(theirs, "style")), based_on}).error);
  EXPECT_FALSE(room.fits(mine, *preparation));
  preparation = made(room.prepare(mine));
  ASSERT_TRUE(preparation && room.fits(mine, *preparation));
  const std::size_t measured = gaits_measured(*library);
  ASSERT_FALSE(room.apply(mine, preparation.get()).error);
  EXPECT_EQ(gaits_measured(*library), measured);
}

TEST(Preparing, AFlowTakesEffectAsItWouldUnprepared) {
  const auto library = all_scenes();
  Room one(library, settings_for("lane")), two(library, settings_for("lane"));
  run(one, 2), run(two, 2);
  v1::CrowdFlow wanted = *lane_flow().flow;
  wanted.mutable_walls(0)->set_points_m(1, -2);
  const Command command = SetFlow{std::make_shared<const v1::CrowdFlow>(wanted)};
  auto preparation = made(one.prepare(command));
  ASSERT_TRUE(preparation);
  ASSERT_FALSE(one.apply(command, preparation.get()).error);
  ASSERT_FALSE(two.apply(command).error);
  run(one, 3), run(two, 3);
  EXPECT_EQ(one.state_hash(), two.state_hash());
  // A flow that cannot be is refused with the same words.
  wanted.mutable_exits(0)->mutable_area()->set_center_m(0, 0);
  const Command wrong = SetFlow{std::make_shared<const v1::CrowdFlow>(wanted)};
  preparation = made(one.prepare(wrong));
  const auto first = one.apply(wrong, preparation.get()), second = two.apply(wrong);
  ASSERT_TRUE(first.error && second.error);
  EXPECT_EQ(first.error->message, second.error->message);
  // Made for a scene that is not there any more.
  preparation = made(one.prepare(command));
  ASSERT_FALSE(one.apply(LoadScene{"one"}).error);
  EXPECT_FALSE(one.fits(command, *preparation));
}

TEST(FewerPeople, AScenePartlyFilledKeepsItsNumbers) {
  const auto library = all_scenes();
  Room room(library, settings_for("one"));
  ASSERT_FALSE(room.apply(LoadScene{"hundred", 0.25}).error);
  EXPECT_EQ(room.snapshot()->characters.size(), 25u);
  const v1::Checkpoint saved = room.save();
  EXPECT_EQ(saved.people(), 0.25);
  Room restored(library, settings_for("one"));
  ASSERT_FALSE(restored.restore(saved));
  EXPECT_EQ(restored.state_hash(), room.state_hash());
  v1::Checkpoint wrong = saved;
  wrong.set_people(7);
  const auto error = restored.restore(wrong);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->field, "checkpoint.people");

  ASSERT_FALSE(room.apply(LoadScene{"lane", 0.1}).error);
  EXPECT_EQ(room.most_of_flow(), 4u);
  run(room, 20);
  const auto full = [&] {
    Room other(library, settings_for("lane"));
    run(other, 20);
    return other.character_count();
  }();
  EXPECT_LE(room.character_count(), 4u);
  EXPECT_GT(full, 20u);
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
  std::shared_ptr<const Library> library = all_scenes();
  Room room{library, settings_for("one")};
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
    Spawn spawn{"", "normal", {}, 0, false, new_body(*library, mass)};
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
  give("a", LoadScene{"close-circle"});
  EXPECT_THAT(turns(), ElementsAre());
  const auto making = lanes.making();
  ASSERT_TRUE(making);
  EXPECT_EQ(making->scene, "close-circle");
  EXPECT_FALSE(making->doing.empty());
}

}  // namespace
}  // namespace promenade::world
