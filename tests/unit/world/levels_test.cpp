// Levels of detail: characters that the room takes out of the physics, and back in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "math/rotation.h"
#include "promenade/v1/checkpoint.pb.h"
#include "world/checkpoint/checkpoint.h"
#include "world/crowd/gaits.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;
using Code = CommandError::Code;

std::shared_ptr<const Library> street() {
  static const auto library = [] {
    auto loaded = library_with({
        {"rows", R"("in_physics": 4, "camera": {"from_m": [-3, 0, 2], "at_m": [3, 0, 1]},
          "crowds": [{"count": 12, "bodies": ["human"], "styles": ["normal"], "radius_m": 9,
                      "center_m": [8, 0], "wander": true}])"},
        {"alone", R"("characters": [{"body": "human", "position_m": [0, 0]}])"},
        {"two", R"("in_physics": 1, "camera": {"from_m": [-40, 0, 2], "at_m": [-50, 0, 1]},
          "characters": [{"body": "human", "position_m": [-45, 0]},
                         {"body": "human", "position_m": [0, 0]}])"},
    });
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return library;
}

const CharacterSnapshot& of(const Snapshot& snapshot, CharacterId id) {
  for (const CharacterSnapshot& c : snapshot.characters) {
    if (c.id == id) return c;
  }
  throw std::runtime_error("not there");
}
bool is_light(const Room& room, CharacterId id) {
  return of(*room.snapshot(), id).flags & kFlagLight;
}
int light_ones(const Room& room) {
  int count = 0;
  const auto shown = room.snapshot();
  for (const CharacterSnapshot& c : shown->characters) count += (c.flags & kFlagLight) != 0;
  return count;
}

TEST(Levels, TheNearestToWhatIsLookedAtAreInThePhysics) {
  Room room(street(), settings_for("rows"));
  const auto events = run(room, 4);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 0);
  const int light = light_ones(room);
  EXPECT_GE(light, 5);  // some of the eight others are beside somebody in the physics
  EXPECT_LE(light, 8);
  // From the other side others are near.
  View view;
  view.eye = Vec3(40, 0, 2);
  view.at = Vec3(8, 0, 1);
  EXPECT_FALSE(room.apply(SetDetail{2, {view}}).error);
  run(room, 5);
  EXPECT_GE(light_ones(room), 7);
  const auto nearest = [&] {
    CharacterId found = 0;
    double least = 1e9;
    const auto shown = room.snapshot();
    for (const CharacterSnapshot& c : shown->characters) {
      const double away = (c.root.position - view.eye).norm();
      if (away < least) {
        least = away;
        found = c.id;
      }
    }
    return found;
  };
  // All of them walk, and one that has just become the nearest changes over within some steps.
  bool full = false;
  for (int i = 0; i < 16 && !full; ++i) {
    full = !is_light(room, nearest());
    run(room, 0.25);
  }
  EXPECT_TRUE(full);
  EXPECT_FALSE(room.apply(SetDetail{}).error);
  run(room, 3);
  EXPECT_GE(light_ones(room), 7) << "as before";
  EXPECT_FALSE(room.apply(SetDetail{0, {}}).error);
  run(room, 3);
  EXPECT_EQ(light_ones(room), 0) << "0: all are in the physics";
}

TEST(Levels, AChangeOfLevelIsNoJump) {
  Room room(street(), settings_for("alone"));
  EXPECT_FALSE(room.apply(SetVelocity{1, Vec2(1, 0), Frame::kCharacter}).error);
  run(room, 3);
  double joint = 0, root = 0;
  for (int i = 0; i < 40; ++i) {
    run(room, 0.61 + 0.013 * i);
    const auto before = room.snapshot();
    EXPECT_FALSE(room.apply(SetController{1, i % 2 == 0 ? "pendulum" : "gbwc"}).error);
    const auto after = room.snapshot();
    for (std::size_t k = 0; k < before->coordinates.size(); ++k) {
      joint = std::max(joint, double(std::abs(before->coordinates[k] - after->coordinates[k])));
    }
    root = std::max(root, (of(*before, 1).root.position - of(*after, 1).root.position).norm());
  }
  EXPECT_LT(joint, 3 * kRadFromDeg);
  EXPECT_LT(root, 0.005);
  EXPECT_FALSE(of(*room.snapshot(), 1).flags & kFlagFallen);
}

