// Snapshots of large crowds: which characters are posed in each, and memory that is used again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "world/showing/shown_poses.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing

constexpr int kCount = 310;  // more than are posed anyway

/// People who stroll, light, over 60 m.
struct Showing : ::testing::Test {
  Showing() {
    auto library = library_with({{"many", R"("crowds": [{"count": 310, "center_m": [0, 0],
        "radius_m": 30, "controller": "pendulum", "bodies": ["human"], "styles": ["normal"],
        "wander": true}])"}});
    EXPECT_TRUE(library.ok());
    room = std::make_unique<Room>(*library, settings_for("many"));
    run(*room, 1);
  }
  /// Looks at the joints of those within 10 m of the middle, from above.
  static Onlookers from_above() {
    Onlookers out;
    out.all = false;
    out.eyes.push_back({Vec3(0, 0, 5), Vec3(0, 0, -1), -1, 10});
    return out;
  }
  static bool same_joints(const Snapshot& a, const Snapshot& b, std::size_t i) {
    const std::size_t first = a.characters[i].first_coordinate;
    const std::size_t end =
        i + 1 < a.characters.size() ? a.characters[i + 1].first_coordinate : a.coordinates.size();
    return std::equal(a.coordinates.begin() + std::ptrdiff_t(first),
                      a.coordinates.begin() + std::ptrdiff_t(end),
                      b.coordinates.begin() + std::ptrdiff_t(first));
  }
  std::unique_ptr<Room> room;
};

TEST_F(Showing, PosesThoseWhoAreLookedAtAndTheOthersByTurns) {
  const Onlookers onlookers = from_above();
  room->make_snapshot(true, onlookers);  // all for the first time
  int others = 0, late = 0;
  for (std::uint64_t round = 1; round <= 24; ++round) {
    room->tick();
    const auto some = room->make_snapshot(true, onlookers), all = room->make_snapshot();
    ASSERT_EQ(some->characters.size(), std::size_t(kCount));
    for (std::size_t i = 0; i < some->characters.size(); ++i) {
      const CharacterSnapshot& one = some->characters[i];
      const CharacterSnapshot& whole = all->characters[i];
      const bool same = same_joints(*some, *all, i);
      // Wherever the joints are from, it is where it is.
      EXPECT_LT((one.root.position - whole.root.position).norm(), 0.08) << i;
      if (onlookers.look_at(one.id, one.report.com)) {
        EXPECT_TRUE(same) << i;
        EXPECT_EQ(one.root.position, whole.root.position);
      } else {
        ++others;
        late += same ? 0 : 1;
      }
    }
  }
  EXPECT_GT(others, 24 * kCount / 2);
  // make_snapshot() for all poses them, too, so that a turn is never long ago.
  EXPECT_GT(late, 0);
}

TEST_F(Showing, NobodyKeepsAPoseForLongerThanARound) {
  const Onlookers nobody{false, {}, {}};
  std::vector<std::uint64_t> still(kCount, 0);
  auto before = room->make_snapshot(true, nobody);
  for (int round = 0; round < 24; ++round) {
    room->tick();
    const auto now = room->make_snapshot(true, nobody);
    for (std::size_t i = 0; i < now->characters.size(); ++i) {
      still[i] = same_joints(*before, *now, i) ? still[i] + 1 : 0;
      if (now->characters[i].flags & kFlagStanding) still[i] = 0;
      EXPECT_LT(still[i], ShownPoses::kTurns) << i;
    }
    before = now;
  }
}

TEST_F(Showing, TheChosenArePosedWhereverTheyAre) {
  Onlookers onlookers{false, {}, {7, 300}};
  room->make_snapshot(true, onlookers);
  for (int round = 0; round < 3; ++round) {
    room->tick();
    const auto some = room->make_snapshot(true, onlookers), all = room->make_snapshot();
    for (const std::size_t i : {6u, 299u}) EXPECT_TRUE(same_joints(*some, *all, i)) << i;
  }
}

TEST_F(Showing, WhoIsInThePhysicsIsShownAsItIs) {
  ASSERT_FALSE(room->apply(SetController{5, "gbwc"}).error);
  const Onlookers nobody{false, {}, {}};
  for (int round = 0; round < 4; ++round) {
    room->tick();
    const auto some = room->make_snapshot(true, nobody), all = room->make_snapshot();
    EXPECT_TRUE(same_joints(*some, *all, 4));
    EXPECT_EQ(some->characters[4].root.position, all->characters[4].root.position);
  }
}

TEST_F(Showing, ASnapshotThatSomebodyKeepsNeverChanges) {
  const auto kept = room->make_snapshot();
  const Snapshot copy = *kept;
  for (int i = 0; i < 10; ++i) {
    room->tick();
    room->make_snapshot();
  }
  EXPECT_EQ(kept->tick, copy.tick);
  EXPECT_EQ(kept->coordinates, copy.coordinates);
  EXPECT_EQ(kept->way_points, copy.way_points);
  EXPECT_EQ(kept->characters[9].root.position, copy.characters[9].root.position);
}

TEST_F(Showing, SnapshotsOutliveTheirRoom) {
  const auto kept = room->make_snapshot();
  room.reset();
  EXPECT_EQ(kept->characters.size(), std::size_t(kCount));
}

// The memory of a snapshot is that of an earlier one, of more characters and things.
TEST_F(Showing, NothingIsLeftOfTheSnapshotBefore) {
  room->make_snapshot();
  ASSERT_FALSE(room->apply(Push{3, "torso", Vec3::Zero(), Vec3(50, 0, 0), 0.1}).error);
  room->tick();
  EXPECT_TRUE(room->make_snapshot()->characters[2].flags & kFlagPushed);
  for (const CharacterId id : {1u, 2u}) ASSERT_FALSE(room->apply(Remove{id}).error);
  run(*room, 0.5);
  const auto now = room->make_snapshot();
  ASSERT_EQ(now->characters.size(), std::size_t(kCount - 2));
  EXPECT_EQ(now->characters[0].id, 3u);
  EXPECT_FALSE(now->characters[0].flags & kFlagPushed);
  EXPECT_TRUE(now->characters[0].push_force.isZero());
  EXPECT_EQ(now->coordinates.size(),
            now->characters.back().first_coordinate + now->roster->entries.back().coordinates);
}

TEST_F(Showing, TheHashIsThereWhereItIsWanted) {
  EXPECT_EQ(room->make_snapshot()->state_hash, room->state_hash());
  EXPECT_TRUE(room->make_snapshot()->has_hash);
  EXPECT_FALSE(room->make_snapshot(false)->has_hash);
}

}  // namespace
}  // namespace promenade::world
