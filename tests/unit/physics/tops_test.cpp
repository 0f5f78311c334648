#include "physics/ground/tops.h"

#include <gtest/gtest.h>

#include <memory>

#include "math/rotation.h"
#include "physics/ground/ground.h"

namespace promenade::physics {
namespace {

constexpr double kHalfCube = 0.25;  // m

ArticulatedBody cube(const Vec3& position, const Quat& rotation = Quat::Identity()) {
  ArticulationModel model;
  LinkModel link;
  link.mass = 12;
  link.inertia = Vec3::Constant(0.5);
  Shape box;
  box.kind = Shape::Kind::kBox;
  box.b = Vec3::Constant(kHalfCube);
  link.shapes.push_back(box);
  model.links.push_back(link);
  model.finish();
  auto shared = std::make_shared<const ArticulationModel>(model);
  ArticulatedBody body(shared);
  Pose root;
  root.position = position;
  root.rotation = rotation;
  body.set_state(ArticulatedBody::zero_state(*shared, root));
  return body;
}

TEST(Tops, HaveTheHeightOfTheUpperSideInsideItsEdges) {
  Tops tops;
  tops.add(cube({2, 1, 0.1}), 7);
  double height = 0;
  const Top* top = tops.at(2.2, 0.8, 1, height);
  ASSERT_TRUE(top);
  EXPECT_NEAR(height, 0.1 + kHalfCube, 1e-12);
  EXPECT_EQ(top->body, 7u);
  EXPECT_FALSE(tops.at(2.26, 1, 1, height)) << "beside it";
  EXPECT_FALSE(tops.at(2, 1, 0.3, height)) << "too high";
  EXPECT_TRUE(tops.near(2.9, 1));
  EXPECT_FALSE(tops.near(4, 1));
  tops.add(cube({20, 1, 0}), 8);
  EXPECT_FALSE(tops.near(10, 1)) << "between two that are far apart";
}

TEST(Tops, AreInclinedAsTheBodyIsAndNoneIfItIsTooSteep) {
  Tops tops;
  tops.add(cube({0, 0, 0}, rotation_y(-0.2)), 0);
  double height = 0;
  ASSERT_TRUE(tops.at(0.1, 0, 1, height));
  EXPECT_NEAR(height, kHalfCube / std::cos(0.2) + 0.1 * std::tan(0.2), 1e-9);
  tops.clear();
  EXPECT_FALSE(tops.near(0, 0));
  tops.add(cube({0, 0, 0}, rotation_y(0.6)), 0);
  EXPECT_FALSE(tops.at(0, 0, 1, height));
  tops.add(cube({0, 0, 0}, rotation_x(kPi / 2)), 0);
  EXPECT_TRUE(tops.at(0, 0, 1, height)) << "another side is up";
}

TEST(Tops, BearAFootWhereTheyAreHigherThanTheGround) {
  Tops tops;
  ArticulatedBody low = cube({0, 0, -0.5}), high = cube({1, 0, 0});
  ArticulationState state = high.state();
  state.velocity[0] = 2;  // m/s along x
  high.set_state(state);
  tops.add(low, 0);
  tops.add(high, 1);
  const Ground plane;
  const GroundNow ground(plane, 0, &tops);
  EXPECT_EQ(ground.bearing(0, 0, 1).height, 0) << "the plane covers it";
  EXPECT_NEAR(ground.bearing(1, 0, 1).height, kHalfCube, 1e-12);
  EXPECT_NEAR(ground.bearing(1, 0, 1).velocity.x(), 2, 1e-12);
  EXPECT_EQ(ground.bearing(1, 0, 0.1).height, 0);
  EXPECT_EQ(ground.at(1, 0).height, 0) << "things are no ground";
  EXPECT_FALSE(ground.is_bare(1, 0));
  EXPECT_TRUE(ground.is_bare(9, 0));
  GroundPlan nothing;
  nothing.plane = false;
  const Ground empty(nothing);
  EXPECT_TRUE((GroundNow{empty, 0, &tops}.bearing(0, 0, 1).there));
  EXPECT_FALSE((GroundNow{empty, 0, &tops}.bearing(5, 0, 1).there));
}

}  // namespace
}  // namespace promenade::physics
