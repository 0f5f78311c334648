#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

ArticulatedBody box_at(double mass, const Vec3& half, const Pose& pose) {
  ArticulatedBody body(test::box_model(mass, half));
  body.set_state(ArticulatedBody::zero_state(body.model(), pose));
  return body;
}

Pose at(double x, double y, double z) {
  Pose pose;
  pose.position = Vec3(x, y, z);
  return pose;
}

TEST(Contact, BoxRestsOnThePlaneUnderItsWeightAndDoesNotDrift) {
  ArticulatedBody body = box_at(12, Vec3(0.1, 0.15, 0.2), at(0.3, -0.4, 0.2));
  const Ground ground;
  const StepSettings settings;
  for (int i = 0; i < 480; ++i) test::step(body, ground, settings);
  const Pose settled = body.state().root;
  for (int i = 0; i < 480 * 10; ++i) test::step(body, ground, settings);
  EXPECT_EQ(body.contacts().size(), 4u);
  EXPECT_NEAR(test::contact_force(body).z(), 12 * 9.8, 1e-3);
  EXPECT_LT(test::contact_force(body).head<2>().norm(), 1e-3);
  EXPECT_LT((body.state().root.position - settled.position).norm(), 1e-6);
  EXPECT_LT(body.state().root.rotation.angularDistance(settled.rotation), 1e-6);
  // Four springs carry it.
  EXPECT_NEAR(0.2 - body.state().root.position.z(), 12 * 9.8 / (4 * settings.contact_stiffness),
              2e-5);
}

TEST(Contact, PressureIsUnderTheWeight) {
  // A heavy ball held out to the side by a stiff servo moves the forces over to that side.
  ArticulationModel model;
  LinkModel& root = model.links.emplace_back();
  root.mass = 10;
  root.inertia = test::box_inertia(10, Vec3(0.3, 0.3, 0.1));
  root.shapes = {test::box_shape(Vec3(0.3, 0.3, 0.1))};
  LinkModel& arm = test::add_link(model, 0, JointKind::kHinge);
  arm.mass = 5;
  arm.at_parent = Vec3(0, 0, 0.3);
  arm.at_child = Vec3(-0.25, 0, 0);
  ArticulatedBody body(test::finished(std::move(model)));
  body.set_state(ArticulatedBody::zero_state(body.model(), at(0, 0, 0.1)));
  body.drives()[1].kp = Vec3::Constant(5000);
  body.drives()[1].kd = Vec3::Constant(200);
  const Ground ground;
  for (int i = 0; i < 480 * 2; ++i) test::step(body, ground, StepSettings{});
  Vec3 moment = Vec3::Zero();
  for (const ContactPoint& point : body.contacts()) moment += point.position.cross(point.force);
  const double weight = test::contact_force(body).z();
  EXPECT_NEAR(weight, 15 * 9.8, 0.05);
  EXPECT_NEAR(-moment.y() / weight, 5 * body.links()[1].position.x() / 15, 2e-3);
}

TEST(Contact, ImpactDoesNotBounce) {
  ArticulatedBody body = box_at(12, Vec3(0.1, 0.15, 0.2), at(0, 0, 0.7));
  const Ground ground;
  double highest_after = 0, lowest = 1;
  bool touched = false;
  for (int i = 0; i < 480 * 2; ++i) {
    test::step(body, ground, StepSettings{});
    const double bottom = body.state().root.position.z() - 0.2;
    lowest = std::min(lowest, bottom);
    if (bottom < 0) touched = true;
    if (touched) highest_after = std::max(highest_after, bottom);
  }
  EXPECT_TRUE(touched);
  EXPECT_LT(highest_after, 0.002);
  EXPECT_GT(lowest, -0.02);
}

/// Vertical speed of a box, so long after it touched down at 0.3 m/s.
double after_touchdown(double mass, double hz, double seconds) {
  ArticulatedBody body = box_at(mass, Vec3(0.1, 0.15, 0.2), at(0, 0, 0.2 - 1e-5));
  ArticulationState state = body.state();
  state.velocity[2] = -0.3;
  body.set_state(state);
  StepSettings settings;
  settings.dt = 1 / hz;
  const Ground ground;
  for (int i = 0; i < std::lround(seconds * hz); ++i) test::step(body, ground, settings);
  return body.state().velocity[2];
}

