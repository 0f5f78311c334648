#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "support.h"

namespace promenade::physics {
namespace {

TEST(Step, SameStartGivesTheSameBits) {
  const auto model = test::faller();
  const Ground ground = test::steps();
  ArticulatedBody a = test::dropped(model, 0, 0), b = test::dropped(model, 0, 0);
  for (int i = 0; i < 480 * 3; ++i) {
    test::step(a, ground, StepSettings{});
    test::step(b, ground, StepSettings{});
    ASSERT_TRUE(test::same_state(a, b)) << "step " << i;
  }
  EXPECT_GT(a.contacts().size(), 2u);
}

TEST(Step, SetStateLeavesNothingOfThePast) {
  const auto model = test::faller();
  const Ground ground = test::steps();
  ArticulatedBody a = test::dropped(model, 0, 0);
  for (int i = 0; i < 300; ++i) test::step(a, ground, StepSettings{});
  ArticulatedBody fresh = test::dropped(model, 5, 5);
  fresh.set_state(a.state());
  a.add_force({0, a.links()[0].position, Vec3(100, 0, 0)});
  a.set_state(ArticulationState(a.state()));
  EXPECT_TRUE(a.contacts().empty());
  for (int i = 0; i < 300; ++i) {
    test::step(a, ground, StepSettings{});
    test::step(fresh, ground, StepSettings{});
    ASSERT_TRUE(test::same_state(a, fresh)) << "step " << i;
  }
}

TEST(Step, BodiesThatDoNotTouchMoveAsIfAlone) {
  const auto model = test::faller();
  const Ground ground = test::steps();
  ArticulatedBody a = test::dropped(model, 0, 0), b = test::dropped(model, 40, 3);
  ArticulatedBody a_alone = test::dropped(model, 0, 0), b_alone = test::dropped(model, 40, 3);
  const std::array<ArticulatedBody*, 2> both{&a, &b};
  for (int i = 0; i < 480 * 2; ++i) {
    step_island(both, ground, StepSettings{}, test::workspace());
    test::step(a_alone, ground, StepSettings{});
    test::step(b_alone, ground, StepSettings{});
    ASSERT_TRUE(test::same_state(a, a_alone)) << "step " << i;
    ASSERT_TRUE(test::same_state(b, b_alone)) << "step " << i;
  }
}

TEST(Step, ThreadsThatShareAGroundDoNotDisturbEachOther) {
  const auto model = test::faller();
  const Ground ground = test::steps();
  constexpr int kBodies = 8;
  std::vector<ArticulatedBody> expected, got;
  for (int i = 0; i < kBodies; ++i) {
    expected.push_back(test::dropped(model, 0.1 * i - 0.4, 0.05 * i));
    got.push_back(test::dropped(model, 0.1 * i - 0.4, 0.05 * i));
  }
  const auto run = [&ground](ArticulatedBody& body) {
    for (int i = 0; i < 480; ++i) test::step(body, ground, StepSettings{});
  };
  for (ArticulatedBody& body : expected) run(body);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t; i < kBodies; i += 4) run(got[static_cast<std::size_t>(i)]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kBodies; ++i) EXPECT_TRUE(test::same_state(expected[i], got[i])) << i;
}

TEST(Step, ABodyThatIsNoLongerFiniteHarmsNobodyInItsIsland) {
  const auto model = test::faller();
  const Ground ground = test::steps();
  ArticulatedBody sick = test::dropped(model, 0, 0), well = test::dropped(model, 0.1, 0.1);
  const std::array<ArticulatedBody*, 2> both{&sick, &well};
  for (int i = 0; i < 100; ++i) step_island(both, ground, StepSettings{}, test::workspace());
  sick.drives()[1].feedforward.x() = std::nan("");
  for (int i = 0; i < 100; ++i) step_island(both, ground, StepSettings{}, test::workspace());
  EXPECT_FALSE(sick.finite());
  EXPECT_TRUE(well.finite());
}

}  // namespace
}  // namespace promenade::physics
