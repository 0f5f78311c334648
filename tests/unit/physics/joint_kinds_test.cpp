// Laws that hold for every kind of root and joint: places, rates, conservation; sliders against
// closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

constexpr double kStep = 1.0 / 480;

StepSettings weightless_for(double dt = kStep) {
  StepSettings settings;
  settings.dt = dt;
  settings.gravity = 0;
  return settings;
}

TEST(JointKinds, LinksAreWhereTheirJointsPutThem) {
  for (const JointKind root : test::kRootKinds) {
    const auto model = test::mixed_model(root);
    ArticulatedBody body(model);
    body.set_state(test::stirred_state(*model, 1));
    for (std::size_t i = 1; i < model->links.size(); ++i) {
      const LinkModel& link = model->links[i];
      const LinkMotion& child = body.links()[i];
      const LinkMotion& parent = body.links()[std::size_t(link.parent)];
      Vec3 at_parent = link.at_parent;
      if (link.joint == JointKind::kSlider) at_parent += link.axis * body.state().angle[i].x();
      const Vec3 on_parent = parent.position + parent.rotation * at_parent;
      const Vec3 on_child = child.position + child.rotation * link.at_child;
      EXPECT_LT((on_parent - on_child).norm(), 1e-12) << type_of(root).name << ", link " << i;
    }
  }
}

TEST(JointKinds, VelocitiesAreRatesOfPositions) {
  const double h = 1e-7;
  for (const JointKind root : test::kRootKinds) {
    const auto model = test::mixed_model(root);
    ArticulatedBody body(model), later(model);
    body.set_state(test::stirred_state(*model, 2));
    later.set_state(body.state());
    test::step(later, Ground(), weightless_for(h));
    for (std::size_t i = 0; i < model->links.size(); ++i) {
      const LinkMotion& a = body.links()[i];
      const LinkMotion& b = later.links()[i];
      EXPECT_LT(((b.position - a.position) / h - a.velocity).norm(), 1e-4)
          << type_of(root).name << ", link " << i;
      const Quat turned = Quat(b.rotation) * Quat(a.rotation).conjugate();
      EXPECT_LT((rotation_vector(turned) / h - a.omega).norm(), 1e-4)
          << type_of(root).name << ", link " << i;
    }
  }
}

/// Quantities that a step keeps belong to its middle: the velocity stays the same, the place goes
/// from one end to the other. @return the mean of `of` over both ends
template <typename Quantity>
auto in_the_middle(const ArticulatedBody& body, ArticulationState before, Quantity&& of) {
  before.velocity = body.state().velocity;
  ArticulatedBody start(std::make_shared<const ArticulationModel>(body.model()));
  start.set_state(before);
  // Not auto, which would keep references to vectors that are gone.
  const decltype(of(body)) sum = of(start) + of(body);
  return decltype(of(body))(0.5 * sum);
}

TEST(JointKinds, EnergyStaysWithGravityAndWithout) {
  for (const JointKind root : test::kRootKinds) {
    for (const double gravity : {0.0, kGravity}) {
      const auto model = test::mixed_model(root);
      ArticulatedBody body(model);
      ArticulationState state = test::stirred_state(*model, 1.5);
      body.set_state(state);
      StepSettings settings = weightless_for();
      settings.gravity = gravity;
      const auto energy_of = [&](const ArticulatedBody& at) {
        return test::kinetic_energy(at) + (gravity > 0 ? test::potential_energy(at) : 0.0);
      };
      // The scale of what goes to and fro: a fall by the body's own size.
      const double scale = test::kinetic_energy(body) + gravity * model->total_mass * model->size;
      double worst = 0, start = 0;
      for (int i = 0; i < 960; ++i) {
        const ArticulationState before = body.state();
        test::step(body, Ground(), settings);
        const double energy = in_the_middle(body, before, energy_of);
        if (i == 0) start = energy;
        worst = std::max(worst, std::abs(energy - start) / scale);
      }
      RecordProperty(std::string(type_of(root).name) + (gravity > 0 ? "_falls" : "_floats"),
                     std::to_string(worst));
      // Free trees have the forces of the start of a step, others those of its middle.
      EXPECT_LT(worst, root == JointKind::kFree ? 0.03 : 0.01)
          << type_of(root).name << ", gravity " << gravity;
    }
  }
}

TEST(JointKinds, AFreeTreeWithSlidersKeepsItsMomentum) {
  const auto model = test::mixed_model(JointKind::kFree);
  ArticulatedBody body(model);
  body.set_state(test::stirred_state(*model, 1.5));
  const Vec3 p = test::momentum(body), l = test::angular_momentum(body);
  for (int i = 0; i < 960; ++i) test::step(body, Ground(), weightless_for());
  EXPECT_LT((test::momentum(body) - p).norm(), 0.01 * p.norm());
  EXPECT_LT((test::angular_momentum(body) - l).norm(), 0.01 * l.norm());
}

