// Characters that the physics does not move: the family pendulum in a room.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "math/rotation.h"
#include "world/checkpoint/checkpoint.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::AllOf;
using ::testing::HasSubstr;
using Code = CommandError::Code;

struct Light : ::testing::Test {
  Light() { make_light(room); }
  static void make_light(Room& of) {
    for (const CharacterId id : {1, 2}) {
      const CommandResult result = of.apply(SetController{id, "pendulum"});
      ASSERT_FALSE(result.error) << result.error->message;
    }
  }
  CharacterSnapshot character(CharacterId id) {
    const auto snapshot = room.snapshot();
    for (const CharacterSnapshot& c : snapshot->characters) {
      if (c.id == id) return c;
    }
    ADD_FAILURE() << id << " is not there";
    return {};
  }

  Room room{test_library(), settings_for("pair")};
};

TEST_F(Light, WalkWhereTheyAreSent) {
  EXPECT_FALSE(room.apply(SetVelocity{1, Vec2(0, -1.2), Frame::kWorld}).error);
  run(room, 3);
  const double from = character(1).root.position.y();
  const auto events = run(room, 6);
  EXPECT_NEAR(from - character(1).root.position.y(), 7.2, 0.4);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 0);
  EXPECT_FALSE(character(1).flags & kFlagStanding);
  EXPECT_TRUE(character(2).flags & kFlagStanding);
}

TEST_F(Light, StepAsideWhenPushedAndComeToRest) {
  EXPECT_FALSE(room.apply(Push{1, "torso", Vec3::Zero(), Vec3(0, 450, 0), 0.1}).error);
  const auto events = run(room, 6);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 0);
  EXPECT_GT(character(1).report.steps, 0u);
  EXPECT_GT(character(1).root.position.y(), 0.05);
  EXPECT_LT(character(1).report.com_velocity.norm(), 0.05);
}

TEST_F(Light, FallInThePhysicsWhereNoStepHelpsAndGetUp) {
  EXPECT_FALSE(room.apply(Push{1, "torso", Vec3::Zero(), Vec3(1500, 0, 0), 1}).error);
  const auto events = run(room, 12);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 1);
  EXPECT_EQ(count(events, RoomEvent::Kind::kGotUp), 1);
  EXPECT_EQ(count(events, RoomEvent::Kind::kQuarantined), 0);
  EXPECT_GT(character(1).root.position.z(), 0.8);
}

TEST_F(Light, FallInThePhysicsWhenFlungUp) {
  EXPECT_FALSE(room.apply(Push{1, "torso", Vec3::Zero(), Vec3(0, 0, 3000), 0.1}).error);
  EXPECT_FALSE(room.apply(Push{2, "torso", Vec3::Zero(), Vec3(0, 0, 900), 0.1}).error);
  const auto events = run(room, 10);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 1) << "who is hardly lifted stays up";
  EXPECT_EQ(count(events, RoomEvent::Kind::kGotUp), 1);
  EXPECT_EQ(count(events, RoomEvent::Kind::kQuarantined), 0);
  EXPECT_GT(character(1).root.position.z(), 0.8);
}

TEST_F(Light, GoOnToTheSameHashFromASavedStateAndOnAnyNumberOfThreads) {
  RoomSettings settings = settings_for("pair");
  settings.threads = 3;
  Room threaded(test_library(), settings);
  make_light(threaded);
  const auto act = [](Room& of) {
    of.apply(SetVelocity{1, Vec2(0.9, 0.2), Frame::kWorld});
    of.apply(SetStyle{2, "march"});  // under way when the state is saved
  };
  act(room);
  act(threaded);
  run(room, 0.2);
  run(threaded, 0.2);
  const v1::Checkpoint saved = room.save();
  Room restored(test_library(), settings_for("pair"));
  const auto error = restored.restore(saved);
  ASSERT_FALSE(error) << error->message;
  EXPECT_EQ(restored.state_hash(), room.state_hash());
  for (Room* one : {&room, &threaded, &restored}) run(*one, 5);
  EXPECT_EQ(threaded.state_hash(), room.state_hash());
  EXPECT_EQ(restored.state_hash(), room.state_hash());
}

TEST_F(Light, CannotBeHeldAndBecomeLightOnlyWhenReleased) {
  Grip grip;
  grip.a.id = 1;
  grip.b.id = 2;
  const CommandResult held = room.apply(grip);
  ASSERT_TRUE(held.error);
  EXPECT_EQ(held.error->code, Code::kUnsupported);
  EXPECT_THAT(held.error->message, AllOf(HasSubstr("grip.a.id"), HasSubstr("pendulum")));
  EXPECT_TRUE(room.apply(Drag{1, "torso", std::nullopt, Vec3(0, 0, 2), 0}).error);

  for (const CharacterId id : {1, 2}) EXPECT_FALSE(room.apply(SetController{id, "gbwc"}).error);
  const CommandResult gripped = room.apply(grip);
  ASSERT_FALSE(gripped.error) << gripped.error->message;
  const CommandResult refused = room.apply(SetController{1, "pendulum"});
  ASSERT_TRUE(refused.error);
  EXPECT_THAT(refused.error->message, HasSubstr("release"));
  EXPECT_FALSE(room.apply(Release{gripped.tie}).error);
  EXPECT_FALSE(room.apply(SetController{1, "pendulum"}).error);
}

TEST_F(Light, TakeOverFromAWalkAndGiveBackWithoutAFall) {
  EXPECT_FALSE(room.apply(SetController{1, "gbwc"}).error);
  EXPECT_FALSE(room.apply(SetVelocity{1, Vec2(0, -1), Frame::kWorld}).error);
  int fell = count(run(room, 4), RoomEvent::Kind::kFell);
  for (int i = 0; i < 6; ++i) {
    EXPECT_FALSE(room.apply(SetController{1, i % 2 == 0 ? "pendulum" : "gbwc"}).error);
    const double from = character(1).root.position.y(), seconds = 2 + 0.13 * i;
    fell += count(run(room, seconds), RoomEvent::Kind::kFell);
    EXPECT_GT(from - character(1).root.position.y(), 0.7 * seconds) << "after change " << i;
  }
  EXPECT_EQ(fell, 0);
}

TEST(LightOnABridge, CrossCubesThatSinkUnderThem) {
  const auto library = Library::load(test::data_dir());
  ASSERT_TRUE(library) << library.error().text();
  Room bridge(*library, settings_for("bridge"));
  const auto before = bridge.snapshot();
  int fell = count(run(bridge, 6), RoomEvent::Kind::kFell);
  double sank = 0, rose = 0;
  const auto amid = bridge.snapshot();
  for (std::size_t i = 0; i < amid->things.size(); ++i) {
    const double by = before->things[i].root.position.z() - amid->things[i].root.position.z();
    sank = std::max(sank, by);
    rose = std::max(rose, -by);
  }
  EXPECT_GT(sank, 0.01) << "a cube carries somebody";
  EXPECT_LT(rose, 0.05);
  const v1::Checkpoint saved = bridge.save();
  Room restored(*library, settings_for("bridge"));
  const auto error = restored.restore(saved);
  ASSERT_FALSE(error) << error->message;
  fell += count(run(bridge, 6), RoomEvent::Kind::kFell);
  run(restored, 6);
  EXPECT_EQ(fell, 0);
  EXPECT_EQ(restored.state_hash(), bridge.state_hash());
  const auto after = bridge.snapshot();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(
        std::abs(after->characters[i].root.position.x() - before->characters[i].root.position.x()),
        8)
        << "is across";
  }
}

}  // namespace
}  // namespace promenade::world
