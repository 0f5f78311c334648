#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/random.h"
#include "math/rotation.h"
#include "support/paths.h"
#include "world_fixture.h"

// Tests which things of a room come to rest and sleep, and what wakes them.
namespace promenade::world {
namespace {

using testing::run;

CharacterId put(Room& room, const std::string& thing, const Vec3& at, double yaw = 0,
                double pitch = 0, double roll = 0) {
  SpawnThing spawn{};
  spawn.thing = thing;
  spawn.position = at;
  spawn.yaw = yaw;
  spawn.pitch = pitch;
  spawn.roll = roll;
  const CommandResult result = room.apply(spawn);
  EXPECT_FALSE(result.error) << result.error->message;
  return result.character;
}

const physics::ArticulatedBody& body(const Room& room, CharacterId id) {
  return *room.body_for_test(id);
}
Vec3 place(const Room& room, CharacterId id) { return body(room, id).links()[0].position; }

int awake(const Room& room) {
  const auto snapshot = room.snapshot();
  return int(std::count_if(snapshot->things.begin(), snapshot->things.end(),
                           [](const ThingSnapshot& one) { return !one.asleep; }));
}

double deepest(const Room& room) {
  double depth = 0;
  const auto snapshot = room.snapshot();
  for (const ThingSnapshot& one : snapshot->things) {
    for (const auto& point : body(room, one.id).contacts()) depth = std::max(depth, point.depth);
  }
  return depth;
}

/// The shipped library, with this scene as "here".
std::shared_ptr<const Library> with(const std::string& scene) {
  const testing::TemporaryDirectory directory;
  std::filesystem::copy(test::data_dir(), directory.path() / "data",
                        std::filesystem::copy_options::recursive);
  directory.write("data/scenes/here.json", "{\"name\": \"here\",\n" + scene + "}");
  auto library = Library::load(directory.path() / "data");
  if (!library.ok()) throw std::runtime_error(library.error().text());
  return *library;
}

Room room_of_shipped(int threads = 1) {
  static const auto library = with(R"("title": "Nobody")");
  return Room(library, testing::settings_for("here", threads));
}

TEST(Sleep, TenCratesStackedAreAsleepInTwoSecondsAndStayThere) {
  Room room = room_of_shipped();
  std::vector<CharacterId> crates;
  for (int i = 0; i < 10; ++i) crates.push_back(put(room, "crate", {0, 0, 0.25 + 0.5 * i}));
  run(room, 2);
  EXPECT_EQ(awake(room), 0);
  std::vector<Vec3> before;
  for (const CharacterId id : crates) before.push_back(place(room, id));
  run(room, 58);
  for (std::size_t i = 0; i < crates.size(); ++i) {
    EXPECT_LT((place(room, crates[i]) - before[i]).norm(), 1e-3);
    EXPECT_NEAR(place(room, crates[i]).z(), 0.25 + 0.5 * double(i), 0.005);
  }
}

TEST(Sleep, TowersOfEveryKindStandAndSleep) {
  Room room = room_of_shipped();
  std::vector<std::pair<CharacterId, Vec3>> put_at;
  const auto tower = [&](const std::string& thing, const Vec2& at, double low, double height,
                         int count) {
    for (int i = 0; i < count; ++i) {
      const Vec3 where(at.x(), at.y(), low + height * i);
      put_at.emplace_back(put(room, thing, where), where);
    }
  };
  tower("barrel", {0, 0}, 0.44, 0.88, 4);
  tower("plank", {4, 0}, 0.02, 0.04, 8);
  tower("table", {8, 0}, 0.652, 0.74, 3);
  tower("domino", {12, 0}, 0.3, 0.6, 4);
  run(room, 5);
  EXPECT_EQ(awake(room), 0);
  for (const auto& [id, where] : put_at) {
    EXPECT_LT((place(room, id) - where).norm(), 0.01) << id;
  }
}

TEST(Sleep, DoorSeesawSwingAndCartComeToRest) {
  Room room = room_of_shipped();
  double x = 0;
  for (const char* thing : {"door", "seesaw", "swing", "cart"}) {
    SpawnThing spawn{};
    spawn.thing = thing;
    spawn.on_ground = Vec2(x += 4, 0);
    ASSERT_FALSE(room.apply(spawn).error);
  }
  run(room, 10);
  EXPECT_EQ(awake(room), 0);
}

TEST(Sleep, WhatLiesOnASleeperFallsWhenThatIsTakenAway) {
  Room room = room_of_shipped();
  const CharacterId low = put(room, "crate", {0, 0, 0.25}), high = put(room, "crate", {0, 0, 0.75});
  const CharacterId top = put(room, "crate", {0, 0, 1.25});
  run(room, 2);
  ASSERT_EQ(awake(room), 0);
  ASSERT_FALSE(room.apply(Remove{low}).error);
  run(room, 3);
  EXPECT_NEAR(place(room, high).z(), 0.25, 0.005);
  EXPECT_NEAR(place(room, top).z(), 0.75, 0.005);
  EXPECT_EQ(awake(room), 0);
}

TEST(Sleep, ABalancedPlankTipsWhenOneOfItsLoadsIsTakenAway) {
  Room room = room_of_shipped();
  put(room, "crate", {0, 0, 0.25});
  const CharacterId plank = put(room, "plank", {0, 0, 0.52});
  put(room, "crate", {0.9, 0, 0.79});
  const CharacterId other = put(room, "crate", {-0.9, 0, 0.79});
  run(room, 3);
  ASSERT_EQ(awake(room), 0);
  const Vec3 before = place(room, plank);
  ASSERT_NEAR(before.z(), 0.52, 0.01);
  ASSERT_FALSE(room.apply(Remove{other}).error);
  run(room, 3);
  EXPECT_GT((place(room, plank) - before).norm(), 0.05);
}

TEST(Sleep, AHeapOfThirtyComesToRestAlikeOnAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    Room room = room_of_shipped(threads);
    Random random = Random::stream(11, 1);
    for (int i = 0; i < 30; ++i) {
      const double angle = random.uniform(-kPi, kPi), out = 0.6 * random.uniform();
      put(room, i % 2 ? "crate" : "domino",
          {out * std::cos(angle), out * std::sin(angle), 0.6 + 0.5 * i}, random.uniform(-kPi, kPi),
          random.uniform(-1, 1), random.uniform(-kPi, kPi));
    }
    run(room, 20);
    EXPECT_EQ(awake(room), 0);
    EXPECT_LT(deepest(room), 0.005);
    hashes.push_back(room.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Sleep, AHeapOfAllSortsIsSoonAsleepButForAFewAlikeOnAnyNumberOfThreads) {
  // Planks that are jammed between others tremble. A few may still roll or rock.
  const char* const kinds[] = {"crate", "plank", "barrel", "domino"};
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    Room room = room_of_shipped(threads);
    Random random = Random::stream(12, 1);
    for (int i = 0; i < 60; ++i) {
      const double angle = random.uniform(-kPi, kPi), out = 1.2 * std::sqrt(random.uniform());
      put(room, kinds[i % 4],
          {out * std::cos(angle), out * std::sin(angle),
           0.6 + 0.7 * (i / 6) + 0.3 * random.uniform()},
          random.uniform(-kPi, kPi), random.uniform(-1.5, 1.5), random.uniform(-kPi, kPi));
    }
    run(room, 15);
    EXPECT_LE(awake(room), 3);
    EXPECT_LT(deepest(room), 0.005);
    hashes.push_back(room.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Sleep, WhatMovesSlowlyGoesOn) {
  const auto library = with(R"("blocks": [
      {"center_m": [0, 0, 2], "size_m": [40, 2, 0.2], "pitch_deg": 2.2},
      {"center_m": [0, 5, 3], "size_m": [20, 2, 0.2], "pitch_deg": 15,
       "material": {"friction": 0.1}}])");
  Room room(library, testing::settings_for("here"));
  const auto on_block = [](double y, double height, double degrees, double along, double above) {
    const double pitch = degrees * kRadFromDeg;
    return Vec3(along * std::cos(pitch) + above * std::sin(pitch), y,
                height - along * std::sin(pitch) + above * std::cos(pitch));
  };
  SpawnThing rolling;
  rolling.thing = "ball";
  rolling.position = on_block(0, 2, 2.2, 0, 0.1 + 0.11);
  rolling.velocity = Vec3(0.3, 0, 0);
  rolling.angular_velocity = Vec3(0, 0.3 / 0.11, 0);
  const CharacterId ball = room.apply(rolling).character;
  const CharacterId plank =
      put(room, "plank", on_block(5, 3, 15, -5, 0.1 + 0.02), 0, 15 * kRadFromDeg);
  // On an edge, 2 degrees beyond its balance.
  const double edge = 0.25 * std::sqrt(2.0);
  const CharacterId crate =
      put(room, "crate", {0, -5, edge * std::cos(2 * kRadFromDeg)}, 0, 47 * kRadFromDeg);
  run(room, 2);
  EXPECT_FALSE(body(room, plank).asleep());
  EXPECT_GT(place(room, plank).x(), -5 + 0.2);
  EXPECT_NEAR(place(room, crate).z(), 0.25, 0.005);
  run(room, 4);
  EXPECT_FALSE(body(room, ball).asleep());
  EXPECT_GT(place(room, ball).x(), 0.8);
}

// The friction of the crate's 0.6 with the ground's 0.24 is sqrt(0.6 0.24); the slope is 2 %
// steeper.
TEST(Sleep, WhatBeginsToSlideOrSwingDoesNotFallAsleep) {
  const double friction = std::sqrt(0.6 * 0.24), slope = std::atan(1.02 * friction);
  const auto library =
      with(R"("blocks": [{"center_m": [0, 0, 5], "size_m": [20, 3, 0.2], "pitch_deg": )" +
           std::to_string(slope / kRadFromDeg) + R"(, "material": {"friction": 0.24}}])");
  Room room(library, testing::settings_for("here"));
  const CharacterId crate =
      put(room, "crate", Vec3(0.35 * std::sin(slope), 0, 5 + 0.35 * std::cos(slope)), 0, slope);
  const CharacterId door = put(room, "door", Vec3(0, 10, 0));
  run(room, 0.5);
  Push push{};
  push.character = door;
  push.link = "leaf";
  push.force = Vec3(60, 0, 0);
  push.duration = 0.6;
  ASSERT_FALSE(room.apply(push).error);
  const double before = place(room, crate).x();
  run(room, 4);
  const double acceleration = physics::kGravity * 0.02 * friction * std::cos(slope);
  EXPECT_NEAR((place(room, crate).x() - before) / std::cos(slope),
              0.5 * acceleration * (4.5 * 4.5 - 0.5 * 0.5), 0.03);
  run(room, 20);
  EXPECT_TRUE(body(room, door).asleep());
  EXPECT_NEAR(body(room, door).state().angle.back().x(), 0, 0.01) << "the door has closed";
}

TEST(Sleep, NothingSleepsOnGroundThatMovesAndWakesWhenItStarts) {
  const auto library = with(R"("blocks": [
      {"center_m": [0, 0, 0.1], "size_m": [20, 2, 0.2], "motion": {"surface_mps": [0.02, 0]}},
      {"center_m": [0, 5, 0.1], "size_m": [2, 2, 0.2],
       "motion": {"path_m": [0, 5, 1.1], "speed_mps": 0.2, "pause_s": 4}}])");
  Room room(library, testing::settings_for("here"));
  const CharacterId carried = put(room, "crate", {0, 0, 0.45});
  const CharacterId lifted = put(room, "crate", {0, 5, 0.45});
  run(room, 3.5);
  EXPECT_FALSE(body(room, carried).asleep());
  EXPECT_TRUE(body(room, lifted).asleep());
  run(room, 5.5);  // 5 s up, from 4 s on
  EXPECT_NEAR(place(room, carried).x(), 0.18, 0.02);
  EXPECT_NEAR(place(room, lifted).z(), 1.45, 0.01);
}

TEST(Sleep, ASceneTieThatBrokeIsBackAfterAReset) {
  const auto library = with(R"("things": [{"thing": "crate", "position_m": [0, 0, 2]}],
      "ties": [{"kind": "BALL", "a": {"id": 1}, "break_n": 400}])");
  Room room(library, testing::settings_for("here"));
  run(room, 1);
  ASSERT_NEAR(place(room, 1).z(), 2, 0.01);
  Push push{};
  push.character = 1;
  push.force = Vec3(0, 0, -1000);
  push.duration = 0.2;
  ASSERT_FALSE(room.apply(push).error);
  run(room, 2);
  ASSERT_LT(place(room, 1).z(), 0.3);
  EXPECT_TRUE(room.snapshot()->roster->ties.empty());
  ASSERT_FALSE(room.apply(Reset{0}).error);
  run(room, 1);
  EXPECT_NEAR(place(room, 1).z(), 2, 0.01);
  EXPECT_EQ(room.snapshot()->roster->ties.size(), 1u);
}

TEST(SceneTies, AreCountedFromOneInAScriptWhateverTiesItsBodiesHave) {
  const auto library = with(R"("things": [{"thing": "swing", "position_m": [5, 0]},
                                          {"thing": "crate", "position_m": [0, 0, 2]}],
      "ties": [{"name": "hook", "kind": "BALL", "a": {"id": 2}}],
      "script": [{"at_s": 0.5, "command": {"release": {"id": 1}}}])");
  Room room(library, testing::settings_for("here"));
  run(room, 0.4);
  ASSERT_EQ(room.snapshot()->roster->ties.size(), 2u);
  run(room, 1);
  ASSERT_EQ(room.snapshot()->roster->ties.size(), 1u);
  EXPECT_EQ(room.snapshot()->roster->ties.front().a.id, 1u) << "the swing's own";
  EXPECT_LT(place(room, 2).z(), 0.5);
}

TEST(Library, RefusesAThingWithTheNameOfACreature) {
  const testing::TemporaryDirectory directory;
  const auto data = directory.path() / "data";
  std::filesystem::copy(test::data_dir(), data, std::filesystem::copy_options::recursive);
  std::string text = *schema::read_file(data / "things/crate.json");
  text.replace(text.find("\"crate\""), 7, "\"human\"");
  directory.write("data/things/human.json", text);
  const auto library = Library::load(data);
  ASSERT_FALSE(library.ok());
  EXPECT_NE(library.error().text().find("human.json:2: name: \"human\""), std::string::npos)
      << library.error().text();
}

}  // namespace
}  // namespace promenade::world