TEST(JointKinds, APlanarTreeKeepsItsMomentumInThePlaneAndStaysInIt) {
  const auto model = test::mixed_model(JointKind::kPlanar);
  ArticulatedBody body(model);
  body.set_state(test::stirred_state(*model, 1.5));
  const Vec3 normal = body.links()[0].rotation.col(1), start = body.links()[0].position;
  const auto in_plane = [&](const ArticulatedBody& at) {
    const Vec3 p = test::momentum(at);
    return Vec3(p - p.dot(normal) * normal);
  };
  // About the normal through the start, which out-of-plane forces at the root have no part in.
  const auto turning = [&](const ArticulatedBody& at) {
    return (test::angular_momentum(at) - start.cross(test::momentum(at))).dot(normal);
  };
  Vec3 p = Vec3::Zero();
  double l = 0;
  for (int i = 0; i < 960; ++i) {
    const ArticulationState before = body.state();
    test::step(body, Ground(), weightless_for());
    const Vec3 p_now = in_the_middle(body, before, in_plane);
    const double l_now = in_the_middle(body, before, turning);
    if (i == 0) {
      p = p_now;
      l = l_now;
    }
    ASSERT_LT((p_now - p).norm(), 0.01 * p.norm()) << i;
    ASSERT_NEAR(l_now, l, 0.01 * std::abs(l)) << i;
  }
  EXPECT_LT((body.links()[0].rotation.col(1) - normal).norm(), 1e-12);
  EXPECT_NEAR((body.links()[0].position - start).dot(normal), 0, 1e-11);
  EXPECT_GT((body.links()[0].position - start).norm(), 0.1);
}

TEST(JointKinds, APlanarRootMovesInThePlaneOfItsPlacementWhateverItsHeading) {
  // Along x, z and the pitch of planes with any heading, and of one that lies flat.
  for (const Quat& heading :
       {Quat(Quat::Identity()), rotation_z(0.7), rotation_z(-2.5), Quat(rotation_x(kPi / 2))}) {
    ArticulationModel model;
    LinkModel& root = model.links.emplace_back();
    root.joint = JointKind::kPlanar;
    root.mass = 2;
    root.inertia = Vec3(0.03, 0.02, 0.01);
    ArticulatedBody body(test::finished(std::move(model)));
    Pose pose;
    pose.position = Vec3(1, 2, 3);
    pose.rotation = heading;
    ArticulationState state = ArticulatedBody::zero_state(body.model(), pose);
    state.velocity = {0.5, -0.2, 1.5};
    body.set_state(state);
    for (int i = 0; i < 480; ++i) test::step(body, Ground(), weightless_for());
    const Vec3 moved = body.state().root.position - pose.position;
    EXPECT_LT((moved - heading * Vec3(0.5, 0, -0.2)).norm(), 1e-9);
    EXPECT_LT(body.state().root.rotation.angularDistance(heading * rotation_y(1.5)), 1e-9);
  }
}

TEST(JointKinds, AFixedRootStaysWhateverPullsAtIt) {
  const auto model = test::mixed_model(JointKind::kFixed);
  ArticulatedBody body(model);
  const ArticulationState state = test::stirred_state(*model, 3);
  body.set_state(state);
  for (int i = 0; i < 240; ++i) {
    body.add_force({0, body.links()[0].position + Vec3(0.1, 0, 0), Vec3(1e4, 200, -3000)});
    test::step(body, Ground(), StepSettings{});
  }
  EXPECT_EQ(body.state().root.position, state.root.position);
  EXPECT_EQ(body.state().root.rotation.coeffs(), state.root.rotation.coeffs());
  EXPECT_TRUE(body.links()[0].velocity.isZero() && body.links()[0].omega.isZero());
}

/// A carriage on a fixed rail.
std::shared_ptr<const ArticulationModel> carriage(double mass, const Vec3& axis) {
  ArticulationModel model;
  LinkModel& rail = model.links.emplace_back();
  rail.joint = JointKind::kFixed;
  rail.mass = 1;
  rail.inertia = Vec3(1, 1, 1);
  LinkModel& link = test::add_link(model, 0, JointKind::kSlider);
  link.mass = mass;
  link.axis = axis;
  return test::finished(std::move(model));
}

