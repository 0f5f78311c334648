// Bodies from an ant to what is far larger than a person stand, stop and slide by the same laws;
// and bodies that are tied to the world rub on the ground along what they can do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

/// Six legs of three links each; at scale 1 an ant of 7.6 g, 4 mm high.
std::shared_ptr<const ArticulationModel> six_legs(double scale) {
  const double m = 1e-3 * scale * scale * scale, l = 1e-3 * scale;  // a gram, a millimetre
  ArticulationModel model;
  LinkModel& trunk = model.links.emplace_back();
  trunk.mass = 4 * m;
  trunk.inertia = test::box_inertia(trunk.mass, l * Vec3(4, 1.5, 1));
  trunk.shapes = {test::box_shape(l * Vec3(4, 1.5, 1))};
  const auto add = [&](int parent, double mass, const Vec3& at_parent, const Vec3& half,
                       const Vec3& axis) {
    LinkModel& link = model.links.emplace_back();
    link.parent = parent;
    link.joint = JointKind::kHinge;
    link.axis = axis;
    link.mass = mass * m;
    link.inertia = test::box_inertia(link.mass, l * (half.cwiseAbs() + Vec3::Constant(0.2)));
    link.at_parent = l * at_parent;
    link.at_child = -l * half;
    return int(model.links.size()) - 1;
  };
  for (const double x : {-3.0, 0.0, 3.0}) {
    for (const double side : {-1.0, 1.0}) {
      const int hip = add(0, 0.1, Vec3(x, 1.5 * side, 0), Vec3(0, 0.25 * side, 0), Vec3::UnitZ());
      const int thigh = add(hip, 0.3, Vec3(0, 0.25 * side, 0), Vec3(0, 2 * side, 0), Vec3::UnitX());
      const int shank = add(thigh, 0.2, Vec3(0, 2 * side, 0), Vec3(0, 0, -2), Vec3::UnitX());
      model.links[std::size_t(shank)].shapes = {
          test::capsule_shape(l * Vec3(0, 0, 1.7), l * Vec3(0, 0, -1.7), 0.3 * l)};
    }
  }
  return test::finished(std::move(model));
}

TEST(Size, SixLegsStandStillFromAnAntToAGiant) {
  for (const double scale : {1.0, 10.0, 100.0, 300.0}) {
    const auto model = six_legs(scale);
    const double height = 4e-3 * scale, weight = model->total_mass * kGravity;
    ArticulatedBody body(model);
    Pose root;
    root.position.z() = 1.05 * height;
    body.set_state(ArticulatedBody::zero_state(*model, root));
    for (JointDrive& drive : body.drives()) {
      drive.kp.setConstant(weight * height);
      drive.kd = drive.kp * 0.3 * std::sqrt(height / kGravity);
    }
    Vec3 force = Vec3::Zero();
    double fastest = 0;
    for (int i = 0; i < 480 * 3; ++i) {
      test::step(body, Ground(), StepSettings{});
      if (i < 480 * 2) continue;
      force += test::contact_force(body) / 480;
      fastest = std::max(fastest, body.links()[0].velocity.norm());
    }
    EXPECT_NEAR(force.z(), weight, 0.01 * weight) << scale;
    EXPECT_LT(force.head<2>().norm(), 0.01 * weight) << scale;
    EXPECT_LT(fastest, 0.01 * std::sqrt(kGravity * height)) << scale;
    EXPECT_NEAR(body.links()[0].position.z(), height, 0.15 * height) << scale;
    EXPECT_NEAR(body.links()[0].rotation(2, 2), 1, 1e-3) << scale;
    for (const ContactPoint& point : body.contacts()) EXPECT_LT(point.depth, 0.02 * height);
  }
}

TEST(Size, ABoxOfAnyWeightRestsWithoutSinkingIn) {
  for (const double half : {0.002, 0.05, 0.5, 4.0}) {
    const double mass = 8000 * half * half * half;  // as dense as water
    ArticulatedBody body(test::box_model(mass, Vec3::Constant(half)));
    Pose root;
    root.position.z() = 1.2 * half;
    body.set_state(ArticulatedBody::zero_state(body.model(), root));
    for (int i = 0; i < 480 * 4; ++i) test::step(body, Ground(), StepSettings{});
    EXPECT_NEAR(body.links()[0].position.z(), half, 0.02 * half) << half;
    EXPECT_LT(body.links()[0].velocity.norm(), 1e-3 * std::sqrt(kGravity * half)) << half;
  }
}

TEST(Size, AStopHoldsAHingeUnderItsOwnWeightWhateverItsSize) {
  for (const double length : {0.003, 0.3, 5.0}) {
    ArticulationModel made;
    LinkModel& frame = made.links.emplace_back();
    frame.joint = JointKind::kFixed;
    frame.mass = 1;
    LinkModel& flap = made.links.emplace_back();
    flap.parent = 0;
    flap.joint = JointKind::kHinge;
    flap.mass = 1000 * length * length * 0.1 * length;
    flap.inertia = test::box_inertia(flap.mass, length * Vec3(0.5, 0.5, 0.05));
    flap.at_child = length * Vec3(-0.5, 0, 0);
    flap.upper.x() = 0.5;  // a positive turn about y lowers it
    const auto model = test::finished(std::move(made));
    ArticulatedBody body(model);
    double furthest = 0;
    for (int i = 0; i < 480 * 4; ++i) {
      test::step(body, Ground(), StepSettings{});
      furthest = std::max(furthest, body.state().angle[1].x());
    }
    EXPECT_LT(furthest, 0.7) << length;
    EXPECT_NEAR(body.state().angle[1].x(), 0.5, 0.1) << length;
    EXPECT_NEAR(body.state().velocity[0], 0, 1e-3) << length;
  }
}

TEST(Planar, SlidesToAStopByTheLawOfFrictionAtAnyHeading) {
  for (const double heading : {0.0, 0.4, kPi / 4, 1.2, kPi / 2, -2.0}) {
    ArticulationModel made;
    LinkModel& root = made.links.emplace_back();
    root.joint = JointKind::kPlanar;
    root.mass = 10;
    const Vec3 half(0.4, 0.2, 0.05);
    root.inertia = test::box_inertia(root.mass, half);
    root.shapes = {test::box_shape(half)};
    ArticulatedBody body(test::finished(std::move(made)));
    Pose pose;
    pose.position.z() = half.z();
    pose.rotation = rotation_z(heading);
    ArticulationState state = ArticulatedBody::zero_state(body.model(), pose);
    body.set_state(state);
    for (int i = 0; i < 240; ++i) test::step(body, Ground(), StepSettings{});
    const Vec3 start = body.links()[0].position;
    EXPECT_LT((start - pose.position).head<2>().norm(), 1e-6) << heading;
    state = body.state();
    state.velocity[0] = 2;
    body.set_state(state);
    for (int i = 0; i < 480; ++i) test::step(body, Ground(), StepSettings{});
    const Vec3 way = body.links()[0].position - start;
    const double expected = 2 * 2 / (2 * Material{}.friction * kGravity);
    EXPECT_NEAR(way.dot(rotation_z(heading) * Vec3::UnitX()), expected, 0.03 * expected) << heading;
    EXPECT_NEAR(way.dot(rotation_z(heading) * Vec3::UnitY()), 0, 1e-9) << heading;
    EXPECT_LT(body.links()[0].velocity.norm(), 1e-4) << heading;
  }
}

}  // namespace
}  // namespace promenade::physics
