#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

constexpr double kBob = 1.5;      // kg
constexpr double kArm = 0.4;      // m
constexpr double kMoment = 0.02;  // kg m^2
constexpr double kBase = 1e7;     // kg: does not budge

/// A bob on an arm, hinged about y below a base too heavy to move, held against gravity.
class Pendulum {
 public:
  explicit Pendulum(JointKind joint = JointKind::kHinge, double base = kBase, double height = 10)
      : height_(height) {
    ArticulationModel model;
    LinkModel& root = model.links.emplace_back();
    root.mass = base;
    root.inertia = Vec3::Constant(base);
    LinkModel& bob = model.links.emplace_back();
    bob.parent = 0;
    bob.joint = joint;
    bob.mass = kBob;
    bob.inertia = Vec3::Constant(kMoment);
    bob.at_child = Vec3(0, 0, kArm);
    bob.lower = Vec3::Constant(-10);
    bob.upper = Vec3::Constant(10);
    model_ = std::make_shared<ArticulationModel>(std::move(model));
    model_->finish();
    body_ = std::make_unique<ArticulatedBody>(model_);
    set(0, 0);
  }

  LinkModel& bob() { return model_->links[1]; }
  JointDrive& drive() { return body_->drives()[1]; }
  ArticulatedBody& body() { return *body_; }
  double angle() const { return body_->state().angle[1].x(); }
  double rate() const { return body_->state().velocity[6]; }

  void set(double angle, double rate) {
    Pose root;
    root.position = Vec3(0, 0, height_);
    ArticulationState state = ArticulatedBody::zero_state(*model_, root);
    state.angle[1].x() = angle;
    state.velocity[6] = rate;
    body_->set_state(state);
  }

  void step(const StepSettings& settings) {
    const LinkModel& root = model_->links[0];
    body_->add_force({0, body_->links()[0].position, Vec3(0, 0, root.mass * settings.gravity)});
    test::step(*body_, ground_, settings);
  }

 private:
  double height_;  // m, of the base
  std::shared_ptr<ArticulationModel> model_;
  std::unique_ptr<ArticulatedBody> body_;
  Ground ground_;
};

TEST(Hinge, SwingsWithThePeriodOfAPhysicalPendulum) {
  Pendulum pendulum;
  pendulum.set(0.02, 0);
  const StepSettings settings;
  const double expected =
      kTwoPi * std::sqrt((kMoment + kBob * kArm * kArm) / (kBob * settings.gravity * kArm));
  double before = pendulum.angle(), time = 0, first = -1, last = -1;
  int falls = 0;
  while (time < 8) {
    pendulum.step(settings);
    time += settings.dt;
    const double now = pendulum.angle();
    if (before > 0 && now <= 0) {
      const double crossing = time - settings.dt * now / (now - before);
      if (first < 0)
        first = crossing;
      else
        ++falls;
      last = crossing;
    }
    before = now;
  }
  ASSERT_GE(falls, 4);
  EXPECT_NEAR((last - first) / falls, expected, 2e-4 * expected);
}

TEST(Hinge, PositiveAngleIsTheRightHandedTurnOfTheChild) {
  Pendulum pendulum;
  pendulum.set(0.5, 0);
  // Turned by +0.5 about y the bob below the hinge goes backwards.
  const Vec3 bob = pendulum.body().links()[1].position;
  EXPECT_NEAR(bob.x(), -kArm * std::sin(0.5), 1e-12);
  EXPECT_NEAR(bob.z(), 10 - kArm * std::cos(0.5), 1e-12);
}

TEST(Servo, SettlesAtTheTargetLessTheSagOfTheSpring) {
  Pendulum pendulum;
  pendulum.drive().kp = Vec3::Constant(120);
  pendulum.drive().kd = Vec3::Constant(12);
  pendulum.drive().target_angle.x() = 0.6;
  const StepSettings settings;
  for (int i = 0; i < 480 * 4; ++i) pendulum.step(settings);
  const double torque = kBob * settings.gravity * kArm * std::sin(pendulum.angle());
  EXPECT_NEAR(120 * (0.6 - pendulum.angle()), torque, 1e-3);
  EXPECT_NEAR(pendulum.drive().applied.x(), torque, 1e-3);
  // The torque of gravity, fed forward, takes the sag away.
  for (int i = 0; i < 480 * 4; ++i) {
    pendulum.drive().feedforward.x() = kBob * settings.gravity * kArm * std::sin(pendulum.angle());
    pendulum.step(settings);
  }
  EXPECT_NEAR(pendulum.angle(), 0.6, 1e-4);
}

