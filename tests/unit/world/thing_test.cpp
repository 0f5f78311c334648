#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "math/rotation.h"
#include "schema/message.h"
#include "world/checkpoint/checkpoint.h"
#include "world/command/command_codec.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using ::testing::HasSubstr;
using testing::run;
using Code = CommandError::Code;

// A cube of 0.4 m and 8 kg.
constexpr const char* kCrate = R"({"name": "crate", "links": [{"name": "crate", "mass_kg": 8,
  "inertia_kgm2": [0.2133, 0.2133, 0.2133],
  "shapes": [{"box": {"center_m": [0, 0, 0], "half_m": [0.2, 0.2, 0.2]}}]}]})";

std::shared_ptr<const Library> library() { return testing::test_library(); }

Room empty_room(int threads = 1) {
  RoomSettings settings;
  settings.scene = "empty";
  settings.threads = threads;
  return Room(library(), settings);
}

Command command(const std::string& json) {
  const auto message = schema::parse_message<v1::Command>(json);
  EXPECT_TRUE(message.ok()) << json;
  auto made = command_from_proto(*message);
  if (const auto* error = std::get_if<CommandError>(&made)) {
    ADD_FAILURE() << error->message;
    return Pause{};
  }
  return std::get<Command>(std::move(made));
}

Command crate_at(double x, double y, double z) {
  return command(R"({"spawn_thing": {"thing_definition": )" + std::string(kCrate) +
                 ", \"position_m\": [" + std::to_string(x) + ", " + std::to_string(y) + ", " +
                 std::to_string(z) + "]}}");
}

CharacterId put(Room& room, const Command& what) {
  const CommandResult result = room.apply(what);
  EXPECT_FALSE(result.error) << result.error->message;
  return result.character;
}

ThingSnapshot thing(const Room& room, CharacterId id);

TEST(Thing, TheFallenAreSetUprightClearOfIt) {
  RoomSettings settings;
  settings.scene = "pair";
  Room room(library(), settings);
  room.set_state_for_test(1, testing::lying_state(room, 1));
  run(room, 0.3);
  const Vec3 lies = room.snapshot()->characters[0].root.position;
  const CharacterId crate = put(room, crate_at(lies.x(), lies.y() + 0.45, 0.2));
  for (int i = 0; i < 60 && room.snapshot()->characters[0].flags & kFlagFallen; ++i)
    run(room, 0.02);
  const auto up = room.snapshot();
  ASSERT_FALSE(up->characters[0].flags & kFlagFallen);
  const Vec2 apart = (up->characters[0].root.position - thing(room, crate).root.position).head<2>();
  EXPECT_GT(apart.norm(), 0.55) << "half the crate, and room for the body";
}

ThingSnapshot thing(const Room& room, CharacterId id) {
  const auto snapshot = room.snapshot();
  for (const ThingSnapshot& one : snapshot->things) {
    if (one.id == id) return one;
  }
  ADD_FAILURE() << "no thing " << id;
  return {};
}

TEST(Things, FallLieStillAndSleep) {
  Room room = empty_room();
  const CharacterId id = put(room, crate_at(0, 0, 0.5));
  run(room, 3);
  EXPECT_NEAR(thing(room, id).root.position.z(), 0.2, 0.003);
  EXPECT_TRUE(thing(room, id).asleep);
}

TEST(Things, ShareTheNumbersOfCharacters) {
  Room room = empty_room();
  const CharacterId first = put(room, crate_at(0, 0, 0.2));
  const CharacterId human = put(room, command(R"({"spawn": {"body": "human"}})"));
  const CharacterId second = put(room, crate_at(3, 0, 0.2));
  EXPECT_EQ(human, first + 1);
  EXPECT_EQ(second, first + 2);
  EXPECT_EQ(room.thing_count(), 2u);
  EXPECT_EQ(room.character_count(), 1u);
}

