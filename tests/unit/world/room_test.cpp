#include "world/room/room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "math/rotation.h"
#include "support/paths.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing

std::vector<std::uint64_t> hashes(const std::string& scene, int threads, std::uint64_t seed = 0) {
  RoomSettings settings = settings_for(scene, threads);
  settings.seed = seed;
  Room room(test_library(), settings);
  std::vector<std::uint64_t> out;
  for (int i = 0; i < 4; ++i) {
    run(room, 1);
    // A push in the middle, so that the crowd bumps into each other.
    room.apply(Push{CharacterId(1 + i), "torso", Vec3::Zero(), Vec3(300, 200, 0), 0.2});
    out.push_back(room.state_hash());
  }
  return out;
}

TEST(Room, SameSeedSameHashTwice) { EXPECT_EQ(hashes("crowd", 1), hashes("crowd", 1)); }

TEST(Room, TheNumberOfThreadsChangesNothing) {
  const auto one = hashes("crowd", 1);
  EXPECT_EQ(one, hashes("crowd", 2));
  EXPECT_EQ(one, hashes("crowd", 4));
}

TEST(Room, TheNumberOfThreadsChangesNothingThatIsShown) {
  Room one(test_library(), settings_for("crowd", 1)),
      four(test_library(), settings_for("crowd", 4));
  for (Room* room : {&one, &four}) {
    run(*room, 1);
    room->apply(Push{2, "torso", Vec3::Zero(), Vec3(300, 200, 0), 0.2});
    run(*room, 0.1);
    EXPECT_TRUE(room->body_for_test(2)->fine()) << "steps in parts are shared out too";
  }
  const auto a = one.snapshot(), b = four.snapshot();
  EXPECT_EQ(a->state_hash, b->state_hash);
  EXPECT_EQ(a->state_hash, one.state_hash());
  EXPECT_EQ(a->coordinates, b->coordinates);
  ASSERT_EQ(a->characters.size(), b->characters.size());
  for (std::size_t i = 0; i < a->characters.size(); ++i) {
    EXPECT_EQ(a->characters[i].id, b->characters[i].id);
    EXPECT_EQ(a->characters[i].root.position, b->characters[i].root.position);
    EXPECT_EQ(a->characters[i].flags, b->characters[i].flags);
  }
  ASSERT_EQ(a->contacts.size(), b->contacts.size());
  ASSERT_FALSE(a->contacts.empty());
  for (std::size_t i = 0; i < a->contacts.size(); ++i) {
    EXPECT_EQ(a->contacts[i].position, b->contacts[i].position);
    EXPECT_EQ(a->contacts[i].character_index, b->contacts[i].character_index);
  }
}

TEST(Room, WhoHasFallenIsNotSteppedFinely) {
  Room room(test_library(), settings_for("pair"));
  run(room, 1);
  room.apply(Push{2, "torso", Vec3::Zero(), Vec3(0, 2500, 0), 0.2});
  bool fine = false;
  for (int i = 0; i < 60 * 4; ++i) {
    run(room, 1.0 / 60);
    const bool fallen = room.snapshot()->characters[1].flags & kFlagFallen;
    fine = fine || room.body_for_test(2)->fine();
    if (!fallen) continue;
    EXPECT_FALSE(room.body_for_test(2)->fine());
    EXPECT_TRUE(fine) << "while it fell";
    return;
  }
  FAIL() << "it did not fall";
}

TEST(Room, AnotherSeedIsAnotherCrowd) {
  EXPECT_NE(hashes("crowd", 1, 1).front(), hashes("crowd", 1, 2).front());
}

TEST(Room, TheHashSeesEverything) {
  Room room(test_library(), settings_for("pair"));
  const std::uint64_t before = room.state_hash();
  EXPECT_EQ(before, room.state_hash());
  physics::ArticulationState state = room.body_for_test(2)->state();
  state.velocity.back() += 1e-15;  // the least that can change
  room.set_state_for_test(2, state);
  EXPECT_NE(room.state_hash(), before);
  Room other(test_library(), settings_for("pair"));
  other.apply(SetHeading{1, 1e-9});
  EXPECT_NE(other.state_hash(), before) << "what somebody means to do counts too";
}

TEST(Room, TheHashSeesWhatContactsRemember) {
  Room room(test_library(), settings_for("pair"));
  run(room, 0.5);
  const std::uint64_t before = room.state_hash();
  room.set_state_for_test(1, room.body_for_test(1)->state());  // drops the contacts
  EXPECT_NE(room.state_hash(), before);
}