/// Degrees by which the joints of the only character go in a tick otherwise than in the tick
/// before.
double jolt(const Snapshot& a, const Snapshot& b, const Snapshot& c) {
  double most = 0;
  for (std::size_t k = 0; k < a.coordinates.size(); ++k) {
    const double before = wrap_angle(double(b.coordinates[k] - a.coordinates[k]));
    const double after = wrap_angle(double(c.coordinates[k] - b.coordinates[k]));
    most = std::max(most, std::abs(after - before) / kRadFromDeg);
  }
  return most;
}

TEST(Levels, AChangeKeepsTheRatesOfAllJoints) {
  Room room(street(), settings_for("alone"));
  EXPECT_FALSE(room.apply(SetVelocity{1, Vec2(1, 0), Frame::kCharacter}).error);
  run(room, 3);
  for (int i = 0; i < 12; ++i) {
    const bool light = i % 2 == 0;
    run(room, 0.61 + 0.07 * i);
    EXPECT_FALSE(room.apply(SetLevel{1, light ? Level::kLight : Level::kPhysics}).error);
    std::array<std::shared_ptr<const Snapshot>, 4> last;
    for (int wait = 0; wait < 120; ++wait) {
      std::rotate(last.begin(), last.begin() + 1, last.end());
      last.back() = room.snapshot();
      if (last[0] && is_light(room, 1) == light) break;
      room.tick();
    }
    ASSERT_EQ(is_light(room, 1), light);
    room.tick();
    EXPECT_LT(jolt(*last[2], *last[3], *room.snapshot()), 5) << "change " << i;
  }
}

TEST(Levels, AChangeGoesOnFromASavedState) {
  Room room(street(), settings_for("alone"));
  EXPECT_FALSE(room.apply(SetVelocity{1, Vec2(1, 0), Frame::kCharacter}).error);
  run(room, 3);
  for (const bool light : {true, false, true}) {
    EXPECT_FALSE(room.apply(SetLevel{1, light ? Level::kLight : Level::kPhysics}).error);
    for (int wait = 0; wait < 120 && is_light(room, 1) != light; ++wait) room.tick();
    ASSERT_EQ(is_light(room, 1), light);
    for (int ticks = 0; ticks < 4; ++ticks) {
      Room restored(street(), settings_for("alone"));
      const auto error = restored.restore(room.save());
      ASSERT_FALSE(error) << error->message;
      for (Room* one : {&room, &restored}) one->tick();
      EXPECT_EQ(restored.state_hash(), room.state_hash()) << ticks << " ticks after the change";
    }
    run(room, 1);
  }
}

TEST(Levels, AChangeByACommandIsTheSameRightAfterARestore) {
  Room room(street(), settings_for("alone"));
  EXPECT_FALSE(room.apply(SetVelocity{1, Vec2(1, 0), Frame::kCharacter}).error);
  run(room, 3);
  EXPECT_FALSE(room.apply(SetLevel{1, Level::kLight}).error);
  run(room, 2);
  for (int moment = 0; moment < 5; ++moment) {
    ASSERT_TRUE(is_light(room, 1));
    const v1::Checkpoint saved = room.save();
    Room restored(street(), settings_for("alone"));
    const auto error = restored.restore(saved);
    ASSERT_FALSE(error) << error->message;
    for (Room* one : {&room, &restored}) {
      EXPECT_FALSE(one->apply(Push{1, "torso", Vec3::Zero(), Vec3(20, 0, 0), 0.05}).error);
      EXPECT_FALSE(is_light(*one, 1));
      one->tick();
    }
    EXPECT_EQ(restored.state_hash(), room.state_hash()) << "moment " << moment;
    run(room, 4 + 0.1 * moment);  // light again, and elsewhere in a step
  }
}

TEST(Levels, WhoIsPushedOrHeldIsInThePhysicsAtOnceAndLightAgainLater) {
  Room room(street(), settings_for("alone"));
  EXPECT_FALSE(room.apply(SetLevel{1, Level::kLight}).error);
  run(room, 1);
  ASSERT_TRUE(is_light(room, 1));
  EXPECT_FALSE(room.apply(Push{1, "torso", Vec3::Zero(), Vec3(150, 0, 0), 0.1}).error);
  EXPECT_FALSE(is_light(room, 1));
  const auto events = run(room, 5);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 0);
  EXPECT_TRUE(is_light(room, 1));

  AddTie tie;
  tie.a.id = 1;
  tie.a.link = "torso";
  tie.kind = TieType::kSpring;
  tie.length = 1;
  tie.stiffness = 10;
  tie.b.point = Vec3(0, 0, 2);
  const CommandResult tied = room.apply(tie);
  ASSERT_FALSE(tied.error) << tied.error->message;
  EXPECT_FALSE(is_light(room, 1));
  run(room, 4);
  EXPECT_FALSE(is_light(room, 1)) << "while it is held";
  EXPECT_FALSE(room.apply(Release{tied.tie}).error);
  run(room, 4);
  EXPECT_TRUE(is_light(room, 1));
}

