#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "math/rotation.h"
#include "world/command/command_codec.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;
using Code = CommandError::Code;

struct RoomCommands : ::testing::Test {
  Room room{test_library(), settings_for("pair")};

  const CharacterSnapshot& character(CharacterId id) {
    snapshot = room.snapshot();
    for (const CharacterSnapshot& c : snapshot->characters) {
      if (c.id == id) return c;
    }
    ADD_FAILURE() << id << " is not there";
    return snapshot->characters.front();
  }
  // The command is refused, says so, and nothing has changed nor been journaled.
  void expect_refused(const Command& command, Code code, const std::string& field,
                      const std::string& value, const std::string& allowed) {
    bool journaled = false;
    room.set_command_sink([&](std::uint64_t, const Command&) { journaled = true; });
    const std::uint64_t before = room.state_hash();
    const bool paused = room.paused();
    const CommandResult result = room.apply(command);
    ASSERT_TRUE(result.error) << command_name(command);
    EXPECT_EQ(result.error->code, code);
    EXPECT_EQ(result.error->field, field);
    EXPECT_THAT(result.error->value, HasSubstr(value));
    EXPECT_THAT(result.error->allowed, HasSubstr(allowed));
    EXPECT_FALSE(result.error->message.empty());
    EXPECT_EQ(room.state_hash(), before);
    EXPECT_EQ(room.paused(), paused);
    EXPECT_FALSE(journaled);
  }
  std::shared_ptr<const Snapshot> snapshot;
};

TEST_F(RoomCommands, WhoIsNotHereIsNamed) {
  const Vec3 force(1, 0, 0);
  for (const Command& command :
       std::vector<Command>{SetVelocity{7, Vec2(1, 0), Frame::kWorld}, SetHeading{7, 1}, Stop{7},
                            FollowPath{7, {{Vec2(1, 0)}, false, 0}},
                            Push{7, "torso", Vec3::Zero(), force, 0.1}, SetStyle{7, "normal"},
                            SetController{7, "hold"}, Remove{7}, Reset{7}, SetWander{7, {{}, 5}}}) {
    expect_refused(command, Code::kNotFound, std::string(command_name(command)) + ".character", "7",
                   "from 1 to 2");
  }
}

TEST_F(RoomCommands, WhoIsHereIsSaidInWords) {
  const auto allowed = [this] { return room.apply(Stop{99}).error->allowed; };
  EXPECT_EQ(allowed(), "one of the 2 characters here, from 1 to 2");
  room.apply(Remove{1});
  EXPECT_EQ(allowed(), "2, the only character here");
  room.apply(Remove{2});
  EXPECT_EQ(allowed(), "none: there is no character here");
  EXPECT_EQ(room.apply(Grip{{1, "", {}}, {}, false, 0, 0, 0}).error->allowed,
            "none: there is no character or thing here");
}

TEST_F(RoomCommands, UnknownNamesAreAnsweredWithTheKnown) {
  expect_refused(Push{1, "tail", Vec3::Zero(), Vec3(1, 0, 0), 0.1}, Code::kNotFound, "push.link",
                 "tail", "pelvis");
  expect_refused(SetStyle{1, "moonwalk"}, Code::kNotFound, "set_style.style", "moonwalk", "normal");
  expect_refused(Spawn{"dragon", "normal", {}, 0, false}, Code::kNotFound, "spawn.body", "dragon",
                 "human");
  expect_refused(Spawn{"human", "moonwalk", {}, 0, false}, Code::kNotFound, "spawn.style",
                 "moonwalk", "normal");
  expect_refused(LoadScene{"moon"}, Code::kNotFound, "load_scene.scene", "moon", "pair");
}

TEST_F(RoomCommands, ARoomHoldsSoManyAndNoMore) {
  RoomSettings settings = settings_for("pair");
  settings.max_characters = 3;
  Room small(test_library(), settings);
  EXPECT_FALSE(small.apply(Spawn{"human", "normal", {}, 0, false}).error);
  const CommandResult refused = small.apply(Spawn{"human", "normal", {}, 0, false});
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->code, Code::kBusy);
  EXPECT_THAT(refused.error->allowed, HasSubstr("up to 3"));
  const CommandResult crowd = small.apply(LoadScene{"crowd"});
  ASSERT_TRUE(crowd.error);
  EXPECT_EQ(crowd.error->field, "load_scene.scene");
  EXPECT_EQ(small.character_count(), 3u);
}

TEST_F(RoomCommands, AWorldVelocityTurnsTheHeadingToTheTravel) {
  room.apply(SetVelocity{1, Vec2(0, -0.6), Frame::kWorld});
  run(room, 0.1);
  EXPECT_NEAR(character(1).desired_heading, -kPi / 2, 1e-9);
  EXPECT_NEAR(character(1).desired_velocity.y(), -0.6, 1e-9);
}

