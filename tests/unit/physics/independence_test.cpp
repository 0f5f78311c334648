#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "support.h"

namespace promenade::physics {
namespace {

/// Links with a box and capsules, dropped onto the ground: contacts of every kind.
std::shared_ptr<const ArticulationModel> faller() {
  ArticulationModel model;
  LinkModel& root = model.links.emplace_back();
  root.mass = 5;
  root.inertia = Vec3(0.12, 0.08, 0.1);
  root.shapes = {test::box_shape(Vec3(0.12, 0.1, 0.08))};
  for (const int parent : {0, 1, 0}) {
    test::add_link(model, parent, parent == 1 ? JointKind::kHinge : JointKind::kBall).shapes = {
        test::capsule_shape(Vec3(0, 0, 0.1), Vec3(0, 0, -0.12), 0.05)};
  }
  model.links[3].at_parent = Vec3(0, 0.2, 0);
  return test::finished(std::move(model));
}

ArticulatedBody dropped(const std::shared_ptr<const ArticulationModel>& model, double x, double y) {
  ArticulatedBody body(model);
  ArticulationState state = test::stirred_state(*model, 1);
  state.root.position = Vec3(x, y, 0.8);
  body.set_state(state);
  for (JointDrive& drive : body.drives()) {
    drive.kp = Vec3::Constant(20);
    drive.kd = Vec3::Constant(2);
  }
  return body;
}

Terrain steps() {
  std::vector<TerrainBox> boxes(3);
  for (int i = 0; i < 3; ++i) {
    TerrainBox& box = boxes[static_cast<std::size_t>(i)];
    box.pose.position = Vec3(0.4 * i - 0.3, 0, 0.05 * (i + 1));
    box.half = Vec3(0.2, 1, 0.05 * (i + 1));
  }
  return Terrain(std::move(boxes));
}

TEST(Step, SameStartGivesTheSameBits) {
  const auto model = faller();
  const Terrain terrain = steps();
  ArticulatedBody a = dropped(model, 0, 0), b = dropped(model, 0, 0);
  for (int i = 0; i < 480 * 3; ++i) {
    test::step(a, terrain, StepSettings{});
    test::step(b, terrain, StepSettings{});
    ASSERT_TRUE(test::same_state(a, b)) << "step " << i;
  }
  EXPECT_GT(a.contacts().size(), 2u);
}

TEST(Step, SetStateLeavesNothingOfThePast) {
  const auto model = faller();
  const Terrain terrain = steps();
  ArticulatedBody a = dropped(model, 0, 0);
  for (int i = 0; i < 300; ++i) test::step(a, terrain, StepSettings{});
  ArticulatedBody fresh = dropped(model, 5, 5);
  fresh.set_state(a.state());
  a.set_state(ArticulationState(a.state()));
  EXPECT_TRUE(a.contacts().empty());
  for (int i = 0; i < 300; ++i) {
    test::step(a, terrain, StepSettings{});
    test::step(fresh, terrain, StepSettings{});
    ASSERT_TRUE(test::same_state(a, fresh)) << "step " << i;
  }
}

TEST(Step, BodiesThatDoNotTouchMoveAsIfAlone) {
  const auto model = faller();
  const Terrain terrain = steps();
  ArticulatedBody a = dropped(model, 0, 0), b = dropped(model, 40, 3);
  ArticulatedBody a_alone = dropped(model, 0, 0), b_alone = dropped(model, 40, 3);
  const std::array<ArticulatedBody*, 2> both{&a, &b};
  for (int i = 0; i < 480 * 2; ++i) {
    step_island(both, terrain, StepSettings{});
    test::step(a_alone, terrain, StepSettings{});
    test::step(b_alone, terrain, StepSettings{});
    ASSERT_TRUE(test::same_state(a, a_alone)) << "step " << i;
    ASSERT_TRUE(test::same_state(b, b_alone)) << "step " << i;
  }
}

TEST(Step, ThreadsThatShareATerrainDoNotDisturbEachOther) {
  const auto model = faller();
  const Terrain terrain = steps();
  constexpr int kBodies = 8;
  std::vector<ArticulatedBody> expected, got;
  for (int i = 0; i < kBodies; ++i) {
    expected.push_back(dropped(model, 0.1 * i - 0.4, 0.05 * i));
    got.push_back(dropped(model, 0.1 * i - 0.4, 0.05 * i));
  }
  const auto run = [&terrain](ArticulatedBody& body) {
    for (int i = 0; i < 480; ++i) test::step(body, terrain, StepSettings{});
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
  const auto model = faller();
  const Terrain terrain = steps();
  ArticulatedBody sick = dropped(model, 0, 0), well = dropped(model, 0.1, 0.1);
  const std::array<ArticulatedBody*, 2> both{&sick, &well};
  for (int i = 0; i < 100; ++i) step_island(both, terrain, StepSettings{});
  sick.drives()[1].feedforward.x() = std::nan("");
  for (int i = 0; i < 100; ++i) step_island(both, terrain, StepSettings{});
  EXPECT_FALSE(sick.finite());
  EXPECT_TRUE(well.finite());
}

}  // namespace
}  // namespace promenade::physics
