#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support.h"

namespace promenade::physics {
namespace {

constexpr double kG = 9.8;
const Vec3 kBox(0.2, 0.2, 0.2);

ArticulatedBody crate(double mass, const Vec3& at, const Quat& rotation = Quat::Identity()) {
  ArticulatedBody body(test::box_model(mass, kBox));
  Pose root;
  root.position = at;
  root.rotation = rotation;
  body.set_state(ArticulatedBody::zero_state(body.model(), root));
  return body;
}

void set_velocity(ArticulatedBody& body, const Vec3& velocity, const Vec3& omega = Vec3::Zero()) {
  ArticulationState state = body.state();
  for (std::size_t k = 0; k < 3; ++k) {
    state.velocity[k] = velocity[Eigen::Index(k)];
    state.velocity[3 + k] = omega[Eigen::Index(k)];
  }
  body.set_state(state);
}

/// Steps one island.
template <std::size_t bodies, std::size_t ties>
void step_tied(const std::array<ArticulatedBody*, bodies>& island,
               const std::array<Tie*, ties>& list, const StepSettings& settings = {}) {
  static const Ground ground;
  step_island(island, ground, settings, test::workspace(), list);
}

StepSettings without_gravity() {
  StepSettings settings;
  settings.gravity = 0;
  return settings;
}

/// A body held at `point` of its frame by a place of the world that is there now.
Tie held(ArticulatedBody& body, const Vec3& point, TieKind kind) {
  Tie tie;
  tie.kind = kind;
  tie.a = {&body, 0, {point, Quat::Identity()}, Vec3::Zero(), Vec3::Zero()};
  tie.b.frame = tie.a.in_world();
  return tie;
}

Tie between(ArticulatedBody& a, const Vec3& on_a, ArticulatedBody& b, const Vec3& on_b,
            TieKind kind) {
  Tie tie;
  tie.kind = kind;
  tie.a = {&a, 0, {on_a, Quat::Identity()}, Vec3::Zero(), Vec3::Zero()};
  tie.b = {&b, 0, {on_b, Quat::Identity()}, Vec3::Zero(), Vec3::Zero()};
  keep_present_rotation(tie);
  return tie;
}

TEST(Tie, LiftsEightyKilogramsWithTheirWeightAndWhatAcceleratesThem) {
  ArticulatedBody load = crate(80, Vec3(0, 0, 2));
  Tie grip = held(load, Vec3(0, 0, 0.2), TieKind::kBall);
  const double acceleration = 1.5;
  double mean = 0;
  for (int i = 0; i < 480; ++i) {
    grip.b.velocity.z() += acceleration / 480;
    step_tied(std::array{&load}, std::array{&grip});
    if (i >= 240) mean += grip.force.z() / 240;
  }
  EXPECT_NEAR(mean / (80 * (kG + acceleration)), 1, 0.02);
  EXPECT_NEAR(load.state().velocity[2], acceleration, 0.02 * acceleration);
  EXPECT_NEAR(load.links()[0].position.z(), 2 + acceleration / 2, 0.01);
}

TEST(Tie, SwingsAsAPendulumDoes) {
  // A crate held 1.8 m above its centre: a body pendulum of length L = l + I / (m l).
  const double l = 1.8, start = 0.4;
  ArticulatedBody load =
      crate(80, Vec3(l * std::sin(start), 0, 5 - l * std::cos(start)), rotation_y(-start));
  Tie grip = held(load, Vec3(0, 0, l), TieKind::kBall);
  const double inertia = test::box_inertia(80, kBox).y();
  const double length = l + inertia / (80 * l);
  const double period =
      kTwoPi * std::sqrt(length / kG) * (1 + start * start / 16 + 11 * std::pow(start, 4) / 3072);
  double last = load.links()[0].position.x();
  std::vector<double> crossings;
  for (int i = 0; i < 480 * 20; ++i) {
    step_tied(std::array{&load}, std::array{&grip});
    const double x = load.links()[0].position.x();
    if ((x > 0) != (last > 0)) {
      crossings.push_back((i + 1 - x / (x - last)) / 480);
      // Tension at the lowest point, m g + m v^2 / l.
      const double v = load.links()[0].velocity.norm();
      EXPECT_NEAR(grip.force.norm() / (80 * (kG + v * v / l)), 1, 0.02);
    }
    last = x;
  }
  ASSERT_GT(crossings.size(), 10u);
  const double measured = 2 * (crossings.back() - crossings.front()) / double(crossings.size() - 1);
  std::printf("pendulum of 80 kg: period %.4f s, closed form %.4f s\n", measured, period);
  EXPECT_NEAR(measured / period, 1, 0.01);
}

TEST(Tie, LetGoKeepsItsVelocity) {
  ArticulatedBody load = crate(80, Vec3(0, 0, 50));
  Tie grip = held(load, Vec3(0, 0, 0.2), TieKind::kWeld);
  grip.b.velocity = Vec3(2, 0, 1);
  for (int i = 0; i < 480; ++i) step_tied(std::array{&load}, std::array{&grip});
  const Vec3 v = load.links()[0].velocity;
  EXPECT_LT((v - grip.b.velocity).norm(), 0.02);
  for (int i = 0; i < 240; ++i) step_tied(std::array{&load}, std::array<Tie*, 0>{});
  EXPECT_LT((load.links()[0].velocity - (v - Vec3(0, 0, kG / 2))).norm(), 1e-9);
}

TEST(Tie, BreaksAtItsForce) {
  for (const double mass : {0.0076, 5.0, 80.0, 2000.0}) {
    ArticulatedBody load = crate(mass, Vec3(0, 0, 50));
    Tie grip = held(load, Vec3(0, 0, 0.2), TieKind::kBall);
    const double strength = 3 * mass * kG;
    grip.break_force = strength;
    double pull = 0;
    for (int i = 0; i < 480 * 4 && !grip.broken; ++i) {
      pull += mass * kG / 480;
      load.add_force({0, load.links()[0].position, Vec3(0, 0, -pull)});
      step_tied(std::array{&load}, std::array{&grip});
      EXPECT_LE(grip.force.norm(), strength * 1.000001);
    }
    ASSERT_TRUE(grip.broken);
    EXPECT_NEAR((pull + mass * kG) / strength, 1, 0.02) << mass;
    step_tied(std::array{&load}, std::array{&grip});
    EXPECT_EQ(grip.force.norm(), 0);
  }
}

TEST(Tie, AtItsLimitItYieldsAndHoldsOn) {
  ArticulatedBody load = crate(10, Vec3(0, 0, 50));
  Tie grip = held(load, Vec3::Zero(), TieKind::kBall);
  grip.limit = 5 * kG;  // half its weight
  for (int i = 0; i < 480; ++i) step_tied(std::array{&load}, std::array{&grip});
  EXPECT_FALSE(grip.broken);
  EXPECT_NEAR(grip.force.z(), 5 * kG, 1e-6);
  EXPECT_NEAR(load.state().velocity[2], -kG / 2, 0.01);
}

TEST(Tie, SpringSwingsAtItsFrequencyAndKeepsItsEnergy) {
  const double mass = 4, k = 900;
  for (const double hz : {120.0, 480.0}) {
    ArticulatedBody load = crate(mass, Vec3(0, 0, 50));
    Tie spring = held(load, Vec3::Zero(), TieKind::kSpring);
    spring.b.frame.position.z() += 1;
    spring.length = 0.9;
    spring.stiffness = k;
    spring.damping = 1e-9;
    StepSettings settings = without_gravity();
    settings.dt = 1 / hz;
    double farthest = 0;
    for (int i = 1; i <= std::lround(10 * hz); ++i) {
      step_tied(std::array{&load}, std::array{&spring}, settings);
      if (i > std::lround(9 * hz)) {
        farthest = std::max(farthest, load.links()[0].position.z() - 50);
      }
    }
    EXPECT_NEAR(farthest, 0.2, 0.2 * 0.01) << hz;
  }
}

TEST(Tie, SpringStretchesByTheWeightOverItsStiffness) {
  ArticulatedBody load = crate(4, Vec3(0, 0, 50));
  Tie spring = held(load, Vec3::Zero(), TieKind::kSpring);
  spring.b.frame.position.z() += 0.5;
  spring.length = 0.5;
  spring.stiffness = 800;
  for (int i = 0; i < 480 * 3; ++i) step_tied(std::array{&load}, std::array{&spring});
  EXPECT_NEAR(load.links()[0].position.z(), 50 - 4 * kG / 800, 1e-5);
  EXPECT_NEAR(spring.force.z(), 4 * kG, 1e-3);
}

TEST(Tie, WeldedCratesFallAsOneRigidBody) {
  ArticulatedBody a = crate(3, Vec3(0, 0, 20)), b = crate(7, Vec3(0.4, 0, 20));
  const Vec3 omega(1, 2, 0.5), velocity(0.5, 0, 3);
  set_velocity(a, velocity, omega);
  set_velocity(b, velocity + omega.cross(Vec3(0.4, 0, 0)), omega);
  Tie weld = between(a, Vec3(0.2, 0, 0), b, Vec3(-0.2, 0, 0), TieKind::kWeld);
  const auto center = [&] {
    return Vec3(0.3 * a.links()[0].position + 0.7 * b.links()[0].position);
  };
  const Vec3 start = center();
  const Vec3 p = test::momentum(a) + test::momentum(b);
  const auto spin = [&] {
    const Vec3 momentum = test::momentum(a) + test::momentum(b);
    return Vec3(test::angular_momentum(a) + test::angular_momentum(b) - center().cross(momentum));
  };
  const Vec3 l = spin();
  const int steps = 480;
  for (int i = 0; i < steps; ++i) step_tied(std::array{&a, &b}, std::array{&weld});
  const double t = 1;
  const Vec3 fall(0, 0, -kG * t * (t + 1.0 / 480) / 2);
  EXPECT_LT((center() - (start + p / 10 * t + fall)).norm(), 1e-6);
  EXPECT_LT((spin() - l).norm(), 0.01 * l.norm());
  EXPECT_TRUE(a.contacts().empty()) << "what is tied does not collide";
  const Vec3 apart =
      a.links()[0].rotation.transpose() * (b.links()[0].position - a.links()[0].position);
  EXPECT_LT((apart - Vec3(0.4, 0, 0)).norm(), 1e-3);
  EXPECT_LT((a.links()[0].omega - b.links()[0].omega).norm(), 0.01);
}

TEST(Tie, TiesBetweenBodiesKeepMomentum) {
  for (const TieKind kind :
       {TieKind::kBall, TieKind::kHinge, TieKind::kSlider, TieKind::kWeld, TieKind::kSpring}) {
    ArticulatedBody a = crate(3, Vec3(0, 0, 20)), b = crate(7, Vec3(0.5, 0.1, 20));
    set_velocity(a, Vec3(1, 2, 3), Vec3(3, 1, 0));
    set_velocity(b, Vec3(-1, 0, 1), Vec3(0, 1, -2));
    Tie tie = between(a, Vec3(0.25, 0.05, 0), b, Vec3(-0.25, -0.05, 0), kind);
    const Vec3 p = test::momentum(a) + test::momentum(b);
    const Vec3 l = test::angular_momentum(a) + test::angular_momentum(b);
    for (int i = 0; i < 480; ++i)
      step_tied(std::array{&a, &b}, std::array{&tie}, without_gravity());
    EXPECT_LT((test::momentum(a) + test::momentum(b) - p).norm(), 1e-9) << int(kind);
    EXPECT_LT((test::angular_momentum(a) + test::angular_momentum(b) - l).norm(), 0.02 * l.norm())
        << int(kind);
  }
}

TEST(Tie, HingeTurnsAboutItsAxisAlone) {
  ArticulatedBody door = crate(10, Vec3(0.3, 0, 5));
  Tie hinge = held(door, Vec3(-0.3, 0, 0), TieKind::kHinge);
  // Its x axis upright.
  hinge.a.frame.rotation = rotation_y(-kPi / 2);
  hinge.b.frame = hinge.a.in_world();
  for (int i = 0; i < 480; ++i) {
    if (i < 240) door.add_force({0, door.links()[0].position, door.links()[0].rotation.col(1) * 4});
    step_tied(std::array{&door}, std::array{&hinge});
  }
  const double inertia = test::box_inertia(10, kBox).z() + 10 * 0.09;
  EXPECT_NEAR(door.links()[0].omega.z(), 0.3 * 4 * 0.5 / inertia, 0.01);
  EXPECT_LT(door.links()[0].omega.head<2>().norm(), 0.02);
  EXPECT_NEAR(door.links()[0].rotation(2, 2), 1, 1e-4);
  EXPECT_NEAR(door.links()[0].position.head<2>().norm(), 0.3, 2e-3);
  EXPECT_NEAR(door.links()[0].position.z(), 5, 2e-3);
}

TEST(Tie, BallThatResistsTurningSlowsASpinUpToItsTorque) {
  const double mass = 12, inertia = mass / 3 * (kBox.y() * kBox.y() + kBox.z() * kBox.z());
  const double spin = 3;  // rad/s
  const auto spin_after_a_second = [&](double damping, double limit) {
    ArticulatedBody load = crate(mass, Vec3(0, 0, 2));
    set_velocity(load, Vec3::Zero(), Vec3(spin, 0, 0));
    Tie grip = held(load, Vec3::Zero(), TieKind::kBall);
    grip.turn_damping = damping;
    grip.turn_limit = limit;
    for (int i = 0; i < 480; ++i)
      step_tied(std::array{&load}, std::array{&grip}, without_gravity());
    return load.links()[0].omega.x();
  };
  EXPECT_NEAR(spin_after_a_second(0, 0), spin, 1e-6);
  EXPECT_NEAR(spin_after_a_second(inertia, 0), spin * std::exp(-1.0), 0.01);
  EXPECT_NEAR(spin_after_a_second(100 * inertia, inertia), spin - 1, 0.01);
}

TEST(Tie, SliderSlidesAlongItsAxisAlone) {
  ArticulatedBody lift = crate(10, Vec3(0, 0, 5));
  Tie slider = held(lift, Vec3(0.2, 0.1, 0), TieKind::kSlider);
  slider.a.frame.rotation = rotation_y(-kPi / 2 + 0.5);  // its x axis leans by 0.5 rad
  slider.b.frame = slider.a.in_world();
  const Vec3 along = slider.b.frame.rotation * Vec3::UnitX();
  for (int i = 0; i < 240; ++i) step_tied(std::array{&lift}, std::array{&slider});
  const Vec3 moved = lift.links()[0].position - Vec3(0, 0, 5);
  EXPECT_LT((moved - along * along.dot(moved)).norm(), 3e-3);
  EXPECT_NEAR(moved.norm(), 0.5 * kG * std::cos(0.5) * 0.25, 0.01);
  EXPECT_LT(lift.links()[0].omega.norm(), 0.02);
}

// 30 degrees down for 3 s: 22 m from where the rail begins.
TEST(Tie, SliderStaysOnALongRail) {
  const Quat down = rotation_y(30 * kRadFromDeg);
  for (const double mass : {1.0, 80.0}) {
    ArticulatedBody cart = crate(mass, Vec3(0, 0, 30), down);
    Tie slider = held(cart, Vec3::Zero(), TieKind::kSlider);
    for (int i = 0; i < 3 * 480; ++i) step_tied(std::array{&cart}, std::array{&slider});
    const Vec3 moved = down.conjugate() * (cart.state().root.position - Vec3(0, 0, 30));
    EXPECT_NEAR(moved.x(), 0.5 * kG * 0.5 * 9, 0.05) << mass << " kg";
    EXPECT_LT(moved.tail<2>().norm(), 0.001) << mass << " kg";
  }
}

// The anchor is five times as far from the middle of the crate as its faces.
TEST(Tie, WeldHoldsOnALongLever) {
  ArticulatedBody load = crate(1, Vec3(1, 0, 10));
  Tie weld = held(load, Vec3(-1, 0, 0), TieKind::kWeld);
  for (int i = 0; i < 10 * 480; ++i) step_tied(std::array{&load}, std::array{&weld});
  EXPECT_LT((weld.a.in_world().position - weld.b.frame.position).norm(), 0.001);
  EXPECT_NEAR(load.state().root.position.z(), 10, 0.001);
  EXPECT_NEAR(weld.force.z(), kG, 0.01 * kG);
}

// Law:  a top of moments A across and C along its axis, its point fixed at a distance l from its
//       middle, precesses steadily at a tilt t with the rate W of (A + m l^2) W^2 cos t - C s W +
//       m g l = 0, s its spin about its axis
TEST(Tie, AFastPendulumOnItSwingsAsHighForSeconds) {
  // At its lowest point it turns by more in a step than is stepped whole.
  const double length = 0.1, amplitude = 2.5;
  ArticulatedBody load(test::ball_model(1, 0.02));
  const Vec3 from_pivot = length * Vec3(std::sin(amplitude), 0, -std::cos(amplitude));
  Pose start;
  start.position = Vec3(0, 0, 1) + from_pivot;
  load.set_state(ArticulatedBody::zero_state(load.model(), start));
  Tie rod = held(load, -from_pivot, TieKind::kBall);
  double highest = 0;
  for (int i = 0; i < 480 * 8; ++i) {
    step_tied(std::array{&load}, std::array{&rod});
    if (i > 480 * 7) highest = std::max(highest, load.links()[0].position.z());
  }
  EXPECT_NEAR(highest, start.position.z(), 0.06 * length);
}

TEST(Tie, ATopOnItPrecessesAndDoesNotSink) {
  constexpr double kMass = 1, kLength = 0.1, kAcross = 0.004, kAlong = 0.006, kSpin = 60;
  const double tilt = 30 * kRadFromDeg;
  ArticulationModel model = *test::box_model(kMass, Vec3(0.05, 0.05, 0.01));
  model.links[0].inertia = Vec3(kAcross, kAcross, kAlong);
  ArticulatedBody top(test::finished(std::move(model)));
  const double a = (kAcross + kMass * kLength * kLength) * std::cos(tilt);
  const double b = kAlong * kSpin, c = kMass * kG * kLength;
  const double rate = (b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
  const Vec3 axis(std::sin(tilt), 0, std::cos(tilt));
  const Vec3 omega = rate * Vec3::UnitZ() + (kSpin - rate * std::cos(tilt)) * axis;
  Pose root;
  root.position = kLength * axis + Vec3(0, 0, 10);
  root.rotation = rotation_y(tilt);
  top.set_state(ArticulatedBody::zero_state(top.model(), root));
  set_velocity(top, omega.cross(kLength * axis), omega);
  Tie point = held(top, Vec3(0, 0, -kLength), TieKind::kBall);
  for (int i = 0; i < 10 * 480; ++i) step_tied(std::array{&top}, std::array{&point});
  const Vec3 now = top.state().root.rotation * Vec3::UnitZ();
  EXPECT_NEAR(std::acos(now.z()), tilt, 0.01 * tilt);
  const double turned = std::atan2(now.y(), now.x());
  EXPECT_NEAR(wrap_angle(turned - 10 * rate), 0, 0.01 * 10 * rate);
  EXPECT_NEAR(top.links()[0].omega.dot(now), kSpin, 0.001 * kSpin);
}

TEST(Tie, ClosesALoopOfFourBars) {
  // A crank, a coupler and a rocker that hang from a ground bar: three hinges of a tree and a tie
  // of its first and last link. A parallelogram keeps its coupler level.
  ArticulationModel model;
  const auto bar = [&](int parent, JointKind joint, const Vec3& at_parent, const Vec3& at_child) {
    LinkModel& link = model.links.emplace_back();
    link.parent = parent;
    link.joint = joint;
    link.mass = 2;
    link.inertia = Vec3(0.03, 0.03, 0.03);
    link.at_parent = at_parent;
    link.at_child = at_child;
    link.axis = Vec3::UnitY();
  };
  bar(-1, JointKind::kFree, Vec3::Zero(), Vec3::Zero());          // ground bar
  bar(0, JointKind::kHinge, Vec3(-0.3, 0, 0), Vec3(0, 0, 0.2));   // crank
  bar(1, JointKind::kHinge, Vec3(0, 0, -0.2), Vec3(-0.3, 0, 0));  // coupler
  bar(2, JointKind::kHinge, Vec3(0.3, 0, 0), Vec3(0, 0, -0.2));   // rocker
  ArticulatedBody loop(test::finished(std::move(model)));
  Pose root;
  root.position = Vec3(0, 0, 5);
  ArticulationState state = ArticulatedBody::zero_state(loop.model(), root);
  state.angle[1].x() = 0.5;
  state.angle[2].x() = -0.5;
  state.angle[3].x() = 0.5;
  loop.set_state(state);
  Tie wall = held(loop, Vec3::Zero(), TieKind::kWeld);
  Tie close;
  close.a = {&loop, 0, {Vec3(0.3, 0, 0), Quat::Identity()}, Vec3::Zero(), Vec3::Zero()};
  close.b = {&loop, 3, {Vec3(0, 0, 0.2), Quat::Identity()}, Vec3::Zero(), Vec3::Zero()};
  ASSERT_LT((close.a.in_world().position - close.b.in_world().position).norm(), 1e-9);
  double lowest = 0, swung = 1;
  for (int i = 0; i < 480 * 4; ++i) {
    step_tied(std::array{&loop}, std::array{&wall, &close});
    lowest = std::max(lowest, (close.a.in_world().position - close.b.in_world().position).norm());
    swung = std::min(swung, loop.links()[2].position.x());
    EXPECT_LT(std::abs(loop.links()[2].rotation(0, 2)), 0.01) << i;
  }
  EXPECT_LT(lowest, 1e-3);
  EXPECT_LT(swung, 0.4 * std::sin(0.5) * -0.8) << "it swings over to the other side";
}

TEST(Tie, ChainOfManyKeepsTogether) {
  std::vector<ArticulatedBody> links;
  std::vector<ArticulatedBody*> island;
  for (int i = 0; i < 10; ++i) links.push_back(crate(1, Vec3(0.5 * i, 0, 20)));
  std::vector<Tie> ties;
  ties.push_back(held(links[0], Vec3(-0.25, 0, 0), TieKind::kBall));
  for (std::size_t i = 1; i < links.size(); ++i) {
    ties.push_back(
        between(links[i - 1], Vec3(0.25, 0, 0), links[i], Vec3(-0.25, 0, 0), TieKind::kBall));
  }
  std::vector<Tie*> list;
  for (ArticulatedBody& link : links) island.push_back(&link);
  for (Tie& tie : ties) list.push_back(&tie);
  const Ground ground;
  double apart = 0;
  for (int i = 0; i < 480 * 5; ++i) {
    step_island(island, ground, StepSettings{}, test::workspace(), list);
    for (const Tie& tie : ties) {
      apart = std::max(apart, (tie.a.in_world().position - tie.b.in_world().position).norm());
    }
  }
  std::printf("chain of 10: the ends are apart by %.2f mm at most\n", 1000 * apart);
  EXPECT_LT(apart, 0.02);
}

TEST(Tie, HoldsAsWellInPartsOfAStep) {
  ArticulatedBody load = crate(80, Vec3(0, 0, 2));
  Tie grip = held(load, Vec3(0, 0, 0.2), TieKind::kWeld);
  for (int i = 0; i < 480; ++i) {
    load.set_fine(i % 2 == 0);
    step_tied(std::array{&load}, std::array{&grip});
  }
  EXPECT_NEAR(grip.force.z(), 80 * kG, 0.02 * 80 * kG);
  EXPECT_NEAR(load.links()[0].position.z(), 2, 1e-3);
}

TEST(Tie, OfASleepingBodyHoldsWithoutMovingIt) {
  ArticulatedBody anchor = crate(1, Vec3(0, 0, 5)), load = crate(5, Vec3(0, 0, 4));
  Tie rope = between(load, Vec3(0, 0, 0.5), anchor, Vec3(0, 0, -0.5), TieKind::kBall);
  anchor.set_asleep(true);
  for (int i = 0; i < 480; ++i) step_tied(std::array{&anchor, &load}, std::array{&rope});
  EXPECT_EQ(anchor.links()[0].position, Vec3(0, 0, 5));
  EXPECT_NEAR(load.links()[0].position.z(), 4, 1e-3);
  EXPECT_GT(anchor.take_disturbance().force, 5 * kG);
  step_tied(std::array{&anchor, &load}, std::array{&rope});
  EXPECT_NEAR(anchor.take_disturbance().force, 5 * kG, 0.1);
  EXPECT_EQ(anchor.take_disturbance().force, 0);
}

}  // namespace
}  // namespace promenade::physics