TEST(Things, WakeWhenPushedAndWhenHit) {
  Room room = empty_room();
  const CharacterId still = put(room, crate_at(0, 0, 0.2));
  run(room, 2);
  ASSERT_TRUE(thing(room, still).asleep);
  put(room, command(R"({"push": {"character": )" + std::to_string(still) +
                    R"(, "force_n": [200, 0, 0]}})"));
  run(room, 0.2);
  EXPECT_FALSE(thing(room, still).asleep);
  EXPECT_GT(thing(room, still).root.position.x(), 0.02);
  run(room, 4);
  ASSERT_TRUE(thing(room, still).asleep);
  const double x = thing(room, still).root.position.x();
  put(room, command(R"({"spawn_thing": {"thing_definition": )" + std::string(kCrate) +
                    R"(, "position_m": [)" + std::to_string(x - 1) +
                    R"(, 0, 0.3], "velocity_mps": [6, 0, 0]}})"));
  run(room, 1.5);
  EXPECT_GT(thing(room, still).root.position.x(), x + 0.1);
}

TEST(Things, ThatSleepBesideAPersonAreRestoredToTheSameHash) {
  Room room = empty_room();
  put(room, command(R"({"spawn": {"body": "human"}})"));
  // Near enough to be in the person's island, too far to be touched.
  const CharacterId id = put(room, crate_at(0, 0.55, 0.2));
  run(room, 3);
  ASSERT_TRUE(thing(room, id).asleep);
  room.state_hash();  // a part of which a sleeper keeps
  run(room, 1);
  ASSERT_TRUE(thing(room, id).asleep);
  const v1::Checkpoint saved = room.save();
  Room other(library(), settings_of(saved, 1));
  const auto error = other.restore(saved);
  EXPECT_FALSE(error) << error->message;
}

TEST(Things, AreDraggedUntilHalfASecondAfterTheLastCommand) {
  Room room = empty_room();
  const CharacterId id = put(room, crate_at(0, 0, 0.2));
  const Command drag =
      command(R"({"drag": {"character": )" + std::to_string(id) + R"(, "target_m": [0, 0, 1.5]}})");
  for (int i = 0; i < 20; ++i) {
    ASSERT_FALSE(room.apply(drag).error);
    run(room, 0.1);
  }
  EXPECT_NEAR(thing(room, id).root.position.z(), 1.5, 0.1);
  run(room, 0.4);
  EXPECT_GT(thing(room, id).root.position.z(), 1.3);
  run(room, 2);
  EXPECT_NEAR(thing(room, id).root.position.z(), 0.2, 0.05);
}

TEST(Things, HangOnTiesUntilReleased) {
  Room room = empty_room();
  const CharacterId id = put(room, crate_at(0, 0, 2));
  const CommandResult tied = room.apply(
      command(R"({"tie": {"tie": {"kind": "BALL", "a": {"id": )" + std::to_string(id) + "}}}}"));
  ASSERT_FALSE(tied.error) << tied.error->message;
  EXPECT_EQ(tied.tie, 1u);
  run(room, 1);
  EXPECT_NEAR(thing(room, id).root.position.z(), 2, 0.01);
  ASSERT_EQ(room.snapshot()->roster->ties.size(), 1u);
  ASSERT_FALSE(room.apply(Release{tied.tie, 0}).error);
  run(room, 2);
  EXPECT_LT(thing(room, id).root.position.z(), 0.3);
  EXPECT_TRUE(room.snapshot()->roster->ties.empty());
}

