// The controllers of creatures: set_controller, spawn, scenes; refusals of those that cannot walk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/paths.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::AllOf;
using ::testing::HasSubstr;
using Code = CommandError::Code;

struct Controllers : ::testing::Test {
  Room room{test_library(), settings_for("pair")};

  const CharacterSnapshot& character(CharacterId id) {
    snapshot = room.snapshot();
    for (const CharacterSnapshot& c : snapshot->characters) {
      if (c.id == id) return c;
    }
    ADD_FAILURE() << id << " is not there";
    return snapshot->characters.front();
  }
  const RosterEntry& entry(CharacterId id) {
    snapshot = room.snapshot();
    for (const RosterEntry& e : snapshot->roster->entries) {
      if (e.id == id) return e;
    }
    ADD_FAILURE() << id << " is not there";
    return snapshot->roster->entries.front();
  }
  CharacterId spawn(const std::string& body) {
    const CommandResult result = room.apply(Spawn{body, "", Vec2(2, -2), 0, false});
    EXPECT_FALSE(result.error) << body << ": " << result.error->message;
    return result.character;
  }
  void drive_by(CharacterId id, const char* family) {
    const CommandResult result = room.apply(SetController{id, family});
    ASSERT_FALSE(result.error) << result.error->message;
    EXPECT_EQ(entry(id).controller, family);
  }
  CommandError refusal(const Command& command) {
    const std::uint64_t before = room.state_hash();
    const CommandResult result = room.apply(command);
    EXPECT_TRUE(result.error);
    EXPECT_EQ(room.state_hash(), before);
    return result.error.value_or(CommandError{});
  }
  std::shared_ptr<const Snapshot> snapshot;
};

TEST_F(Controllers, AreChangedInTheMiddleOfAWalk) {
  room.apply(SetVelocity{1, Vec2(0.8, 0), Frame::kCharacter});
  run(room, 3);
  EXPECT_FALSE(character(1).flags & (kFlagStanding | kFlagLimp));
  drive_by(1, "limp");
  const auto lying = run(room, 2);
  EXPECT_EQ(count(lying, RoomEvent::Kind::kFell), 0) << "it was told to lie";
  EXPECT_LT(character(1).root.position.z(), 0.5);
  EXPECT_TRUE(character(1).flags & kFlagLimp);
  EXPECT_FALSE(character(1).flags & kFlagFallen);

  drive_by(1, "gbwc");
  const auto up = run(room, 4);
  EXPECT_EQ(count(up, RoomEvent::Kind::kFell), 1) << "it lies, and is to stand";
  EXPECT_EQ(count(up, RoomEvent::Kind::kGotUp), 1);
  EXPECT_GT(character(1).root.position.z(), 0.8);
  EXPECT_GT(character(1).report.com_velocity.head<2>().norm(), 0.4) << "it walks on as it was told";

  drive_by(1, "hold");
  EXPECT_EQ(entry(1).style, "");
  run(room, 0.3);
  EXPECT_TRUE(character(1).report.com.allFinite());
  drive_by(1, "gbwc");
  EXPECT_EQ(entry(1).style, "normal");
}

TEST_F(Controllers, ThatLetAFallenOneLieEndItsWaiting) {
  ASSERT_TRUE(room.set_state_for_test(1, lying_state(room, 1)));
  EXPECT_EQ(count(run(room, 0.2), RoomEvent::Kind::kFell), 1);
  drive_by(1, "limp");
  EXPECT_EQ(count(run(room, 2), RoomEvent::Kind::kGotUp), 0);
  EXPECT_LT(character(1).root.position.z(), 0.5);
}

TEST_F(Controllers, ThatAreUnknownOrCannotDriveTheBodyAreRefused) {
  const CommandError unknown = refusal(SetController{1, "swim"});
  EXPECT_EQ(unknown.code, Code::kNotFound);
  EXPECT_EQ(unknown.message,
            "set_controller.controller is \"swim\"; allowed: one of gbwc, pendulum, hold, limp, "
            "rise, posegraph");
  const CharacterId cat = spawn("cat");
  const CommandError cannot = refusal(SetController{cat, "gbwc"});
  EXPECT_EQ(cannot.code, Code::kUnsupported);
  EXPECT_THAT(cannot.message, HasSubstr("set_controller.controller is \"gbwc\"; allowed: one of "
                                        "hold, limp, posegraph, which can drive a cat; "));
  EXPECT_EQ(refusal(SetController{99, "hold"}).code, Code::kNotFound);
  Spawn walking_cat{"cat", "", {}, 0, false};
  walking_cat.controller = "gbwc";
  EXPECT_EQ(refusal(walking_cat).field, "spawn.controller");
}

