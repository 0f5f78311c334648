#pragma once

#include <Eigen/Dense>

#include "physics/work.h"

namespace promenade::physics::test {

/// The mass matrix that prepare_dynamics factored, put together again: L^T D L.
inline Eigen::MatrixXd mass_matrix(ArticulatedBody& body) {
  StepSettings settings;
  settings.gravity = 0;
  ArticulatedBody::Work& w = body.work();
  prepare_dynamics(w, settings);
  const int n = body.model().dof_count;
  Eigen::MatrixXd l = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd d(n);
  for (int k = 0; k < n; ++k) {
    const Coordinate& c = w.coordinates[static_cast<std::size_t>(k)];
    d[k] = c.d;
    for (int j = body.model().dof_parent[static_cast<std::size_t>(k)]; j >= 0;
         j = body.model().dof_parent[static_cast<std::size_t>(j)]) {
      l(k, j) = dot(w.coordinates[static_cast<std::size_t>(j)].axis, c.force) / c.d;
    }
  }
  return l.transpose() * d.asDiagonal() * l;
}

}  // namespace promenade::physics::test