TEST(Things, HaveOwnTiesFarFromTheirLinks) {
  Room room = empty_room();
  // A beam on a post, which would swing down about its left end if its right one were not tied.
  const CharacterId id = put(room, command(R"({"spawn_thing": {"position_m": [0, 0, 4],
    "thing_definition": {"name": "bridge", "root": "FIXED",
      "links": [{"name": "post", "mass_kg": 10, "inertia_kgm2": [1, 1, 1],
                 "shapes": [{"sphere": {"center_m": [0, 0, 0], "radius_m": 0.1}}]},
                {"name": "beam", "mass_kg": 10, "inertia_kgm2": [0.1, 30, 30],
                 "shapes": [{"capsule": {"from_m": [-3, 0, 0], "to_m": [3, 0, 0], "radius_m": 0.1}}]}],
      "joints": [{"name": "hinge", "parent": "post", "child": "beam", "kind": "HINGE",
                  "axis": [0, 1, 0], "at_parent_m": [0, 0, 1], "at_child_m": [-3, 0, 0]}],
      "ties": [{"name": "end", "kind": "HINGE", "axis": [0, 1.0005, 0], "a": {"link": "post", "point_m": [6, 0, 1]},
                "b": {"link": "beam", "point_m": [3, 0, 0]}}]}}})"));
  run(room, 2);
  EXPECT_NEAR(room.body_for_test(id)->links()[1].position.z(), 5, 0.02);
}

TEST(Things, GripsBreakAtTheirForceAndSaySo) {
  Room room = empty_room();
  const CharacterId id = put(room, crate_at(0, 0, 2));
  const CommandResult held = room.apply(
      command(R"({"grip": {"max_force_n": 40, "a": {"id": )" + std::to_string(id) + "}}}"));
  ASSERT_FALSE(held.error) << held.error->message;
  const auto events = run(room, 2);  // 8 kg weigh 78 N
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().kind, RoomEvent::Kind::kNotice);
  EXPECT_THAT(events.front().text, HasSubstr("broke"));
  EXPECT_LT(thing(room, id).root.position.z(), 0.3);
}

TEST(Things, OutOfTheWorldAreRemovedWithANotice) {
  Room room = empty_room();
  const CharacterId id = put(room, crate_at(0, 0, -30));
  const auto events = run(room, 0.1);
  EXPECT_EQ(room.thing_count(), 0u);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].character, id);
  EXPECT_EQ(events[0].kind, RoomEvent::Kind::kRemoved);
  EXPECT_THAT(events[0].text, HasSubstr("removed"));
}

TEST(Ties, GoOnAtTheSameLinkOfANewBodyOrLetGo) {
  RoomSettings settings;
  settings.scene = "pair";
  Room room(library(), settings);
  const CharacterId crate = put(room, crate_at(0, 0, 3));
  put(room, SetController{1, "hold"});
  put(room, command(R"({"grip": {"a": {"id": 1, "link": "torso"}, "max_force_n": 1000000}})"));
  put(room, command(R"({"grip": {"a": {"id": 1, "link": "right_toes"},
                                 "b": {"id": )" +
                    std::to_string(crate) + R"(, "point_m": [0, 0, -2]}}})"));
  put(room, SetBody{1, "child"});
  const auto held = room.snapshot()->roster->ties;
  ASSERT_EQ(held.size(), 2u);
  EXPECT_EQ(held[0].a.link, "torso");
  EXPECT_EQ(held[1].a.link, "right_toes");
  run(room, 0.2);
  put(room, SetBody{1, "cat"});
  EXPECT_TRUE(room.snapshot()->roster->ties.empty()) << "a cat has neither link";
  run(room, 0.2);
}

// A beam on a post that stands fast; it drops about its left end unless its own ties hold the right
// one.
std::string bridge(const std::string& name, const std::string& ties, double rest = 0) {
  return R"({"name": ")" + name + R"(", "root": "FIXED",
      "links": [{"name": "post", "mass_kg": 10, "inertia_kgm2": [1, 1, 1],
                 "shapes": [{"sphere": {"center_m": [0, 0, 0], "radius_m": 0.1}}]},
                {"name": "beam", "mass_kg": 10, "inertia_kgm2": [0.1, 30, 30],
                 "shapes": [{"capsule": {"from_m": [-3, 0, 0], "to_m": [3, 0, 0], "radius_m": 0.1}}]}],
      "joints": [{"name": "hinge", "parent": "post", "child": "beam", "kind": "HINGE",
                  "axis": [0, 1, 0], "at_parent_m": [0, 0, 2], "at_child_m": [-3, 0, 0],
                  "rest_rad": [)" +
         std::to_string(rest) + R"(]}], "ties": [)" + ties + "]}";
}
const std::string kEnd = R"({"name": "end", "kind": "BALL",
    "a": {"link": "post", "point_m": [6, 0, 2]}, "b": {"link": "beam", "point_m": [3, 0, 0]}})";
