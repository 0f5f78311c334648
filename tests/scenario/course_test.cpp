// The scene `course`: rounds over obstacles that are others each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "promenade/v1/scene.pb.h"
#include "support/paths.h"
#include "world/library/library.h"
#include "world/room/room.h"

namespace promenade::world {
namespace {

v1::CourseBlocks blocks_of(const Snapshot& snapshot) {
  v1::CourseBlocks blocks;
  EXPECT_TRUE(blocks.ParseFromString(snapshot.roster->course));
  return blocks;
}

/// m, from the nearest person to any block that is in one list and not in the other.
double nearest_to_a_change(const Snapshot& now, const v1::CourseBlocks& before,
                           const v1::CourseBlocks& after) {
  std::set<std::string> old;
  for (const v1::Block& block : before.blocks()) old.insert(block.SerializeAsString());
  double nearest = 1e9;
  for (const v1::Block& block : after.blocks()) {
    if (old.count(block.SerializeAsString()) > 0) continue;
    for (const CharacterSnapshot& one : now.characters) {
      const double away = std::hypot(
          std::max(0.0,
                   std::abs(one.root.position.x() - block.center_m(0)) - 0.5 * block.size_m(0)),
          std::max(0.0,
                   std::abs(one.root.position.y() - block.center_m(1)) - 0.5 * block.size_m(1)));
      nearest = std::min(nearest, away);
    }
  }
  return nearest;
}

TEST(CourseScene, MostRoundsPassWithoutAFallAndNobodyIsHitByWhatAppears) {
  auto library = Library::load(test::data_dir());
  ASSERT_TRUE(library.ok()) << library.error().text();
  int rounds = 0, upright = 0, falls = 0, changes = 0;
  std::set<std::string> seen;
  for (const std::uint64_t seed : {21, 22}) {
    RoomSettings settings;
    settings.scene = "course";
    settings.seed = seed;
    Room room(*library, settings);
    v1::CourseBlocks before = blocks_of(*room.make_snapshot(false));
    for (int i = 0; i < 60 * 180; ++i) {
      for (const RoomEvent& event : room.tick()) {
        falls += event.kind == RoomEvent::Kind::kFell;
        if (event.kind != RoomEvent::Kind::kNotice) continue;
        ++rounds;
        upright += event.text.find("without a fall") != std::string::npos;
      }
      if (i % 6 != 5) continue;
      const auto now = room.make_snapshot(false);
      const v1::CourseBlocks after = blocks_of(*now);
      if (after.SerializeAsString() == before.SerializeAsString()) continue;
      ++changes;
      seen.insert(after.SerializeAsString());
      EXPECT_GT(nearest_to_a_change(*now, before, after), 2);
      before = after;
    }
  }
  EXPECT_GE(rounds, 6) << "there is time for 8: a fall takes the time of a part of a round";
  EXPECT_GE(upright, 0.6 * rounds) << falls << " falls in " << rounds << " rounds";
  EXPECT_GE(changes, 4 * rounds / 2);
  EXPECT_EQ(int(seen.size()), changes) << "something that was there before came again";
}

}  // namespace
}  // namespace promenade::world