TEST(Slider, RunsDownAnInclineByGSinA) {
  const double a = 0.4;  // rad, below the horizontal
  const auto model = carriage(3, Vec3(std::cos(a), 0, -std::sin(a)));
  ArticulatedBody body(model);
  const Vec3 start = body.links()[1].position;
  for (int i = 0; i < 960; ++i) test::step(body, Ground(), StepSettings{});
  EXPECT_NEAR(body.state().velocity[0], kGravity * std::sin(a) * 2, 1e-9);
  // Velocity before position: the sum of an arithmetic series.
  const double way = 0.5 * kGravity * std::sin(a) * 2 * (2 + kStep);
  EXPECT_NEAR(body.state().angle[1].x(), way, 1e-9);
  EXPECT_LT((body.links()[1].position - start - way * model->links[1].axis).norm(), 1e-9);
  EXPECT_LT((body.links()[1].velocity - body.state().velocity[0] * model->links[1].axis).norm(),
            1e-9);
}

TEST(Slider, WithASpringAndADamperSwingsAsTheClosedFormSays) {
  const double mass = 3, omega = 5, ratio = 0.4;  // rad/s, of critical damping
  const auto model = carriage(mass, Vec3::UnitX());
  ArticulatedBody body(model);
  ArticulationState state = ArticulatedBody::zero_state(*model, Pose{});
  state.angle[1].x() = 0.2;
  body.set_state(state);
  body.drives()[1].kp.x() = mass * omega * omega;
  body.drives()[1].kd.x() = 2 * ratio * mass * omega;
  const double damped = omega * std::sqrt(1 - ratio * ratio);
  double worst = 0;
  for (int i = 1; i <= 960; ++i) {
    test::step(body, Ground(), StepSettings{});
    const double t = i * kStep;
    const double expected = 0.2 * std::exp(-ratio * omega * t) *
                            (std::cos(damped * t) + ratio * omega / damped * std::sin(damped * t));
    worst = std::max(worst, std::abs(body.state().angle[1].x() - expected));
  }
  RecordProperty("worst_share", std::to_string(worst / 0.2));
  EXPECT_LT(worst, 0.01 * 0.2);
}

TEST(Slider, OnAFallingBodyDoesNotMoveAndOnATurningOneRunsOutwards) {
  // In free fall nothing pulls it; with no gravity, on a heavy rotor, r grows as cosh(omega t).
  ArticulationModel made;
  LinkModel& rotor = made.links.emplace_back();
  rotor.joint = JointKind::kFixed;
  rotor.mass = 1;
  rotor.inertia = Vec3(1, 1, 1);
  LinkModel& wheel = made.links.emplace_back();
  wheel.parent = 0;
  wheel.joint = JointKind::kHinge;
  wheel.axis = Vec3::UnitZ();
  wheel.mass = 1e4;
  wheel.inertia = Vec3(1e6, 1e6, 1e6);
  LinkModel& bead = made.links.emplace_back();
  bead.parent = 1;
  bead.joint = JointKind::kSlider;
  bead.axis = Vec3::UnitX();
  bead.mass = 0.1;
  bead.inertia = Vec3(1e-4, 1e-4, 1e-4);
  const auto model = test::finished(std::move(made));
  ArticulatedBody body(model);
  ArticulationState state = ArticulatedBody::zero_state(*model, Pose{});
  state.velocity[0] = 2;  // rad/s
  state.angle[2].x() = 0.1;
  body.set_state(state);
  for (int i = 0; i < 720; ++i) test::step(body, Ground(), weightless_for());
  EXPECT_NEAR(body.state().angle[2].x(), 0.1 * std::cosh(2 * 1.5), 0.01 * 0.1 * std::cosh(3.0));
}

TEST(Slider, StopsAtItsEndsWhateverItsSize) {
  // An ant's, a person's and a giant's; thrown at the end at the speed of a fall by its length.
  for (const double length : {0.002, 0.3, 10.0}) {
    const double mass = 1000 * length * length * length;
    ArticulationModel made;
    LinkModel& rail = made.links.emplace_back();
    rail.joint = JointKind::kFixed;
    rail.mass = mass;
    LinkModel& link = made.links.emplace_back();
    link.parent = 0;
    link.joint = JointKind::kSlider;
    link.axis = -Vec3::UnitZ();
    link.mass = mass;
    link.inertia = Vec3::Constant(mass * length * length / 6);
    link.upper.x() = length;
    const auto model = test::finished(std::move(made));
    ArticulatedBody body(model);
    double deepest = 0;
    for (int i = 0; i < 480 * 4; ++i) {
      test::step(body, Ground(), StepSettings{});
      deepest = std::max(deepest, body.state().angle[1].x());
    }
    EXPECT_LT(deepest, 1.2 * length + 0.001) << length;
    EXPECT_NEAR(body.state().angle[1].x(), length, 0.05 * length) << length;
    EXPECT_NEAR(body.state().velocity[0], 0, 1e-3) << length;
  }
}

}  // namespace
}  // namespace promenade::physics