TEST(Room, TheyStandAndWalk) {
  Room room(test_library(), settings_for("pair"));
  auto events = run(room, 2);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 0);
  room.apply(SetVelocity{1, Vec2(0.6, 0), Frame::kCharacter});
  events = run(room, 8);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 0);
  const auto snapshot = room.snapshot();
  EXPECT_GT(snapshot->characters[0].root.position.x(), 2.5);
  EXPECT_LT(snapshot->characters[1].root.position.head<2>().x(), 0.5);
  EXPECT_TRUE(snapshot->characters[1].flags & kFlagStanding);
}

TEST(Room, TheFallenAreSetUprightAfterTheScenesDelay) {
  Room room(test_library(), settings_for("pair"));
  run(room, 0.5);
  room.set_state_for_test(1, lying_state(room, 1));
  auto events = run(room, 0.25);
  ASSERT_EQ(count(events, RoomEvent::Kind::kFell), 1);
  EXPECT_EQ(events.front().character, 1u);
  EXPECT_TRUE(room.snapshot()->characters[0].flags & kFlagFallen);
  EXPECT_FALSE(room.snapshot()->characters[1].flags & kFlagFallen);
  events = run(room, 0.15);
  EXPECT_TRUE(events.empty()) << "not before the delay";
  events = run(room, 0.4);
  ASSERT_EQ(count(events, RoomEvent::Kind::kGotUp), 1);
  const auto up = room.snapshot();
  EXPECT_FALSE(up->characters[0].flags & kFlagFallen);
  EXPECT_GT(up->characters[0].root.position.z(), 0.8);
  EXPECT_LT(up->characters[0].root.position.head<2>().norm(), 1.0) << "near where it lay";
  EXPECT_EQ(count(run(room, 2), RoomEvent::Kind::kFell), 0) << "and it stands";
}

TEST(Room, TheFallenFadeOutBeforeTheyAreSetUprightAndInAfterwards) {
  Room room(test_library(), settings_for("pair"));
  run(room, 0.5);
  EXPECT_EQ(room.snapshot()->characters[0].presence, kWholePresence);
  room.set_state_for_test(1, lying_state(room, 1));
  const double least_shown = 0.15;  // of presence, at the moment of the jump
  double height = 0;
  bool jumped = false;
  std::uint32_t last = kWholePresence;
  const auto ticks = int(1.6 / room.tick_seconds());
  for (int i = 0; i < ticks; ++i) {
    room.tick();
    const CharacterSnapshot c = room.snapshot()->characters[0];
    const double z = c.root.position.z();
    if (i > 0 && z - height > 0.3) {
      jumped = true;
      EXPECT_LT(last, least_shown * kWholePresence) << "all but gone before";
      EXPECT_LT(c.presence, least_shown * kWholePresence) << "and after";
    } else if (!jumped) {
      EXPECT_LE(c.presence, last);
    } else {
      EXPECT_GE(c.presence, last);
    }
    height = z;
    last = c.presence;
    EXPECT_EQ(room.snapshot()->characters[1].presence, kWholePresence);
  }
  EXPECT_TRUE(jumped);
  EXPECT_EQ(last, kWholePresence);
}

TEST(Room, ANegativeDelayLeavesThemLying) {
  Room room(test_library(), settings_for("lying"));
  room.set_state_for_test(1, lying_state(room, 1));
  const auto events = run(room, 6);
  EXPECT_EQ(count(events, RoomEvent::Kind::kFell), 1);
  EXPECT_EQ(count(events, RoomEvent::Kind::kGotUp), 0);
  EXPECT_FALSE(room.apply(Reset{1}).error);
  run(room, 0.1);
  EXPECT_FALSE(room.snapshot()->characters[0].flags & kFlagFallen);
}

// Bytes of one character's state.
std::vector<double> state_of(const Room& room, CharacterId id) {
  const physics::ArticulationState& s = room.body_for_test(id)->state();
  std::vector<double> out = s.velocity;
  for (int i = 0; i < 3; ++i) out.push_back(s.root.position[i]);
  for (const Quat& q : s.joint) {
    for (int i = 0; i < 4; ++i) out.push_back(q.coeffs()[i]);
  }
  return out;
}