TEST_F(RoomCommands, ACharacterVelocityKeepsTheHeading) {
  room.apply(SetVelocity{2, Vec2(0.4, 0.1), Frame::kCharacter});  // it faces +y
  run(room, 0.1);
  EXPECT_NEAR(character(2).desired_heading, kPi / 2, 1e-9);
  EXPECT_NEAR(character(2).desired_velocity.x(), -0.1, 1e-9);
  EXPECT_NEAR(character(2).desired_velocity.y(), 0.4, 1e-9);
}

TEST_F(RoomCommands, AHeadingKeepsTheVelocityInTheCharactersFrame) {
  room.apply(SetVelocity{1, Vec2(0.5, 0), Frame::kCharacter});
  room.apply(SetHeading{1, 1.0});
  run(room, 0.1);
  EXPECT_NEAR(character(1).desired_heading, 1.0, 1e-9);
  EXPECT_NEAR(character(1).desired_velocity.x(), 0.5 * std::cos(1.0), 1e-9);
}

TEST_F(RoomCommands, StopEndsWhatWasGoingOn) {
  room.apply(FollowPath{1, {{Vec2(5, 0)}, false, 0.6}});
  run(room, 0.5);  // it gathers speed
  EXPECT_GT(character(1).desired_velocity.norm(), 0.1);
  room.apply(Stop{1});
  run(room, 0.1);
  EXPECT_EQ(character(1).desired_velocity.norm(), 0);
  EXPECT_TRUE(room.snapshot()->way_points.empty());
}

TEST_F(RoomCommands, AHeadingTakesAWandererFromItsStroll) {
  room.apply(SetWander{1, {Vec2(0, 0), 5.0}});
  run(room, 1);
  room.apply(SetHeading{1, 0.5});
  run(room, 0.1);
  EXPECT_NEAR(character(1).desired_heading, 0.5, 1e-9);
  EXPECT_TRUE(room.snapshot()->way_points.empty());
}

TEST_F(RoomCommands, APushPushesAndEnds) {
  room.apply(Push{1, "torso", Vec3(0, 0, 0.1), Vec3(0, 300, 0), 0.1});
  EXPECT_TRUE(character(1).flags & kFlagPushed);
  EXPECT_EQ(character(1).push_force, Vec3(0, 300, 0));
  run(room, 0.1);
  EXPECT_FALSE(character(1).flags & kFlagPushed);
  // 30 N s on 70 kg.
  EXPECT_GT(character(1).report.com_velocity.y(), 0.2);
  EXPECT_LT(std::abs(character(2).report.com_velocity.y()), 0.1);
}

TEST_F(RoomCommands, PushesAreCountedInSubsteps) {
  // A tick is 8 substeps; 0.1 s are 48 of them, 6 ticks.
  room.apply(Push{1, "torso", Vec3::Zero(), Vec3(1, 0, 0), 0.1});
  run(room, 5.0 / 60);
  EXPECT_TRUE(character(1).flags & kFlagPushed);
  run(room, 1.0 / 60);
  EXPECT_FALSE(character(1).flags & kFlagPushed);
}

TEST_F(RoomCommands, TooManyPushesAtOnceAreRefused) {
  for (int i = 0; i < 8; ++i) {
    EXPECT_FALSE(room.apply(Push{1, "torso", Vec3::Zero(), Vec3(1, 0, 0), 5}).error);
  }
  expect_refused(Push{1, "torso", Vec3::Zero(), Vec3(1, 0, 0), 5}, Code::kBusy, "push.character",
                 "8 pushes", "up to 8");
}

TEST_F(RoomCommands, SpawnGivesAnIdThatWasNeverUsed) {
  room.apply(Remove{2});
  const CommandResult spawned = room.apply(Spawn{"child", "march", Vec2(4, 4), 1.0, false});
  ASSERT_FALSE(spawned.error);
  EXPECT_EQ(spawned.character, 3u);
  EXPECT_LT((character(3).root.position.head<2>() - Vec2(4, 4)).norm(), 1e-6);
  EXPECT_NEAR(heading_of(character(3).root.rotation), 1.0, 1e-9);
  EXPECT_EQ(room.snapshot()->roster->entries[1].style, "march");
  EXPECT_EQ(count(run(room, 1), RoomEvent::Kind::kFell), 0);
}

TEST_F(RoomCommands, SpawnFindsAFreePlace) {
  for (int i = 0; i < 6; ++i) {
    ASSERT_FALSE(room.apply(Spawn{"human", "normal", Vec2(0, 0), 0, false}).error);
    ASSERT_FALSE(room.apply(Spawn{"child", "normal", std::nullopt, 0, true}).error);
  }
  const auto all = room.snapshot();
  for (std::size_t i = 0; i < all->characters.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 apart = all->characters[i].root.position - all->characters[j].root.position;
      EXPECT_GT(apart.head<2>().norm(), 0.5);
    }
  }
}