TEST(Servo, HugeGainsAreStableAtALargeStep) {
  for (const double kp : {1e4, 1e6, 1e8}) {
    Pendulum pendulum(JointKind::kHinge, 1e12);
    pendulum.drive().kp = Vec3::Constant(kp);
    pendulum.drive().kd = Vec3::Constant(2 * std::sqrt(kp));
    pendulum.drive().target_angle.x() = 0.8;
    StepSettings settings;
    settings.dt = 1.0 / 60;
    double furthest = 0;
    for (int i = 0; i < 600; ++i) {
      pendulum.step(settings);
      furthest = std::max(furthest, pendulum.angle());
    }
    EXPECT_LT(furthest, 1.0) << "kp " << kp;
    EXPECT_NEAR(pendulum.angle(), 0.8, 1e-3) << "kp " << kp;
    EXPECT_NEAR(pendulum.rate(), 0, 1e-3) << "kp " << kp;
  }
}

TEST(Servo, BallJointTurnsTheShortWayToItsTarget) {
  Pendulum pendulum(JointKind::kBall);
  pendulum.drive().kp = Vec3::Constant(500);
  pendulum.drive().kd = Vec3::Constant(30);
  const Quat target = quat_from_rotation_vector(Vec3(0.4, -0.7, 1.1));
  pendulum.drive().target = Quat(-target.w(), -target.x(), -target.y(), -target.z());
  StepSettings settings;
  settings.gravity = 0;
  for (int i = 0; i < 480 * 5; ++i) pendulum.step(settings);
  EXPECT_LT(pendulum.body().state().joint[1].angularDistance(target), 1e-4);
}

TEST(Servo, UniversalJointReachesRollAndPitch) {
  Pendulum pendulum(JointKind::kUniversal);
  pendulum.drive().kp = Vec3::Constant(500);
  pendulum.drive().kd = Vec3::Constant(30);
  pendulum.drive().target_angle = Vec2(0.3, -0.5);
  StepSettings settings;
  settings.gravity = 0;
  for (int i = 0; i < 480 * 5; ++i) pendulum.step(settings);
  EXPECT_LT((pendulum.body().state().angle[1] - Vec2(0.3, -0.5)).norm(), 1e-4);
  const Quat expected = rotation_y(-0.5) * rotation_x(0.3);
  EXPECT_LT(pendulum.body().state().joint[1].angularDistance(expected), 1e-4);
}

TEST(Servo, FollowsAWantedVelocity) {
  Pendulum pendulum;
  pendulum.drive().kd = Vec3::Constant(50);
  pendulum.drive().target_velocity.x() = 1.25;
  StepSettings settings;
  settings.gravity = 0;
  for (int i = 0; i < 480; ++i) pendulum.step(settings);
  EXPECT_NEAR(pendulum.rate(), 1.25, 1e-6);
}

TEST(Servo, GivesNoMoreThanItsTorqueLimit) {
  Pendulum pendulum;
  pendulum.drive().kp = Vec3::Constant(5000);
  pendulum.drive().kd = Vec3::Constant(5);
  pendulum.drive().target_angle.x() = 2;
  pendulum.drive().limit = Vec3::Constant(3);
  StepSettings settings;
  settings.gravity = 0;
  const double moment = kMoment + kBob * kArm * kArm;
  double before = 0;
  for (int i = 0; i < 200; ++i) {
    pendulum.step(settings);
    const double torque = moment * (pendulum.rate() - before) / settings.dt;
    EXPECT_LE(std::abs(torque), 3 * (1 + 1e-5)) << "step " << i;
    EXPECT_LE(std::abs(pendulum.drive().applied.x()), 3);
    before = pendulum.rate();
  }
  // Far from its target all the way: a constant torque.
  EXPECT_NEAR(pendulum.rate(), 3 / moment * 200 * settings.dt, 1e-3);
}

TEST(Servo, ALimitDoesNotThrowALightBob) {
  // A foot in the air: told to turn at once it asks for more than the limit, but at the end of a
  // step, when it turns, for next to nothing.
  Pendulum pendulum(JointKind::kBall);
  pendulum.bob().mass = 1e-3;
  pendulum.bob().inertia = Vec3::Constant(5e-3);
  JointDrive& drive = pendulum.drive();
  drive.kd = Vec3::Constant(17);
  drive.limit = Vec3::Constant(100);
  drive.target_velocity = Vec3(0, 10, 0);
  StepSettings settings;
  settings.gravity = 0;
  for (int i = 0; i < 48; ++i) {
    pendulum.step(settings);
    EXPECT_LT(pendulum.body().state().velocity[7], 10.5) << "step " << i;
    if (i < 5) continue;
    EXPECT_NEAR(pendulum.body().state().velocity[7], 10, 0.5) << "step " << i;
    EXPECT_NEAR(drive.applied.y(), 0, 1) << "step " << i;
  }
}

