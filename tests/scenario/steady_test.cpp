// A room that has found its size: ticks allocate nothing. Nor do rollouts that begin anew.
#include <string>

#include "shared.h"
#include "study/bench/allocation_counter.h"
#include "world/room/room.h"

namespace promenade {
namespace {

/// Allocations in the ticks without events of `seconds`, after `warm_up` seconds.
std::uint64_t allocations(const std::string& scene, double warm_up, double seconds) {
  world::RoomSettings settings;
  settings.scene = scene;
  world::Room room(shipped(), settings);
  for (int tick = 0; tick < 60 * warm_up; ++tick) room.tick();
  std::uint64_t count = 0;
  for (int tick = 0; tick < 60 * seconds; ++tick) {
    const AllocationCounter counter;
    // A fall or an arrival is told in words: such a tick is not steady.
    const bool quiet = room.tick().empty();
    if (quiet) count += counter.count();
  }
  return count;
}

TEST(SteadyTick, OfBodiesThatNeverMeetAllocatesNothing) {
  EXPECT_EQ(allocations("bodies", 10, 10), 0u);
}

// Those in the square meet for the first time now and then, which makes them shapes for it.
TEST(SteadyTick, OfDancersInContactAllocatesNothing) {
  EXPECT_EQ(allocations("dancers", 20, 10), 0u);
}

/// Allocations of rollouts that begin again and again from a motion under way.
std::uint64_t allocations_of_starts(const trial::Walker& walker, double speed) {
  trial::Rollout present(walker, 1), planned(walker, 2);
  if (speed > 0) present.walk({speed, 0});
  planned.start_from(present);
  std::uint64_t count = 0;
  for (int i = 0; i < 200; ++i) {
    present.run(0.05);
    planned.run(0.02);
    const AllocationCounter counter;
    planned.start_from(present);
    count += counter.count();
  }
  return count;
}

TEST(Rollout, OfAnyCreatureBeginsAnewWithoutAllocating) {
  EXPECT_EQ(allocations_of_starts(human(), 0.8), 0u);
  for (const char* body : {"cat", "ant", "stool", "luxo", "planar_biped"}) {
    EXPECT_EQ(allocations_of_starts(trial::Walker::unstyled(*shipped(), body, "hold"), 0), 0u);
  }
  EXPECT_EQ(allocations_of_starts(trial::Walker::unstyled(*shipped(), "human", "limp"), 0), 0u);
}

}  // namespace
}  // namespace promenade
