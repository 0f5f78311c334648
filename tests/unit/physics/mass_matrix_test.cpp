#include "mass_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <tuple>

#include "support.h"

namespace promenade::physics {
namespace {

void expect_second_derivative(const std::shared_ptr<const ArticulationModel>& model) {
  ArticulatedBody body(model);
  const int n = model->dof_count;
  const ArticulationState at = test::stirred_state(*model, 0);
  // Kinetic energy is quadratic in the velocity, so differences of unit steps are exact.
  const auto energy = [&](int i, int j) {
    ArticulationState state = at;
    state.velocity.assign(static_cast<std::size_t>(n), 0);
    if (i >= 0) state.velocity[static_cast<std::size_t>(i)] += 1;
    if (j >= 0) state.velocity[static_cast<std::size_t>(j)] += 1;
    body.set_state(state);
    return test::kinetic_energy(body);
  };
  Eigen::MatrixXd expected(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) expected(i, j) = energy(i, j) - energy(i, -1) - energy(-1, j);
  }
  body.set_state(at);
  EXPECT_LT((test::mass_matrix(body) - expected).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(MassMatrix, IsTheSecondDerivativeOfKineticEnergy) {
  expect_second_derivative(test::tree_model());
  for (const JointKind root : test::kRootKinds) {
    SCOPED_TRACE(type_of(root).name);
    expect_second_derivative(test::mixed_model(root));
  }
}

TEST(MassMatrix, GrowsByTheServosGainsOnTheDiagonalAlone) {
  const auto model = test::tree_model();
  ArticulatedBody body(model);
  body.set_state(test::stirred_state(*model, 0));
  const Eigen::MatrixXd bare = test::mass_matrix(body);
  body.drives()[2].kp = Vec3(300, 200, 0);
  body.drives()[2].kd = Vec3(30, 20, 0);
  const Eigen::MatrixXd servoed = test::mass_matrix(body);
  const double dt = StepSettings{}.dt;
  // Half of the damping at least is implicit, all of it at most, and all of the spring.
  Eigen::MatrixXd grown = servoed - bare;
  for (const auto& [dof, kp, kd] : {std::tuple(9, 300.0, 30.0), std::tuple(10, 200.0, 20.0)}) {
    EXPECT_GT(grown(dof, dof), dt * (0.5 * kd + dt * kp));
    EXPECT_LE(grown(dof, dof), dt * (kd + dt * kp));
    grown(dof, dof) = 0;
  }
  EXPECT_LT(grown.cwiseAbs().maxCoeff(), 1e-11);
  // Springs alone: exactly.
  body.drives()[2].kd.setZero();
  Eigen::MatrixXd expected = bare;
  expected(9, 9) += dt * dt * 300;
  expected(10, 10) += dt * dt * 200;
  EXPECT_LT((test::mass_matrix(body) - expected).cwiseAbs().maxCoeff(), 1e-11);
}

}  // namespace
}  // namespace promenade::physics