const std::string kWeld = R"({"name": "weld", "kind": "WELD",
    "a": {"link": "post", "point_m": [0, 0, 2]}, "b": {"link": "beam", "point_m": [-3, 0, 0]}})";

Command spawn_held(const std::string& definition) {
  return command(R"({"spawn": {"controller": "limp", "body_definition": )" + definition + "}}");
}
Command change_body(CharacterId id, const std::string& definition) {
  return command(R"({"set_body": {"character": )" + std::to_string(id) + R"(, "definition": )" +
                 definition + "}}");
}

// m, that the middle of the beam is above the level of its hinge.
double sag(const Room& room, CharacterId id) {
  const auto& links = room.body_for_test(id)->links();
  return links[1].position.z() - (links[0].position.z() + 2);
}
std::vector<TieEntry> ties_of(const Room& room) { return room.snapshot()->roster->ties; }

TEST(Ties, OfACharactersFileHold) {
  Room room = empty_room();
  const CharacterId id = put(room, spawn_held(bridge("bridge", kEnd)));
  const CharacterId loose = put(room, spawn_held(bridge("loose", "")));
  ASSERT_EQ(ties_of(room).size(), 1u);
  EXPECT_EQ(ties_of(room)[0].a.id, id);
  EXPECT_EQ(ties_of(room)[0].b.link, "beam");
  run(room, 1);
  EXPECT_NEAR(sag(room, id), 0, 0.02);
  EXPECT_LT(sag(room, loose), -0.5);
}

TEST(Ties, OfACharactersFileHoldAgainAfterAQuarantineAResetAndAPlace) {
  RoomSettings settings;
  settings.scene = "pair";  // where they come back after half a second
  Room room(library(), settings);
  const CharacterId id = put(room, spawn_held(bridge("bridge", kEnd)));
  physics::ArticulationState broken = room.body_for_test(id)->state();
  broken.velocity.back() = std::nan("");
  ASSERT_TRUE(room.set_state_for_test(id, broken));
  EXPECT_EQ(testing::count(run(room, 0.1), RoomEvent::Kind::kQuarantined), 1);
  EXPECT_TRUE(ties_of(room).empty());
  run(room, 1.5);
  ASSERT_EQ(ties_of(room).size(), 1u);
  EXPECT_NEAR(sag(room, id), 0, 0.02);
  for (const Command& back : {Command(Reset{id}), Command(Place{id, Vec2(20, 0), {}, 1})}) {
    ASSERT_FALSE(room.apply(Release{0, id}).error);
    EXPECT_TRUE(ties_of(room).empty());
    run(room, 0.2);
    put(room, back);
    ASSERT_EQ(ties_of(room).size(), 1u);
    run(room, 0.5);
    EXPECT_NEAR(sag(room, id), 0, 0.02);
  }
}

