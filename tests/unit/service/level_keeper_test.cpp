#include "service/rooms/level_keeper.h"

#include <gtest/gtest.h>

namespace promenade::service {
namespace {

world::View from(double x) {
  world::View view;
  view.eye = Vec3(x, 0, 2);
  view.at = Vec3(x + 5, 0, 1);
  return view;
}

TEST(LevelKeeper, TellsOfViewsWhenTheyMoveAndOnlyWhereThereAreLevels) {
  LevelKeeper keeper;
  EXPECT_FALSE(keeper.look({1, 0, 0.9, {from(0)}}));
  const auto first = keeper.look({2, 40, 0.6, {from(0)}});
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->in_physics);
  EXPECT_EQ(first->views.size(), 1u);
  EXPECT_FALSE(keeper.look({2, 40, 0.6, {from(0.1)}}));
  EXPECT_TRUE(keeper.look({2, 40, 0.6, {from(1)}}));
  const auto gone = keeper.look({2, 40, 0.6, {}});
  ASSERT_TRUE(gone);
  EXPECT_TRUE(gone->views.empty());
  EXPECT_EQ(keeper.look({2, 40, 0.6, std::vector<world::View>(30, from(2))})->views.size(), 16u);
}

TEST(LevelKeeper, HasAsManyInPhysicsAsThereIsTimeFor) {
  LevelKeeper keeper;
  std::uint32_t number = 40;
  const auto step = [&](double load) {
    const auto told = keeper.look({1, number, load, {}});
    if (told && told->in_physics) number = *told->in_physics;
  };
  step(0.9);
  EXPECT_EQ(number, 32u);
  for (int i = 0; i < 30; ++i) step(1.5);
  EXPECT_EQ(number, 2u);
  step(0.6);
  EXPECT_EQ(number, 2u);
  for (int i = 0; i < 60; ++i) step(0.2);
  EXPECT_EQ(number, 40u) << "as the scene asked";
  // A command of somebody else is the new measure.
  number = 100;
  step(0.2);
  EXPECT_EQ(number, 100u);
  step(0.9);
  for (int i = 0; i < 60; ++i) step(0.2);
  EXPECT_EQ(number, 100u);
}

}  // namespace
}  // namespace promenade::service
