#include "physics/articulation.h"

#include <gtest/gtest.h>

#include "support.h"

namespace promenade::physics {
namespace {

TEST(ArticulationModel, NumbersCoordinatesByLinkAndFindsTheOneAbove) {
  const auto model = test::tree_model();
  EXPECT_EQ(model->dof_count, 16);
  EXPECT_DOUBLE_EQ(model->total_mass, 15);
  EXPECT_EQ(model->links[1].dof, 6);
  EXPECT_EQ(model->links[2].dof, 9);
  EXPECT_EQ(model->links[3].dof, 11);
  EXPECT_EQ(model->links[4].dof, 12);
  const std::vector<int> above{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5, 12, 13, 14};
  EXPECT_EQ(model->dof_parent, above);
}

TEST(ArticulatedBody, PlacesLinksByTheirJoints) {
  const auto model = test::tree_model();
  ArticulatedBody body(model);
  body.set_state(test::stirred_state(*model, 1));
  for (std::size_t i = 1; i < model->links.size(); ++i) {
    const LinkModel& link = model->links[i];
    const LinkMotion& child = body.links()[i];
    const LinkMotion& parent = body.links()[static_cast<std::size_t>(link.parent)];
    const Vec3 on_parent = parent.position + parent.rotation * link.at_parent;
    const Vec3 on_child = child.position + child.rotation * link.at_child;
    EXPECT_LT((on_parent - on_child).norm(), 1e-12) << "link " << i;
    const Vec3 v_parent = parent.velocity + parent.omega.cross(on_parent - parent.position);
    const Vec3 v_child = child.velocity + child.omega.cross(on_child - child.position);
    EXPECT_LT((v_parent - v_child).norm(), 1e-12) << "link " << i;
  }
}

TEST(ArticulatedBody, VelocitiesAreRatesOfPositions) {
  const auto model = test::tree_model();
  const double h = 1e-7;
  ArticulatedBody body(model), later(model);
  body.set_state(test::stirred_state(*model, 2));
  later.set_state(body.state());
  // With the drives off and no gravity a step of h moves by velocity * h to first order.
  StepSettings settings;
  settings.dt = h;
  settings.gravity = 0;
  test::step(later, Ground(), settings);
  for (std::size_t i = 0; i < model->links.size(); ++i) {
    const LinkMotion& a = body.links()[i];
    const LinkMotion& b = later.links()[i];
    EXPECT_LT(((b.position - a.position) / h - a.velocity).norm(), 1e-4) << "link " << i;
    const Quat turned = Quat(b.rotation) * Quat(a.rotation).conjugate();
    EXPECT_LT((rotation_vector(turned) / h - a.omega).norm(), 1e-4) << "link " << i;
  }
}

TEST(ArticulatedBody, BoundsHoldEveryShapeTightly) {
  ArticulatedBody body(test::box_model(1, Vec3(0.1, 0.2, 0.3)));
  Pose root;
  root.position = Vec3(1, 2, 3);
  root.rotation = rotation_z(kPi / 2);
  body.set_state(ArticulatedBody::zero_state(body.model(), root));
  EXPECT_LT((body.bounds().min() - Vec3(0.8, 1.9, 2.7)).norm(), 1e-12);
  EXPECT_LT((body.bounds().max() - Vec3(1.2, 2.1, 3.3)).norm(), 1e-12);
}

TEST(ArticulatedBody, NotFiniteOnceANumberIsNot) {
  const auto model = test::tree_model();
  const double nan = std::nan("");
  ArticulatedBody body(model);
  const ArticulationState good = test::stirred_state(*model, 1);
  body.set_state(good);
  EXPECT_TRUE(body.finite());
  ArticulationState bad = good;
  bad.root.position.y() = nan;
  body.set_state(bad);
  EXPECT_FALSE(body.finite());
  bad = good;
  bad.velocity[7] = nan;
  body.set_state(bad);
  EXPECT_FALSE(body.finite());
  bad = good;
  bad.velocity[15] = -2e4;  // so fast that it is as good as lost
  body.set_state(bad);
  EXPECT_FALSE(body.finite());
  bad = good;
  bad.angle[3].x() = nan;
  body.set_state(bad);
  EXPECT_FALSE(body.finite());
  body.set_state(good);
  body.drives()[1].feedforward = Vec3(nan, 0, 0);
  test::step(body, Ground(), StepSettings{});
  EXPECT_FALSE(body.finite());
}

}  // namespace
}  // namespace promenade::physics
