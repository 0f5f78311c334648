// The scene zoo: every creature once, holding its pose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "math/random.h"
#include "math/rotation.h"
#include "physics/gravity.h"
#include "support/paths.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing

std::map<CharacterId, Vec3> places(const Room& room) {
  std::map<CharacterId, Vec3> out;
  const auto snapshot = room.snapshot();
  for (const CharacterSnapshot& c : snapshot->characters) out[c.id] = c.root.position;
  return out;
}

TEST(Zoo, HasEveryCreatureOnce) {
  Room room(own_library(), settings_for("zoo"));
  std::multiset<std::string> seen;
  const auto roster = room.snapshot()->roster;
  for (const RosterEntry& e : roster->entries) {
    seen.insert(roster->bodies[std::size_t(e.body)]->name);
  }
  EXPECT_THAT(seen, ::testing::ElementsAreArray(own_library()->bodies().names()));
}

class ZooShoved : public ::testing::TestWithParam<std::uint64_t> {};

// Each is pushed with 15 % of its weight for a tenth of a second, at a link and from a side of the
// seed's choice, and stands a minute after all.
TEST_P(ZooShoved, StandsAMinuteAndAnswersAShove) {
  RoomSettings settings = settings_for("zoo");
  settings.seed = GetParam();
  Room room(own_library(), settings);
  EXPECT_EQ(count(run(room, 3), RoomEvent::Kind::kFell), 0);
  const auto before = places(room);
  Random random = Random::stream(GetParam(), 0x200);
  for (const auto& [id, place] : before) {
    const physics::ArticulationModel& model = room.body_for_test(id)->model();
    const double angle = random.uniform(-kPi, kPi);
    const double force = 0.15 * model.total_mass * physics::kGravity;
    const bool planar = model.links[0].joint == physics::JointKind::kPlanar;
    const Vec3 direction =
        planar ? Vec3(angle < 0 ? -1 : 1, 0, 0) : Vec3(std::cos(angle), std::sin(angle), 0);
    const auto roster = room.snapshot()->roster;
    const auto& links = roster->bodies[std::size_t(roster->entries[id - 1].body)]->link_names;
    const std::string& link = links[std::size_t(random.uniform() * double(links.size()))];
    ASSERT_FALSE(room.apply(Push{id, link, Vec3::Zero(), force * direction, 0.1}).error);
  }
  run(room, 0.1);
  for (const auto& [id, place] : places(room)) {
    EXPECT_GT((place - before.at(id)).norm(), 0) << id;
  }
  EXPECT_EQ(count(run(room, 57), RoomEvent::Kind::kFell), 0);
  const auto snapshot = room.snapshot();
  for (const CharacterSnapshot& c : snapshot->characters) {
    const Creature& body =
        *snapshot->roster->bodies[std::size_t(snapshot->roster->entries[c.id - 1].body)];
    // Walkers step aside to stay up; the others stand where they stood, but for a creep of contacts
    // that is much to the ant alone.
    const bool walks = snapshot->roster->entries[c.id - 1].controller == "gbwc";
    EXPECT_LT((c.root.position - before.at(c.id)).norm(),
              walks ? 1.5 * body.standing_height : 0.05 * body.standing_height + 0.005)
        << body.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ZooShoved, ::testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace promenade::world