TEST(Ties, OfAFileChangeWithTheBodyAndOthersStay) {
  Room room = empty_room();
  const CharacterId id = put(room, spawn_held(bridge("bridge", kEnd)));
  AddTie spring;
  spring.kind = TieType::kSpring;
  spring.a = {id, "post", {}};
  spring.b = {id, "beam", {}};
  spring.length = 3;
  spring.stiffness = 0.001;
  put(room, spring);
  ASSERT_EQ(ties_of(room).size(), 2u);
  put(room, change_body(id, bridge("loose", "")));
  ASSERT_EQ(ties_of(room).size(), 1u);
  EXPECT_EQ(ties_of(room)[0].kind, TieType::kSpring);
  run(room, 1);
  EXPECT_LT(sag(room, id), -0.5);
  // A weld made while the beam hangs holds it as in the rest pose: half a radian up.
  put(room, change_body(id, bridge("raised", kWeld, -0.5)));
  ASSERT_EQ(ties_of(room).size(), 2u);
  EXPECT_EQ(ties_of(room)[1].kind, TieType::kWeld);
  EXPECT_EQ(ties_of(room)[1].id, 3u);
  run(room, 2);
  EXPECT_NEAR(sag(room, id), 3 * std::sin(0.5), 0.05);
}

TEST(Ties, OfACharactersFileAreSavedAndGoOnAsTheyDid) {
  Room room = empty_room();
  const CharacterId id = put(room, spawn_held(bridge("bridge", kEnd)));
  run(room, 0.5);
  const v1::Checkpoint saved = room.save();
  Room other(library(), settings_of(saved, 1));
  const auto error = other.restore(saved);
  ASSERT_FALSE(error) << error->message;
  for (Room* one : {&room, &other}) {
    ASSERT_FALSE(one->apply(Release{0, id}).error);
    run(*one, 0.2);
    put(*one, Reset{id});
    run(*one, 0.2);
    EXPECT_EQ(ties_of(*one).size(), 1u);
    put(*one, change_body(id, bridge("loose", "")));
    EXPECT_TRUE(ties_of(*one).empty()) << "it is known whose tie it was";
    run(*one, 0.2);
  }
  EXPECT_EQ(other.state_hash(), room.state_hash());
}

TEST(Ties, OfAThingsFileHoldWhereItIsPlaced) {
  Room room = empty_room();
  const CharacterId id = put(room, command(R"({"spawn_thing": {"position_m": [0, 0, 4],
      "thing_definition": )" + bridge("bridge", kEnd) +
                                           "}}"));
  put(room, Place{id, {}, Vec3(0, 5, 4), 1});
  ASSERT_EQ(ties_of(room).size(), 1u);
  run(room, 1);
  EXPECT_NEAR(sag(room, id), 0, 0.02);
}