TEST_F(Controllers, CanBeChosenForWhoIsSpawned) {
  Spawn limp{"child", "", Vec2(5, 5), 0, false};
  limp.controller = "limp";
  const CommandResult result = room.apply(limp);
  ASSERT_FALSE(result.error) << result.error->message;
  EXPECT_EQ(entry(result.character).controller, "limp");
  EXPECT_EQ(entry(result.character).style, "");
  run(room, 2);
  EXPECT_LT(character(result.character).root.position.z(), 0.4);
  drive_by(result.character, "gbwc");
  EXPECT_EQ(entry(result.character).style, "normal") << "one that had none gets the usual one";
}

TEST_F(Controllers, ThatDoNotWalkRefuseToBeSentSomewhere) {
  const CharacterId cat = spawn("cat");
  for (const Command& command :
       std::vector<Command>{SetVelocity{cat, Vec2(1, 0), Frame::kWorld}, SetHeading{cat, 1},
                            FollowPath{cat, {{Vec2(1, 0)}, false, 0}}, SetWander{cat, {{}, 5}}}) {
    const CommandError error = refusal(command);
    EXPECT_EQ(error.code, Code::kUnsupported) << error.field;
    EXPECT_THAT(error.message, AllOf(HasSubstr("driven by hold, which does not walk"),
                                     HasSubstr("allowed: a character driven by gbwc")));
  }
  EXPECT_FALSE(room.apply(Stop{cat}).error) << "it stands already";
  EXPECT_EQ(refusal(SetStyle{cat, "march"}).field, "set_style.character");
  EXPECT_EQ(refusal(Spawn{"cat", "march", {}, 0, false}).field, "spawn.style");
  EXPECT_EQ(refusal(Spawn{"cat", "", {}, 0, true}).field, "spawn.wander");
}

class AnyBody : public Controllers, public ::testing::WithParamInterface<const char*> {};

// All that is shown of a character can be shown of one without feet, too.
TEST_P(AnyBody, IsShownInEveryScene) {
  const auto library = Library::load(test::data_dir());
  ASSERT_TRUE(library.ok());
  for (const std::string& scene : (*library)->scene_names()) {
    // Great crowds take seconds to load, and have nothing else that could be shown.
    if ((*library)->find_scene(scene)->in_physics > 0) continue;
    Room one(*library, settings_for(scene));
    const CommandResult result = one.apply(Spawn{GetParam(), "", std::nullopt, 0.5, false});
    ASSERT_FALSE(result.error) << scene << ": " << result.error->message;
    run(one, 0.5);
    const auto shown = one.snapshot();
    ASSERT_FALSE(shown->characters.empty());
    // People who came in meanwhile have come after it.
    std::size_t last = 0;
    while (last + 1 < shown->characters.size() && shown->characters[last].id < result.character) {
      ++last;
    }
    EXPECT_EQ(shown->characters[last].id, result.character);
    const RosterEntry& entry = shown->roster->entries[last];
    EXPECT_EQ(entry.controller, "hold");
    EXPECT_EQ(entry.style, "");
    // Where there is a crowd, somebody may run into a small one.
    const std::uint32_t flags = shown->characters[last].flags;
    EXPECT_EQ(flags & ~kFlagFallen, kFlagHolding | kFlagLeftStance) << scene;
    EXPECT_TRUE(shown->characters[last].report.com.allFinite());
    EXPECT_NE(shown->characters[last].limb_contacts, 0u) << scene;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, AnyBody,
                         ::testing::Values("cat", "ant", "giant_ant", "stool", "luxo",
                                           "planar_biped", "monster", "simple_cat", "detailed_cat",
                                           "dog", "spider", "tripod", "caterpillar"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace promenade::world