// With all of the damper at the end of the step it is 8 mm/s faster at 1/480 s.
TEST(Contact, BrakesAMansWeightAtALargeStepAsAtASmallOne) {
  const double fine = after_touchdown(70, 15360, 0.0125);
  EXPECT_GT(fine, -0.1);
  EXPECT_NEAR(after_touchdown(70, 480, 0.0125), fine, 0.003);
}

// Were each point's damper fitted as if it were alone, it would still be sinking.
TEST(Contact, PointsOfALightBodyBrakeItTogether) {
  const double fine = after_touchdown(4, 15360, 0.00625);
  EXPECT_GT(fine, 0.005);
  EXPECT_GT(after_touchdown(4, 480, 0.00625), 0);
}

TEST(Contact, ForcesPushAndStayInTheFrictionCone) {
  // A box thrown spinning along the ground.
  ArticulatedBody body = box_at(8, Vec3(0.2, 0.1, 0.1), at(0, 0, 0.25));
  ArticulationState state = body.state();
  state.velocity = {3, 1, -2, 2, 4, 5};
  body.set_state(state);
  const Ground ground({}, 0.5);
  int loaded = 0;
  for (int i = 0; i < 480 * 3; ++i) {
    test::step(body, ground, StepSettings{});
    for (const ContactPoint& point : body.contacts()) {
      const double normal = point.force.dot(point.normal);
      const double tangent = (point.force - normal * point.normal).norm();
      EXPECT_GE(normal, -1e-9);
      EXPECT_LE(tangent, 0.5 * normal + 1e-9);
      loaded += normal > 0;
    }
  }
  EXPECT_GT(loaded, 1000);
  EXPECT_LT(Eigen::Map<const Vec3>(body.state().velocity.data()).norm(), 1e-3);
}

TEST(Contact, SlidingBoxStopsWhereFrictionSays) {
  ArticulatedBody body = box_at(5, Vec3(0.4, 0.4, 0.05), at(0, 0, 0.05));
  ArticulationState state = body.state();
  state.velocity[0] = 2;
  body.set_state(state);
  const Ground ground({}, 0.4);
  for (int i = 0; i < 480 * 2; ++i) test::step(body, ground, StepSettings{});
  EXPECT_NEAR(body.state().root.position.x(), 2 * 2 / (2 * 0.4 * 9.8), 0.01);
  EXPECT_NEAR(body.state().root.position.y(), 0, 1e-6);
}

TEST(Contact, CapsuleRestsOnTheTopOfAGroundBlock) {
  GroundBlock step;
  step.pose.position = Vec3(0, 0, 0.1);
  step.half = Vec3(1, 1, 0.1);
  const Ground ground({step});
  ArticulatedBody body(test::capsule_model(3, 0.1, 0.05));
  body.set_state(ArticulatedBody::zero_state(body.model(), at(0, 0, 0.26)));
  for (int i = 0; i < 480 * 3; ++i) test::step(body, ground, StepSettings{});
  EXPECT_NEAR(body.state().root.position.z(), 0.25, 5e-4);
  EXPECT_NEAR(test::contact_force(body).z(), 3 * 9.8, 0.3);
  EXPECT_TRUE(body.contacts()[0].on_ground);
}

TEST(Contact, CapsuleIsPushedOutOfABoxTheShortWay) {
  GroundBlock plank;
  plank.pose.position = Vec3(0, 0, 0.5);
  plank.half = Vec3(0.3, 0.03, 0.5);
  const Ground ground({plank});
  // Across the plank: its axis goes through, both its ends are outside, the top is nearest.
  ArticulatedBody body(test::capsule_model(3, 0.2, 0.05));
  body.set_state(ArticulatedBody::zero_state(body.model(), at(0, 0, 0.99)));
  double fastest = 0;
  for (int i = 0; i < 60; ++i) {
    test::step(body, ground, StepSettings{});
    for (int k = 0; k < 3; ++k) fastest = std::max(fastest, std::abs(body.state().velocity[k]));
  }
  // Up and out; it leaves at no more than the speed at which overlap is corrected, 1 m/s.
  EXPECT_GT(body.state().root.position.z(), 1.04);
  EXPECT_LT(body.state().root.position.z(), 1.05 + 1 / (2 * 9.8));
  EXPECT_LT(body.state().root.position.head<2>().norm(), 5e-3);
  EXPECT_LT(fastest, 1.5);
}

