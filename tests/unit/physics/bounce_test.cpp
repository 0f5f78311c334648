#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

ArticulatedBody ball(double radius, double restitution, double drop) {
  ArticulationModel model = *test::ball_model(0.5, radius);
  model.hard = true;
  model.links[0].shapes[0].material = Material{0.6, restitution};
  ArticulatedBody body(test::finished(std::move(model)));
  Pose pose;
  pose.position = Vec3(0, 0, radius + drop);
  body.set_state(ArticulatedBody::zero_state(body.model(), pose));
  return body;
}

/// How high its lowest point rises after the first impact, m.
double rebound(double radius, double restitution, double drop) {
  ArticulatedBody body = ball(radius, restitution, drop);
  const Ground ground;
  const double fall = std::sqrt(2 * drop / StepSettings{}.gravity);
  double highest = -1;
  for (int i = 0; i < static_cast<int>(480 * 2.9 * fall); ++i) {
    test::step(body, ground, StepSettings{});
    const double height = body.links()[0].position.z() - radius;
    if (i > 480 * (fall + 0.02)) highest = std::max(highest, height);
  }
  return highest;
}

TEST(Restitution, ABallRisesToItsSquareTimesTheHeight) {
  for (const double drop : {0.3, 1.0, 1.37, 3.0}) {
    EXPECT_NEAR(rebound(0.11, 0.5, drop), 0.25 * drop, 0.05 * 0.25 * drop) << drop;
    EXPECT_NEAR(rebound(0.11, 0.8, drop), 0.64 * drop, 0.05 * 0.64 * drop) << drop;
    EXPECT_LT(rebound(0.11, 0, drop), 0.002) << drop;
  }
}

TEST(Restitution, ABallComesToRest) {
  ArticulatedBody body = ball(0.11, 0.8, 1);
  const Ground ground;
  for (int i = 0; i < 480 * 10; ++i) test::step(body, ground, StepSettings{});
  EXPECT_LT(body.fastest_point(), 1e-3);
}

TEST(Fast, ASmallBallDoesNotPassAThinWall) {
  // It gets up to 8 cm further in a step, and wall and ball are 7 cm thick together.
  GroundBlock wall;
  wall.pose.position = Vec3(0, 0, 1);
  wall.half = Vec3(0.01, 1, 1);
  const Ground ground({wall});
  for (const double speed : {5.0, 15.0, 30.0, 40.0}) {
    for (int phase = 0; phase < 8; ++phase) {
      ArticulatedBody body = ball(0.025, 0.5, 1);
      ArticulationState state = body.state();
      state.root.position.x() = -0.5 - speed / 480 * phase / 8;
      state.velocity[0] = speed;
      body.set_state(state);
      for (int i = 0; i < 480 / 4; ++i) test::step(body, ground, StepSettings{});
      EXPECT_LT(body.links()[0].position.x(), 0) << speed << " m/s, phase " << phase;
      EXPECT_NEAR(body.links()[0].velocity.x(), -0.5 * speed, 0.1 * speed) << speed;
    }
  }
}

TEST(Restitution, TwoBallsKeepTheirMomentum) {
  ArticulatedBody one = ball(0.1, 0.5, 1), other = ball(0.1, 0, 1);
  ArticulationState state = one.state();
  state.velocity[0] = 3;
  one.set_state(state);
  state = other.state();
  state.root.position.x() = 0.4;
  other.set_state(state);
  const Ground ground;
  const std::array<ArticulatedBody*, 2> both{&one, &other};
  StepSettings settings;
  settings.gravity = 0;
  for (int i = 0; i < 100; ++i) step_island(both, ground, settings, test::workspace());
  EXPECT_NEAR(one.links()[0].velocity.x(), 0.75, 0.02);
  EXPECT_NEAR(other.links()[0].velocity.x(), 2.25, 0.02);
}

TEST(Hinge, WithoutStopsTurnsTenTimesWithoutAJump) {
  ArticulationModel wheel;
  LinkModel& frame = wheel.links.emplace_back();
  frame.joint = JointKind::kFixed;
  frame.mass = 1;
  frame.inertia = Vec3::Ones();
  LinkModel& disc = wheel.links.emplace_back();
  disc.parent = 0;
  disc.joint = JointKind::kHinge;
  disc.mass = 2;
  disc.inertia = Vec3(0.01, 0.02, 0.01);
  disc.axis = Vec3::UnitY();
  ArticulatedBody body(test::finished(std::move(wheel)));
  ArticulationState state = body.state();
  state.velocity[0] = 10;
  body.set_state(state);
  const Ground ground({}, 0.8);
  double before = 0;
  for (int i = 0; i < 480 * 7; ++i) {
    test::step(body, ground, StepSettings{});
    const double angle = body.state().angle[1].x();
    ASSERT_NEAR(angle - before, 10.0 / 480, 1e-6);
    before = angle;
  }
  EXPECT_GT(before, 10 * kTwoPi);
}

}  // namespace
}  // namespace promenade::physics
