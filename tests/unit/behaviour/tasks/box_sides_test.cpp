#include "behaviour/tasks/parts/box_sides.h"

#include <gtest/gtest.h>

#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

ThingSeen box(double yaw) {
  ThingSeen thing;
  thing.position = Vec3(2, 1, 0.5);
  thing.rotation = rotation_z(yaw);
  thing.half = Vec3(0.4, 0.3, 0.5);
  return thing;
}

TEST(BoxSides, HandsFromAheadTouchTheSideThatFacesThem) {
  std::array<Vec2, 2> hold;
  double near = 0;
  ASSERT_TRUE(grips_across(box(0), Vec2(1, 0), 0.2, 0.03, &hold, &near));
  EXPECT_NEAR((hold[0] - Vec2(1.6, 1.2)).norm(), 0, 1e-9);  // left of the way
  EXPECT_NEAR((hold[1] - Vec2(1.6, 0.8)).norm(), 0, 1e-9);
  EXPECT_NEAR(near, 0.4, 1e-9);
}

TEST(BoxSides, HandsTouchTheBoxOnBothSidesOfItsMiddleHoweverItIsTurned) {
  for (const double yaw : {-0.7, 0.2, 0.35, 1.3}) {
    const ThingSeen thing = box(yaw);
    const Vec2 towards = rotated(Vec2(1, 0), 0.4);
    std::array<Vec2, 2> hold;
    double near = 0;
    ASSERT_TRUE(grips_across(thing, towards, 0.2, 0.03, &hold, &near));
    for (const int hand : {0, 1}) {
      const Vec2 from = hold[std::size_t(hand)] - Vec2(2, 1);
      EXPECT_NEAR(towards.x() * from.y() - towards.y() * from.x(), hand == 0 ? 0.2 : -0.2, 1e-9);
      EXPECT_LE(-from.dot(towards), near + 1e-9);
      const Vec2 own = rotated(from, -yaw);
      const double outside = std::max(std::abs(own.x()) - 0.4, std::abs(own.y()) - 0.3);
      EXPECT_NEAR(outside, 0, 1e-9) << yaw;
    }
  }
}

TEST(BoxSides, HandsComeCloserTogetherOnWhatIsNarrow) {
  std::array<Vec2, 2> hold;
  double near = 0;
  ASSERT_TRUE(grips_across(box(0), Vec2(1, 0), 0.5, 0.03, &hold, &near));
  EXPECT_NEAR((hold[0] - hold[1]).norm(), 2 * 0.27, 1e-9);
  EXPECT_FALSE(grips_across(box(0), Vec2(1, 0), 0.5, 0.31, &hold, &near));
}

}  // namespace
}  // namespace promenade::behaviour::tasks
