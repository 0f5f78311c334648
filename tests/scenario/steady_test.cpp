// A room that has found its size: ticks allocate nothing.
#include <string>

#include "shared.h"
#include "study/bench/allocation_counter.h"
#include "world/room.h"

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

}  // namespace
}  // namespace promenade
