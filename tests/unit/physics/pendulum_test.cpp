// Swinging and spinning bodies against closed forms and against the equations of Lagrange,
// integrated much more finely. A step of 1/480 s, no servos.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "support.h"

namespace promenade::physics {
namespace {

constexpr double kPendulumStep = 1.0 / 480;

/// A chain of rods that hangs from the world by hinges about y, each of the same length and mass.
std::shared_ptr<const ArticulationModel> chain(int rods, double length, double mass) {
  ArticulationModel model;
  LinkModel& hook = model.links.emplace_back();
  hook.joint = JointKind::kFixed;
  hook.mass = 1;
  for (int i = 0; i < rods; ++i) {
    LinkModel& rod = model.links.emplace_back();
    rod.parent = i;
    rod.joint = JointKind::kHinge;
    rod.mass = mass;
    rod.inertia = mass * length * length / 12 * Vec3(1, 1, 1e-3);
    rod.at_parent = i > 0 ? Vec3(0, 0, -0.5 * length) : Vec3(0, 0, 0);
    rod.at_child = Vec3(0, 0, 0.5 * length);
  }
  return test::finished(std::move(model));
}

/// The angles of such a chain against the vertical by its Lagrangian.
/// Law:    sum over j of A_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) = -g B_i sin(a_i),
///         with A and B of rods of mass m and length l: A_ij = m l^2 (n - max(i, j) - 1/2),
///         and on the diagonal m l^2 (n - i - 2/3); B_i = m l (n - i - 1/2);
///         i and j from 0
class Lagrangian {
 public:
  Lagrangian(int rods, double length, double mass)
      : n_(rods), a_(rods, rods), b_(rods), angle(rods), rate(rods) {
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) {
        a_(i, j) = mass * length * length * (n_ - std::max(i, j) - (i == j ? 2.0 / 3 : 0.5));
      }
      b_[i] = mass * length * (n_ - i - 0.5);
    }
    rate.setZero();
  }

 private:
  int n_;
  Eigen::MatrixXd a_;
  Eigen::VectorXd b_;

  Eigen::VectorXd acceleration(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    Eigen::MatrixXd m(n_, n_);
    Eigen::VectorXd f(n_);
    for (int i = 0; i < n_; ++i) {
      f[i] = -kGravity * b_[i] * std::sin(q[i]);
      for (int j = 0; j < n_; ++j) {
        m(i, j) = a_(i, j) * std::cos(q[i] - q[j]);
        f[i] -= a_(i, j) * std::sin(q[i] - q[j]) * v[j] * v[j];
      }
    }
    return m.ldlt().solve(f);
  }

 public:
  Eigen::VectorXd angle, rate;

