#include <gtest/gtest.h>

#include "study/bench/allocation_counter.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing

TEST(RoomAllocations, FewTicksOfACrowdMakeAny) {
  Room room(test_library(), settings_for("crowd"));
  run(room, 3);  // until most buffers have grown
  int ticks = 0;
  for (int tick = 0; tick < 120; ++tick) {
    const AllocationCounter counter;
    const auto events = room.tick();
    ticks += events.empty() && counter.count() > 0;
  }
  // An island of more bodies than any before still makes lists grow.
  EXPECT_LE(ticks, 3);
}

TEST(RoomAllocations, StandingMakesNoneAtAll) {
  Room room(test_library(), settings_for("pair"));
  run(room, 2);
  const AllocationCounter counter;
  for (int tick = 0; tick < 60; ++tick) room.tick();
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace promenade::world
