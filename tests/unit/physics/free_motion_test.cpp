#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

TEST(FreeMotion, FallsByTheLawOfFreeFall) {
  ArticulatedBody body(test::tree_model());
  Pose root;
  root.position = Vec3(0, 0, 100);
  body.set_state(ArticulatedBody::zero_state(body.model(), root));
  const StepSettings settings;
  const Ground ground;
  const int steps = 480;
  for (int i = 0; i < steps; ++i) test::step(body, ground, settings);
  // Velocity before position: the sum of an arithmetic series, 1/2 g t (t + dt).
  const double t = steps * settings.dt;
  EXPECT_NEAR(body.state().root.position.z(), 100 - 0.5 * 9.8 * t * (t + settings.dt), 1e-9);
  EXPECT_NEAR(body.state().velocity[2], -9.8 * t, 1e-9);
  for (std::size_t k = 3; k < body.state().velocity.size(); ++k) {
    EXPECT_NEAR(body.state().velocity[k], 0, 1e-9) << "coordinate " << k;
  }
}

TEST(FreeMotion, SpinsAboutAPrincipalAxisForEver) {
  ArticulatedBody body(test::box_model(3, Vec3(0.1, 0.2, 0.3)));
  Pose root;
  root.position = Vec3(0, 0, 50);
  ArticulationState state = ArticulatedBody::zero_state(body.model(), root);
  state.velocity[5] = 4;
  body.set_state(state);
  StepSettings settings;
  settings.gravity = 0;
  for (int i = 0; i < 960; ++i) test::step(body, Ground(), settings);
  EXPECT_NEAR(body.state().velocity[5], 4, 1e-9);
  EXPECT_NEAR(heading_of(body.state().root.rotation), wrap_angle(8.0), 1e-9);
}

struct Drift {
  double energy = 0;            // relative
  double momentum = 0;          // relative
  double angular_momentum = 0;  // relative
};

/// How far what should stay moves within 2 s of tumbling without gravity.
Drift tumble(double dt, double gains) {
  const auto model = test::tree_model();
  ArticulatedBody body(model);
  ArticulationState state = test::stirred_state(*model, 1.5);
  body.set_state(state);
  for (JointDrive& drive : body.drives()) {
    drive.kp = Vec3::Constant(gains);
    drive.kd = Vec3::Constant(0.1 * gains);
    drive.target = rotation_x(0.4);
    drive.target_angle = Vec2(-0.3, 0.2);
  }
  StepSettings settings;
  settings.dt = dt;
  settings.gravity = 0;
  const double energy = test::kinetic_energy(body);
  const Vec3 p = test::momentum(body), l = test::angular_momentum(body);
  const Ground ground;
  Drift worst;
  for (int i = 0; i < static_cast<int>(2 / dt); ++i) {
    test::step(body, ground, settings);
    worst.energy = std::max(worst.energy, std::abs(test::kinetic_energy(body) / energy - 1));
    worst.momentum = std::max(worst.momentum, (test::momentum(body) - p).norm() / p.norm());
    worst.angular_momentum =
        std::max(worst.angular_momentum, (test::angular_momentum(body) - l).norm() / l.norm());
  }
  return worst;
}

TEST(FreeMotion, EnergyOfATumblingChainDriftsLittleAndLessAtSmallerSteps) {
  const Drift coarse = tumble(1.0 / 480, 0);
  const Drift fine = tumble(1.0 / 1920, 0);
  RecordProperty("energy_480", std::to_string(coarse.energy));
  EXPECT_LT(coarse.energy, 0.02);
  EXPECT_LT(fine.energy, 0.35 * coarse.energy);
}

TEST(FreeMotion, MomentumOfATumblingChainDriftsLittleAndLessAtSmallerSteps) {
  const Drift coarse = tumble(1.0 / 480, 0);
  const Drift fine = tumble(1.0 / 1920, 0);
  EXPECT_LT(coarse.momentum, 0.01);
  EXPECT_LT(coarse.angular_momentum, 0.01);
  EXPECT_LT(fine.momentum, 0.35 * coarse.momentum);
  EXPECT_LT(fine.angular_momentum, 0.35 * coarse.angular_momentum);
}

TEST(FreeMotion, ServosInsideABodyDoNotChangeItsMomentum) {
  const Drift coarse = tumble(1.0 / 480, 40);
  const Drift fine = tumble(1.0 / 1920, 40);
  EXPECT_LT(coarse.momentum, 0.03);
  EXPECT_LT(coarse.angular_momentum, 0.03);
  EXPECT_LT(fine.momentum, 0.35 * coarse.momentum);
  EXPECT_LT(fine.angular_momentum, 0.35 * coarse.angular_momentum);
}

TEST(FreeMotion, AForceOfOneStepIsAnImpulse) {
  const Vec3 half(0.1, 0.2, 0.3);
  ArticulatedBody body(test::box_model(4, half));
  Pose root;
  root.position = Vec3(0, 0, 10);
  body.set_state(ArticulatedBody::zero_state(body.model(), root));
  StepSettings settings;
  settings.gravity = 0;
  const Vec3 lever(0.05, -0.1, 0.2), force(30, -20, 10);
  body.add_force({0, root.position + lever, force});
  test::step(body, Ground(), settings);
  const auto& v = body.state().velocity;
  const Vec3 impulse = force * settings.dt;
  const Vec3 spin = lever.cross(impulse).cwiseQuotient(test::box_inertia(4, half));
  EXPECT_LT((Vec3(v[0], v[1], v[2]) - impulse / 4).norm(), 1e-12);
  // But for what the new spin does about axes that are not principal ones, within the step.
  EXPECT_LT((Vec3(v[3], v[4], v[5]) - spin).norm(), 1e-5);
  // For that step only.
  const std::vector<double> before = v;
  test::step(body, Ground(), settings);
  EXPECT_LT((Vec3(v[0], v[1], v[2]) - impulse / 4).norm(), 1e-12);
}

TEST(FreeMotion, AForceOnALimbMovesTheWholeByItsImpulse) {
  const auto model = test::tree_model();
  ArticulatedBody body(model);
  body.set_state(test::stirred_state(*model, 0));
  StepSettings settings;
  settings.gravity = 0;
  settings.dt = 1e-4;
  const Vec3 force(30, -20, 10);
  const Vec3 point = body.links()[3].position + Vec3(0.02, 0.01, -0.05);
  body.add_force({3, point, force});
  test::step(body, Ground(), settings);
  EXPECT_LT((test::momentum(body) - force * settings.dt).norm(), 1e-5);
  EXPECT_LT((test::angular_momentum(body) - point.cross(force) * settings.dt).norm(), 2e-4);
}

}  // namespace
}  // namespace promenade::physics