TEST(Contact, LinksOfManyShapesKeepTheirPointsApart) {
  // Sixteen small feet under one plate, the most that a body's file may give a link.
  ArticulationModel model;
  LinkModel& plate = model.links.emplace_back();
  plate.mass = 16;
  plate.inertia = test::box_inertia(16, Vec3(0.4, 0.4, 0.1));
  for (int i = 0; i < 16; ++i) {
    const Vec3 foot(0.2 * (i % 4) - 0.3, 0.2 * (i / 4) - 0.3, -0.1);
    plate.shapes.push_back(test::capsule_shape(foot, foot + Vec3(0, 0, 0.1), 0.03));
  }
  ArticulatedBody body(test::finished(std::move(model)));
  body.set_state(ArticulatedBody::zero_state(body.model(), at(0, 0, 0.13)));
  const Ground ground;
  for (int i = 0; i < 480 * 2; ++i) test::step(body, ground, StepSettings{});
  ASSERT_EQ(body.contacts().size(), 16u);
  for (const ContactPoint& point : body.contacts()) EXPECT_NEAR(point.force.z(), 9.8, 0.05);
}

TEST(Contact, CapsuleOverTheEdgeOfAStepRollsOffIt) {
  GroundBlock step;
  step.pose.position = Vec3(0, 0, 0.1);
  step.half = Vec3(1, 1, 0.1);
  const Ground ground({step});
  ArticulatedBody body(test::capsule_model(3, 0.1, 0.05));
  body.set_state(ArticulatedBody::zero_state(body.model(), at(1.02, 0, 0.25)));
  double deepest = 0;
  for (int i = 0; i < 480 * 3; ++i) {
    test::step(body, ground, StepSettings{});
    for (const ContactPoint& p : body.contacts()) {
      deepest = std::max(deepest, p.depth);
      // Off the edge the normal leans outwards, never inwards.
      if (p.position.z() > 0.1) {
        EXPECT_GT(p.normal.x(), -1e-6);
      }
    }
  }
  EXPECT_NEAR(body.state().root.position.z(), 0.05, 1e-3);
  EXPECT_GT(body.state().root.position.x(), 1.049);
  EXPECT_LT(deepest, 0.02);
}

TEST(Contact, BoxTippedPastItsEdgeFallsOver) {
  for (const double tilt : {0.30, 0.60}) {  // tips over at atan(0.1 / 0.2) = 0.46
    Pose pose = at(0, 0, 0.3);
    pose.rotation = rotation_y(tilt);
    ArticulatedBody body = box_at(6, Vec3(0.1, 0.3, 0.2), pose);
    const Ground ground;
    for (int i = 0; i < 480 * 4; ++i) test::step(body, ground, StepSettings{});
    EXPECT_NEAR(body.state().root.position.z(), tilt < 0.46 ? 0.2 : 0.1, 2e-3) << tilt;
  }
}

TEST(Contact, SameWeightAtEveryStepLength) {
  for (const double dt : {1.0 / 240, 1.0 / 480, 1.0 / 1000}) {
    ArticulatedBody body = box_at(12, Vec3(0.1, 0.15, 0.2), at(0, 0, 0.2));
    StepSettings settings;
    settings.dt = dt;
    const Ground ground;
    for (double t = 0; t < 2; t += dt) test::step(body, ground, settings);
    EXPECT_NEAR(test::contact_force(body).z(), 12 * 9.8, 0.01) << dt;
    EXPECT_NEAR(0.2 - body.state().root.position.z(), 12 * 9.8 / (4 * settings.contact_stiffness),
                2e-5)
        << dt;
  }
}

}  // namespace
}  // namespace promenade::physics