TEST(Things, MoveAlikeOnAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    Room room = empty_room(threads);
    for (int i = 0; i < 12; ++i) put(room, crate_at(0.15 * (i % 3), 0.1 * (i % 2), 0.3 + 0.45 * i));
    put(room, crate_at(4, 0, 0.5));
    run(room, 2);
    hashes.push_back(room.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Things, PlaceRemoveAndResetReachThem) {
  Room room = empty_room();
  const CharacterId id = put(room, crate_at(0, 0, 0.2));
  put(room, Place{id, Vec2(2, 1), std::nullopt, 0.5});
  EXPECT_NEAR((thing(room, id).root.position - Vec3(2, 1, 0.2)).norm(), 0, 0.01);
  put(room, Reset{id});
  EXPECT_NEAR(thing(room, id).root.position.x(), 0, 1e-9);
  put(room, Remove{id});
  EXPECT_EQ(room.thing_count(), 0u);
}

struct RefusedCommand {
  const char* json;
  const char* field;
  const char* allowed;
};
class RefusedToThings : public ::testing::TestWithParam<RefusedCommand> {};

TEST_P(RefusedToThings, WithFieldAndWhatIsAllowedAndNothingChanged) {
  Room room = empty_room();
  const CharacterId id = put(room, crate_at(0, 0, 0.2));
  ASSERT_EQ(id, 1u);
  const std::uint64_t hash = room.state_hash();
  const auto message = schema::parse_message<v1::Command>(GetParam().json);
  ASSERT_TRUE(message.ok());
  const auto parsed = command_from_proto(*message);
  const auto* error = std::get_if<CommandError>(&parsed);
  const CommandResult result = error ? CommandResult{} : room.apply(std::get<Command>(parsed));
  if (!error && result.error) error = &*result.error;
  ASSERT_TRUE(error) << GetParam().json;
  EXPECT_EQ(error->field, GetParam().field);
  EXPECT_THAT(error->allowed, HasSubstr(GetParam().allowed));
  EXPECT_EQ(room.state_hash(), hash);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedToThings,
    ::testing::Values(
        RefusedCommand{R"({"spawn_thing": {"thing": "unicorn"}})", "spawn_thing.thing", ""},
        RefusedCommand{R"({"spawn_thing": {"thing": "x", "position_m": [1]}})",
                       "spawn_thing.position_m", "2 or 3 numbers"},
        RefusedCommand{R"({"spawn_thing": {"thing": "x", "velocity_mps": [99, 0, 0]}})",
                       "spawn_thing.velocity_mps[0]", "-30 to 30 m/s"},
        RefusedCommand{R"({"place": {"character": 1}})", "place.position_m", "2 or 3"},
        RefusedCommand{R"({"drag": {"character": 9, "target_m": [0, 0, 1]}})", "drag.character",
                       "1"},
        RefusedCommand{R"({"drag": {"character": 1, "link": "tail", "target_m": [0, 0, 1]}})",
                       "drag.link", "crate"},
        RefusedCommand{R"({"drag": {"character": 1, "max_force_n": -1, "target_m": [0, 0, 1]}})",
                       "drag.max_force_n", "0 to 5000 N"},
        RefusedCommand{R"({"grip": {}})", "grip.a.id", "a character or thing"},
        RefusedCommand{R"({"grip": {"a": {"id": 1}, "b": {"id": 7}}})", "grip.b.id", "the world"},
        RefusedCommand{R"({"grip": {"a": {"id": 1}, "b": {"id": 1}}})", "grip.b.link",
                       "another link"},
        RefusedCommand{R"({"grip": {"a": {"id": 1}, "stiffness_npm": -5}})", "grip.stiffness_npm",
                       "0 to"},
        RefusedCommand{R"({"tie": {"tie": {"a": {"id": 1}}}})", "tie.tie.kind", "HINGE"},
        RefusedCommand{
            R"({"tie": {"tie": {"a": {"id": 1}, "kind": "HINGE", "axis": [0, 0, 0.5]}}})",
            "tie.tie.axis", "length 1"},
        RefusedCommand{R"({"tie": {"tie": {"a": {"id": 1}, "kind": "SLIDER", "axis": [0, 2, 0]}}})",
                       "tie.tie.axis", "length 1"},
        RefusedCommand{R"({"release": {"id": 5}})", "release.id", "none"},
        RefusedCommand{R"({"release": {}})", "release.id", "one of the two"},
        RefusedCommand{R"({"stop": {"character": 1}})", "stop.character",
                       "none: there is no character here"},
        RefusedCommand{R"({"set_controller": {"character": 1, "controller": "limp"}})",
                       "set_controller.character", "none: there is no character here"},
        RefusedCommand{R"({"drag": {"character": 9}})", "drag.character",
                       "1, the only character or thing here"}));

TEST(Things, ThatAreNamedForACharacterAreToldFromTheCharacters) {
  Room room = empty_room();
  const CharacterId id = put(room, crate_at(0, 0, 0.2));
  ASSERT_FALSE(room.apply(Spawn{"human", "normal", {}, 0, false}).error);
  ASSERT_FALSE(room.apply(Spawn{"human", "normal", {}, 0, false}).error);
  EXPECT_EQ(room.apply(SetController{id, "limp"}).error->message,
            "set_controller.character is 1, a thing; allowed: one of the 2 characters here, from 2 "
            "to 3");
  EXPECT_EQ(room.apply(command(R"({"grip": {"a": {"id": 7}}})")).error->allowed,
            "one of the 3 characters and things here, from 1 to 3, or 0 for the world");
}

}  // namespace
}  // namespace promenade::world