TEST(Room, ANonFiniteStateIsQuarantinedAndNobodyElseNotices) {
  Room broken(test_library(), settings_for("pair")), whole(test_library(), settings_for("pair"));
  for (Room* room : {&broken, &whole}) {
    room->apply(SetVelocity{2, Vec2(0.5, 0), Frame::kCharacter});
    run(*room, 1);
  }
  broken.set_state_for_test(1, broken_state(broken, 1));
  auto events = run(broken, 0.25);
  run(whole, 0.25);
  ASSERT_EQ(count(events, RoomEvent::Kind::kQuarantined), 1);
  EXPECT_EQ(events.front().character, 1u);
  const auto snapshot = broken.snapshot();
  EXPECT_TRUE(snapshot->characters[0].flags & kFlagQuarantined);
  EXPECT_TRUE(snapshot->characters[0].root.position.allFinite());
  for (const float c : snapshot->coordinates) EXPECT_TRUE(std::isfinite(c));
  EXPECT_EQ(state_of(broken, 2), state_of(whole, 2)) << "bit for bit";

  events = run(broken, 1);
  run(whole, 1);
  EXPECT_EQ(count(events, RoomEvent::Kind::kGotUp), 1) << "it comes back";
  EXPECT_FALSE(broken.snapshot()->characters[0].flags & kFlagQuarantined);
  EXPECT_EQ(state_of(broken, 2), state_of(whole, 2));
  EXPECT_EQ(count(run(broken, 2), RoomEvent::Kind::kFell), 0);
}

TEST(Room, OneThatBreaksInTheMiddleOfOthersTakesNobodyAlong) {
  Room room(test_library(), settings_for("crowd"));
  run(room, 1);
  room.set_state_for_test(3, broken_state(room, 3));
  // Finite, but nothing that could be: caught before it turns into infinities.
  physics::ArticulationState fast = room.body_for_test(5)->state();
  fast.velocity[8] = 1e6;
  room.set_state_for_test(5, fast);
  const auto events = run(room, 1);
  EXPECT_EQ(count(events, RoomEvent::Kind::kQuarantined), 2);
  for (const CharacterId id : {1u, 2u, 4u, 6u, 7u, 8u}) {
    EXPECT_TRUE(room.body_for_test(id)->finite()) << id;
  }
}

TEST(Room, APathEndsInAnEventAndStanding) {
  Room room(test_library(), settings_for("pair"));
  ASSERT_FALSE(room.apply(FollowPath{1, {{Vec2(2, 0), Vec2(2, -1)}, false, 0.6}}).error);
  EXPECT_EQ(room.snapshot()->path_of(0).size(), 2u);
  const auto events = run(room, 15);
  ASSERT_EQ(count(events, RoomEvent::Kind::kFell), 0);
  EXPECT_EQ(count(events, RoomEvent::Kind::kArrived), 1);
  const Vec3 at = room.snapshot()->characters[0].root.position;
  EXPECT_LT((at.head<2>() - Vec2(2, -1)).norm(), 0.6);
  EXPECT_TRUE(room.snapshot()->way_points.empty());
}

TEST(Room, ANewRoomRefusesWrongSettings) {
  const auto message = [](RoomSettings settings) -> std::string {
    try {
      Room room(test_library(), settings);
    } catch (const RoomError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(settings_for("nowhere")), ::testing::HasSubstr("crowd, empty, lying, pair"));
  EXPECT_THAT(message(settings_for("pair", 0)), ::testing::HasSubstr("1 to 64"));
  RoomSettings few = settings_for("crowd");
  few.max_characters = 7;
  EXPECT_THAT(message(few), ::testing::HasSubstr("at least the scene's 8"));
}

TEST(Room, SnapshotsAndRostersMatch) {
  Room room(test_library(), settings_for("pair"));
  const auto first = room.snapshot();
  ASSERT_EQ(first->roster->entries.size(), 2u);
  EXPECT_EQ(first->roster->entries[1].style, "stroll");
  EXPECT_EQ(first->roster->bodies[std::size_t(first->roster->entries[0].body)]->name, "human");
  EXPECT_EQ(first->characters[1].first_coordinate * 2, first->coordinates.size());
  EXPECT_EQ(first->state_hash, room.state_hash());
  run(room, 0.1);
  EXPECT_EQ(room.snapshot()->roster, first->roster) << "unchanged: the same object";
  EXPECT_EQ(first->tick, 0u) << "what was published stays as it was";
  room.apply(SetStyle{1, "march"});
  const auto later = room.snapshot();
  EXPECT_GT(later->roster->version, first->roster->version);
  EXPECT_EQ(later->roster->entries[0].style, "march");
  EXPECT_EQ(later->roster->epoch, first->roster->epoch);
}

TEST(Room, TheSquareRunsTheSameOnTwoThreads) {
  auto library = Library::load(test::data_dir());
  ASSERT_TRUE(library.ok()) << library.error().text();
  std::uint64_t expected = 0;
  for (const int threads : {1, 2}) {
    Room room(*library, settings_for("square", threads));
    EXPECT_EQ(room.character_count(), 24u);
    run(room, 3);
    if (threads == 1) expected = room.state_hash();
    EXPECT_EQ(room.state_hash(), expected);
  }
}

}  // namespace
}  // namespace promenade::world