  /// A step of the fourth order of Runge and Kutta.
  void step(double h) {
    const Eigen::VectorXd k1 = acceleration(angle, rate);
    const Eigen::VectorXd v2 = rate + 0.5 * h * k1;
    const Eigen::VectorXd k2 = acceleration(angle + 0.5 * h * rate, v2);
    const Eigen::VectorXd v3 = rate + 0.5 * h * k2;
    const Eigen::VectorXd k3 = acceleration(angle + 0.5 * h * v2, v3);
    const Eigen::VectorXd v4 = rate + h * k3;
    const Eigen::VectorXd k4 = acceleration(angle + h * v3, v4);
    angle += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
};

/// The greatest distance within `seconds` between a rod's middle and where the Lagrangian has it,
/// of the chain's length. @param start angles against the vertical, rad
double worst_distance(int rods, double length, const std::vector<double>& start, double seconds) {
  const auto model = chain(rods, length, 0.5);
  ArticulatedBody body(model);
  ArticulationState state = ArticulatedBody::zero_state(*model, Pose{});
  Lagrangian exact(rods, length, 0.5);
  for (int i = 0; i < rods; ++i) {
    exact.angle[i] = start[std::size_t(i)];
    state.angle[std::size_t(i + 1)].x() =
        start[std::size_t(i)] - (i > 0 ? start[std::size_t(i - 1)] : 0);
  }
  body.set_state(state);
  constexpr int kEach = 10;  // steps of the exact one
  double worst = 0;
  for (int s = 0; s < int(seconds / kPendulumStep); ++s) {
    test::step(body, Ground(), StepSettings{});
    for (int k = 0; k < kEach; ++k) exact.step(kPendulumStep / kEach);
    Vec3 joint = Vec3::Zero();
    for (int i = 0; i < rods; ++i) {
      // A turn about y takes what hangs down towards -x.
      const Vec3 along = -length * Vec3(std::sin(exact.angle[i]), 0, std::cos(exact.angle[i]));
      const Vec3 middle = joint + 0.5 * along;
      worst = std::max(worst, (body.links()[std::size_t(i + 1)].position - middle).norm());
      joint += along;
    }
  }
  return worst / (rods * length);
}

/// Law: T = 2 pi sqrt(I / (m g r)) / agm(1, cos(a / 2)), a the amplitude (Gauss)
double period(double inertia, double mass, double arm, double amplitude) {
  double a = 1, b = std::cos(0.5 * amplitude);
  for (int i = 0; i < 20; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * kPi * std::sqrt(inertia / (mass * kGravity * arm)) / a;
}

TEST(Pendulum, HasThePeriodOfTheEllipticIntegralAtAnyAmplitude) {
  const double length = 0.8, mass = 0.5;
  const auto model = chain(1, length, mass);
  for (const double amplitude : {0.1, 1.0, 2.0, 3.0}) {
    ArticulatedBody body(model);
    ArticulationState state = ArticulatedBody::zero_state(*model, Pose{});
    state.angle[1].x() = amplitude;
    body.set_state(state);
    constexpr int kSwings = 10;
    double last = 0;  // time of the last crossing
    int crossings = 0;
    double highest = 0;
    for (int i = 1; crossings < 2 * kSwings + 1 && i < 480 * 120; ++i) {
      const double before = body.state().angle[1].x();
      test::step(body, Ground(), StepSettings{});
      const double after = body.state().angle[1].x();
      if (before * after <= 0) {
        last = (i - 1 + before / (before - after)) * kPendulumStep;
        ++crossings;
      }
      if (crossings >= 2 * kSwings - 1) highest = std::max(highest, std::abs(after));
    }
    // The first crossing comes after a quarter of a period.
    const double expected = period(mass * length * length / 3, mass, length / 2, amplitude);
    const double measured = last / (kSwings + 0.25);
    RecordProperty("period_error_at_" + std::to_string(amplitude),
                   std::to_string(measured / expected - 1));
    EXPECT_NEAR(measured, expected, 0.005 * expected) << amplitude;
    EXPECT_NEAR(highest, amplitude, 0.01 * amplitude);
  }
}

TEST(Pendulum, AShortOneThatChangesBetweenWholeStepsAndPartsKeepsItsEnergy) {
  // At its lowest point it turns by more in a step than is stepped whole.
  for (const double length : {0.01, 0.02}) {
    const auto model = chain(1, length, 1e-3);
    ArticulatedBody body(model);
    ArticulationState state = ArticulatedBody::zero_state(*model, Pose{});
    state.angle[1].x() = 2.5;
    body.set_state(state);
    double highest = 0;
    for (int i = 0; i < 480 * 5; ++i) {
      test::step(body, Ground(), StepSettings{});
      if (i >= 480 * 4) highest = std::max(highest, std::abs(body.state().angle[1].x()));
    }
    RecordProperty("highest_after_4_s_of_" + std::to_string(length), std::to_string(highest));
    std::printf("pendulum of %g m: 2.5 rad, after 4 s %.4f rad\n", length, highest);
    EXPECT_NEAR(highest, 2.5, 0.025) << length;
  }
}

TEST(Pendulum, DoubleSwingsAsTheLagrangianSays) {
  const double wide = worst_distance(2, 0.5, {1.2, -0.4}, 5);
  RecordProperty("worst_of_length", std::to_string(wide));
  EXPECT_LT(wide, 0.01);
}

TEST(Pendulum, DoubleOverTheTopSwingsAsTheLagrangianSays) {
  const double wild = worst_distance(2, 0.5, {2.5, 2.0}, 2);
  RecordProperty("worst_of_length", std::to_string(wild));
  EXPECT_LT(wild, 0.01);
}

TEST(Pendulum, ChainOfTenLinksSwingsAsTheLagrangianSays) {
  // Straight, 40 degrees aside, let go; and bent as an arc.
  const double straight = worst_distance(10, 0.1, std::vector<double>(10, 0.7), 3);
  std::vector<double> arc;
  for (int i = 0; i < 10; ++i) arc.push_back(0.1 * i);
  const double bent = worst_distance(10, 0.1, arc, 3);
  RecordProperty("straight_of_length", std::to_string(straight));
  RecordProperty("bent_of_length", std::to_string(bent));
  EXPECT_LT(straight, 0.01);
  EXPECT_LT(bent, 0.01);
}

/// A symmetric top on a ball joint at its tip.
struct Top {
  double mass = 0.2, arm = 0.05;           // kg, m from tip to centre of mass
  double across = 1.2e-4, along = 2.0e-4;  // kg m^2, about the centre of mass
  double pivot() const { return across + mass * arm * arm; }

  std::shared_ptr<const ArticulationModel> model() const {
    ArticulationModel made;
    LinkModel& floor = made.links.emplace_back();
    floor.joint = JointKind::kFixed;
    floor.mass = 1;
    LinkModel& top = made.links.emplace_back();
    top.parent = 0;
    top.joint = JointKind::kBall;
    top.mass = mass;
    top.inertia = Vec3(across, across, along);
    top.at_child = Vec3(0, 0, -arm);
    return test::finished(std::move(made));
  }
};

TEST(Top, PrecessesSteadilyAtTheRateOfTheClosedForm) {
  const Top top;
  const auto model = top.model();
  for (const double spin : {80.0, 120.0, 200.0}) {  // rad/s, about its axis, precession included
    const double tilt = 0.5;
    // Law: I1 W^2 cos(tilt) - I3 spin W + m g r = 0, its slow root
    const double a = top.pivot() * std::cos(tilt), b = top.along * spin,
                 c = top.mass * kGravity * top.arm;
    ASSERT_GT(b * b, 4 * a * c);
    const double rate = (b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
    ArticulatedBody body(model);
    ArticulationState state = ArticulatedBody::zero_state(*model, Pose{});
    state.joint[1] = rotation_y(tilt);
    // In the top's axes: precession about the vertical, and what is left of the spin.
    state.velocity = {-rate * std::sin(tilt), 0, spin};
    body.set_state(state);
    double turned = 0, last = 0, worst_tilt = 0;
    const double seconds = 5;
    for (int i = 0; i < int(seconds / kPendulumStep); ++i) {
      test::step(body, Ground(), StepSettings{});
      const Vec3 axis = body.links()[1].rotation.col(2);
      const double at = std::atan2(axis.y(), axis.x());
      turned += wrap_angle(at - last);
      last = at;
      worst_tilt = std::max(worst_tilt, std::abs(std::acos(axis.z()) - tilt));
    }
    RecordProperty("rate_error_at_" + std::to_string(int(spin)),
                   std::to_string(turned / (rate * seconds) - 1));
    RecordProperty("tilt_error_at_" + std::to_string(int(spin)), std::to_string(worst_tilt));
    EXPECT_NEAR(turned / seconds, rate, 0.01 * rate) << spin;
    EXPECT_LT(worst_tilt, 0.01) << spin;
  }
}

TEST(Top, AFreeDiscWobblesAtTheRateOfTheClosedForm) {
  // A coin thrown spinning: its axis goes round the angular momentum at |L| / I1.
  ArticulationModel made;
  LinkModel& disc = made.links.emplace_back();
  disc.mass = 0.1;
  disc.inertia = Vec3(1e-4, 1e-4, 2e-4);
  const auto model = test::finished(std::move(made));
  ArticulatedBody body(model);
  ArticulationState state = ArticulatedBody::zero_state(*model, Pose{});
  state.root.position.z() = 50;
  state.velocity = {0, 0, 0, 6, 0, 30};
  body.set_state(state);
  StepSettings settings;
  settings.gravity = 0;
  const Vec3 momentum = test::angular_momentum(body);
  const double energy = test::kinetic_energy(body);
  const Vec3 up = momentum.normalized(), side = up.unitOrthogonal(), other = up.cross(side);
  double turned = 0, last = 0;
  for (int i = 0; i <= 480 * 5; ++i) {
    const Vec3 axis = body.links()[0].rotation.col(2);
    const double at = std::atan2(axis.dot(other), axis.dot(side));
    if (i > 0) turned += wrap_angle(at - last);
    last = at;
    if (i < 480 * 5) test::step(body, Ground(), settings);
  }
  const double rate = momentum.norm() / 1e-4;
  RecordProperty("rate_error", std::to_string(turned / (5 * rate) - 1));
  EXPECT_NEAR(turned / 5, rate, 0.01 * rate);
  EXPECT_LT((test::angular_momentum(body) - momentum).norm(), 0.01 * momentum.norm());
  EXPECT_NEAR(test::kinetic_energy(body), energy, 0.01 * energy);
}

TEST(Top, AThrownBoxKeepsItsEnergyForAMinute) {
  // About its middle axis, where it turns over again and again.
  ArticulatedBody body(test::box_model(4, Vec3(0.1, 0.2, 0.3)));
  ArticulationState state = ArticulatedBody::zero_state(body.model(), Pose{});
  state.root.position.z() = 50;
  state.velocity = {0, 0, 0, 0.1, 8, 0};
  body.set_state(state);
  StepSettings settings;
  settings.gravity = 0;
  const double energy = test::kinetic_energy(body);
  const Vec3 momentum = test::angular_momentum(body);
  double worst = 0, drift = 0;
  for (int i = 0; i < 480 * 60; ++i) {
    test::step(body, Ground(), settings);
    worst = std::max(worst, std::abs(test::kinetic_energy(body) / energy - 1));
    drift = std::max(drift, (test::angular_momentum(body) - momentum).norm() / momentum.norm());
  }
  RecordProperty("energy", std::to_string(worst));
  RecordProperty("momentum", std::to_string(drift));
  EXPECT_LT(worst, 0.01);
  EXPECT_LT(drift, 0.01);
}

}  // namespace
}  // namespace promenade::physics
