#include <gtest/gtest.h>

#include <array>

#include "study/bench/allocation_counter.h"
#include "support.h"

namespace promenade::physics {
namespace {

TEST(Step, AllocatesNothingOnceItsBuffersHaveGrown) {
  const Vec3 half(0.2, 0.2, 0.1);
  GroundBlock plank;
  plank.pose.position = Vec3(0, 0, 0.1);
  plank.half = Vec3(1, 1, 0.1);
  const Ground ground({plank});
  ArticulatedBody low(test::box_model(5, half)), high(test::box_model(3, half));
  Pose pose;
  pose.position = Vec3(0, 0, 0.3);
  low.set_state(ArticulatedBody::zero_state(low.model(), pose));
  pose.position = Vec3(0.05, 0.02, 0.5);
  high.set_state(ArticulatedBody::zero_state(high.model(), pose));
  const std::array<ArticulatedBody*, 2> both{&low, &high};
  for (int i = 0; i < 240; ++i) step_island(both, ground, StepSettings{}, test::workspace());
  const AllocationCounter counter;
  for (int i = 0; i < 480; ++i) {
    low.add_force({0, low.links()[0].position, Vec3(1, 0, 0)});
    step_island(both, ground, StepSettings{}, test::workspace());
  }
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_FALSE(high.contacts().empty() && low.contacts().empty());
}

TEST(Step, AllocatesNothingForMoreContactsThanEverBefore) {
  const Ground ground;
  std::vector<ArticulatedBody> bodies;
  for (int i = 0; i < 4; ++i) bodies.emplace_back(test::box_model(5, Vec3(0.2, 0.2, 0.1)));
  std::array<ArticulatedBody*, 4> all;
  const auto put = [&](double lowest, double apart) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = &bodies[i];
      Pose pose;
      pose.position.z() = lowest + apart * double(i);
      bodies[i].set_state(ArticulatedBody::zero_state(bodies[i].model(), pose));
    }
  };
  put(10, 5);  // in free fall, each by itself
  step_island(all, ground, StepSettings{}, test::workspace());
  ASSERT_TRUE(bodies[0].contacts().empty());
  put(0, 0.01);  // one within the other, and in the ground
  const AllocationCounter counter;
  step_island(all, ground, StepSettings{}, test::workspace());
  EXPECT_EQ(counter.count(), 0u);
  std::size_t contacts = 0;
  for (const ArticulatedBody& body : bodies) contacts += body.contacts().size();
  EXPECT_GT(contacts, 20u);
}

}  // namespace
}  // namespace promenade::physics