TEST_F(RoomCommands, RemoveTakesAwayOneOnly) {
  ASSERT_FALSE(room.apply(Remove{1}).error);
  EXPECT_EQ(room.character_count(), 1u);
  EXPECT_TRUE(room.apply(Stop{1}).error);
  EXPECT_FALSE(room.apply(Stop{2}).error);
  EXPECT_EQ(room.snapshot()->roster->entries.size(), 1u);
  run(room, 0.1);
}

TEST_F(RoomCommands, ResetBringsBackPlaceAndTask) {
  room.apply(SetVelocity{1, Vec2(0.6, 0), Frame::kCharacter});
  run(room, 3);
  ASSERT_GT(character(1).root.position.x(), 0.4);
  EXPECT_FALSE(room.apply(Reset{1}).error);
  EXPECT_LT(character(1).root.position.head<2>().norm(), 1e-6);
  run(room, 0.1);
  EXPECT_EQ(character(1).desired_velocity.norm(), 0) << "it stood at first";
  // Everyone, exactly as in the beginning.
  room.apply(Reset{0});
  Room fresh(test_library(), settings_for("pair"));
  for (const CharacterId id : {1u, 2u}) {
    EXPECT_EQ(room.body_for_test(id)->state().root.position,
              fresh.body_for_test(id)->state().root.position);
  }
}

TEST_F(RoomCommands, LoadSceneStartsANewEpochAndGoesOnCounting) {
  run(room, 0.5);
  const auto before = room.snapshot();
  ASSERT_FALSE(room.apply(LoadScene{"crowd"}).error);
  const auto after = room.snapshot();
  EXPECT_EQ(after->tick, before->tick);
  EXPECT_NE(after->roster->epoch, before->roster->epoch);
  EXPECT_EQ(after->roster->scene, "crowd");
  EXPECT_EQ(after->characters.size(), 8u);
  EXPECT_EQ(after->characters.front().id, 1001u) << "ids are not used twice";
  EXPECT_FALSE(room.apply(LoadScene{"empty"}).error);
  EXPECT_EQ(room.character_count(), 0u);
  run(room, 0.1);
  EXPECT_FALSE(room.apply(Spawn{"human", "normal", {}, 0, false}).error);
}

TEST_F(RoomCommands, PauseResumeAndSingleSteps) {
  EXPECT_TRUE(room.wants_tick());
  room.apply(Pause{});
  EXPECT_FALSE(room.wants_tick());
  room.apply(SingleStep{2});
  EXPECT_TRUE(room.paused());
  room.tick();
  EXPECT_TRUE(room.wants_tick());
  room.tick();
  EXPECT_FALSE(room.wants_tick());
  room.apply(Resume{});
  EXPECT_TRUE(room.wants_tick());
  room.apply(SingleStep{1});
  EXPECT_TRUE(room.paused()) << "a single step pauses a running room";
}

TEST_F(RoomCommands, TheClockIsNoPartOfTheState) {
  const std::uint64_t before = room.state_hash();
  room.apply(SetTimeScale{0.25});
  EXPECT_EQ(room.time_scale(), 0.25);
  room.apply(Pause{});
  EXPECT_EQ(room.state_hash(), before);
}

TEST(RoomScript, RunsOnTimeAndAgain) {
  const auto library = library_with({{"pushed", R"(
      "characters": [{"body": "human"}, {"body": "human", "position_m": [0, 3]}],
      "script": [
        {"at_s": 0.2, "command": {"push": {"character": 2, "force_n": [0, 10, 0]}}},
        {"at_s": 0.5, "command": {"set_style": {"character": 1, "style": "march"}}}],
      "script_period_s": 1)"},
                                     {"empty", R"("title": "Nobody")"}});
  ASSERT_TRUE(library.ok()) << library.error().text();
  Room room(*library, settings_for("empty"));
  run(room, 0.3);
  room.apply(Spawn{"human", "normal", {}, 0, false});  // so that ids do not start at 1
  room.apply(LoadScene{"pushed"});
  const auto pushed = [&] { return bool(room.snapshot()->characters[1].flags & kFlagPushed); };
  run(room, 0.2);
  EXPECT_FALSE(pushed());
  room.tick();
  EXPECT_TRUE(pushed());
  run(room, 0.4);
  EXPECT_FALSE(pushed());
  EXPECT_EQ(room.snapshot()->roster->entries[0].style, "march");
  run(room, 0.6);
  EXPECT_TRUE(pushed()) << "in the second round";
  // The characters that the script names may be gone.
  room.apply(Remove{3});
  const auto events = run(room, 2);
  EXPECT_EQ(count(events, RoomEvent::Kind::kQuarantined), 0);
}

}  // namespace
}  // namespace promenade::world