TEST(Servo, KeepsToItsLimitWhereItPressesAgainstTheGround) {
  constexpr double kLimit = 12;
  Pendulum pendulum(JointKind::kHinge, kBase, 0.3);
  pendulum.bob().shapes = {test::capsule_shape(Vec3(0, -0.05, 0), Vec3(0, 0.05, 0), 0.02)};
  pendulum.bob().reach = 0.07;  // of that shape: the model was finished without it
  // The arm is longer than the base is high: it rests on the ground and is driven into it.
  pendulum.set(-std::acos(0.28 / kArm), 0);
  JointDrive& drive = pendulum.drive();
  drive.kp.x() = 500;
  drive.kd.x() = 5;
  drive.limit.x() = kLimit;
  drive.target_angle.x() = 0;
  const StepSettings settings;
  for (int i = 0; i < 480; ++i) {
    pendulum.step(settings);
    if (i < 48) continue;
    const LinkMotion& bob = pendulum.body().links()[1];
    Vec3 moment = (bob.position - Vec3(0, 0, 0.3)).cross(Vec3(0, 0, -kBob * settings.gravity));
    for (const ContactPoint& point : pendulum.body().contacts()) {
      moment += (point.position - Vec3(0, 0, 0.3)).cross(point.force);
    }
    EXPECT_NEAR(moment.y(), -kLimit, 0.02 * kLimit) << "step " << i;
    EXPECT_NEAR(drive.applied.x(), kLimit, 1e-9) << "step " << i;
  }
}

TEST(Servo, DampsAsFastAtALargeStepAsAtASmallOne) {
  const double moment = kMoment + kBob * kArm * kArm;
  for (const double per_step : {0.1, 0.5, 1.0, 2.0, 6.0}) {
    StepSettings settings;
    settings.gravity = 0;
    Pendulum pendulum;
    pendulum.set(0, 3);
    pendulum.drive().kd.x() = per_step * moment / settings.dt;
    double exact = 3;
    for (int i = 0; i < 3; ++i) {
      pendulum.step(settings);
      exact *= std::exp(-per_step);
      EXPECT_NEAR(pendulum.rate(), exact, 3e-3 * 3) << per_step << " a step, step " << i;
    }
  }
}

TEST(JointStop, HoldsALoadNearTheLimit) {
  for (const JointKind joint : {JointKind::kHinge, JointKind::kBall}) {
    Pendulum pendulum(joint, 100);
    pendulum.bob().lower = Vec3(-0.2, -0.2, -0.2);
    pendulum.bob().upper = Vec3(0.3, 0.3, 0.3);
    StepSettings settings;
    settings.gravity = 0;
    JointDrive& drive = pendulum.drive();
    const int axis = joint == JointKind::kHinge ? 0 : 1;
    for (const double torque : {40.0, -40.0}) {
      drive.feedforward = Vec3::Zero();
      drive.feedforward[axis] = torque;
      for (int i = 0; i < 480 * 2; ++i) pendulum.step(settings);
      const double at = joint == JointKind::kHinge
                            ? pendulum.angle()
                            : rotation_vector(pendulum.body().state().joint[1]).y();
      const double limit = torque > 0 ? 0.3 : -0.2;
      // A spring that grows with the mass of the body, 12 N m / rad a kilogram.
      EXPECT_NEAR(at, limit + torque / (12 * 101.5), 2e-3);
    }
  }
}

TEST(JointStop, CatchesAFastSwingWithoutThrowingItBack) {
  Pendulum pendulum(JointKind::kHinge, 70);
  pendulum.bob().upper = Vec3::Constant(0.5);
  pendulum.set(0, 12);
  StepSettings settings;
  settings.gravity = 0;
  double furthest = 0, slowest = 0;
  for (int i = 0; i < 480; ++i) {
    pendulum.step(settings);
    furthest = std::max(furthest, pendulum.angle());
    slowest = std::min(slowest, pendulum.rate());
  }
  EXPECT_LT(furthest, 0.85);
  EXPECT_GT(slowest, -0.3 * 12);
}

}  // namespace
}  // namespace promenade::physics
