#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <new>

#include "support.h"

// Every operator new of this binary counts, so that a test can forbid them.
namespace {
thread_local long allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace promenade::physics {
namespace {

TEST(Step, AllocatesNothingOnceItsBuffersHaveGrown) {
  const Vec3 half(0.2, 0.2, 0.1);
  TerrainBox plank;
  plank.pose.position = Vec3(0, 0, 0.1);
  plank.half = Vec3(1, 1, 0.1);
  const Terrain terrain({plank});
  ArticulatedBody low(test::box_model(5, half)), high(test::box_model(3, half));
  Pose pose;
  pose.position = Vec3(0, 0, 0.3);
  low.set_state(ArticulatedBody::zero_state(low.model(), pose));
  pose.position = Vec3(0.05, 0.02, 0.5);
  high.set_state(ArticulatedBody::zero_state(high.model(), pose));
  const std::array<ArticulatedBody*, 2> both{&low, &high};
  for (int i = 0; i < 240; ++i) step_island(both, terrain, StepSettings{});
  const long before = allocations;
  for (int i = 0; i < 480; ++i) {
    low.add_force({0, low.links()[0].position, Vec3(1, 0, 0)});
    step_island(both, terrain, StepSettings{});
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_FALSE(high.contacts().empty() && low.contacts().empty());
}

}  // namespace
}  // namespace promenade::physics