TEST(Levels, CannotBeForcedOnWhoIsHeldOrWhomNoPendulumStandsFor) {
  Room room(street(), settings_for("alone"));
  AddTie tie;
  tie.a.id = 1;
  tie.kind = TieType::kSpring;
  tie.length = 1;
  tie.stiffness = 10;
  tie.b.point = Vec3(0, 0, 2);
  ASSERT_FALSE(room.apply(tie).error);
  const CommandResult held = room.apply(SetLevel{1, Level::kLight});
  ASSERT_TRUE(held.error);
  EXPECT_THAT(held.error->message, HasSubstr("release"));
  const std::uint64_t hash = room.state_hash();
  EXPECT_TRUE(room.apply(SetLevel{77, Level::kLight}).error);
  EXPECT_EQ(room.state_hash(), hash);
  EXPECT_FALSE(room.apply(SetLevel{1, Level::kPhysics}).error);
  EXPECT_FALSE(room.apply(SetController{1, "limp"}).error);
  EXPECT_TRUE(room.apply(SetLevel{1, Level::kLight}).error);
}

TEST(Levels, WhomSomebodyInThePhysicsComesUpToIsThereInTime) {
  Room room(street(), settings_for("two"));
  run(room, 1);
  ASSERT_TRUE(is_light(room, 2));
  EXPECT_FALSE(room.apply(SetLevel{1, Level::kPhysics}).error);
  EXPECT_FALSE(room.apply(Place{1, Vec2(-1.2, 0), std::nullopt, 0}).error);
  EXPECT_FALSE(room.apply(SetVelocity{1, Vec2(0.8, 0), Frame::kWorld}).error);
  run(room, 1.5);
  EXPECT_FALSE(is_light(room, 2));
}

TEST(Levels, GoOnFromASavedStateAndOnAnyNumberOfThreads) {
  RoomSettings settings = settings_for("rows");
  Room room(street(), settings);
  settings.threads = 3;
  Room threaded(street(), settings);
  run(room, 2.3);
  run(threaded, 2.3);
  EXPECT_EQ(threaded.state_hash(), room.state_hash());
  const v1::Checkpoint saved = room.save();
  Room restored(street(), settings_for("rows"));
  const auto error = restored.restore(saved);
  ASSERT_FALSE(error) << error->message;
  EXPECT_EQ(restored.state_hash(), room.state_hash());
  room.snapshot();  // to look changes nothing
  for (Room* one : {&room, &threaded, &restored}) run(*one, 4);
  EXPECT_EQ(threaded.state_hash(), room.state_hash());
  EXPECT_EQ(restored.state_hash(), room.state_hash());
}

TEST(Levels, AnEditKeepsSomebodyInThePhysicsUntilItsLightWalkIsMeasured) {
  const auto library = street();
  Room room(library, settings_for("two"));
  run(room, 1);
  ASSERT_FALSE(is_light(room, 1));
  ASSERT_TRUE(is_light(room, 2));
  const auto styled = [&](CharacterId id, double width) {
    v1::Style style = library->find_style("normal")->message;
    style.set_step_width_m(width);
    return SetStyle{id, "", std::get<0>(define_style(style, "style"))};
  };
  const std::size_t measured = gaits_measured(*library);
  ASSERT_FALSE(room.apply(styled(1, 0.191)).error);
  for (CharacterId id : {1u, 2u}) ASSERT_FALSE(room.apply(SetLevel{id, Level::kLight}).error);
  run(room, 28);
  EXPECT_FALSE(is_light(room, 1));
  EXPECT_EQ(gaits_measured(*library), measured) << "there is time to measure it beside the room";
  run(room, 4);
  EXPECT_TRUE(is_light(room, 1));
  EXPECT_EQ(gaits_measured(*library), measured + 1);
  ASSERT_FALSE(room.apply(styled(2, 0.192)).error);
  EXPECT_TRUE(is_light(room, 2)) << "its walk is measured in a moment";
  run(room, 1);
  EXPECT_EQ(gaits_measured(*library), measured + 2);
  ASSERT_FALSE(room.apply(SetBody{2, "child"}).error);
  run(room, 3);
  EXPECT_TRUE(is_light(room, 2)) << "a light one is in the physics only to be changed";
}

}  // namespace
}  // namespace promenade::world
