// Tests of things that are made beside a room's thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "promenade/v1/checkpoint.pb.h"
#include "promenade/v1/crowd.pb.h"
#include "world/beside/preparation.h"
#include "world/crowd/gaits.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

/// Makes all of it, as the side thread does.
std::unique_ptr<Preparation> made(std::unique_ptr<Preparation> preparation) {
  if (!preparation) return preparation;
  while (!preparation->make_part()) {
  }
  return preparation;
}

// The outcome of a command does not depend on whether it was prepared.
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
  // Characters that come while it is made take none of its numbers, unless a thousand of them come.
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

}  // namespace
}  // namespace promenade::world
