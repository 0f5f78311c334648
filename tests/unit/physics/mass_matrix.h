#pragma once

#include <Eigen/Dense>

#include "physics/dynamics/work.h"
#include "support.h"

namespace promenade::physics::test {

/// The mass matrix that prepare_dynamics factored, put together again: L^T D L.
inline Eigen::MatrixXd mass_matrix(ArticulatedBody& body) {
  StepSettings settings;
  settings.gravity = 0;
  ArticulatedBody* one = &body;
  body.work().touched = (1u << body.links().size()) - 1;  // so that all links' answers are found
  prepare_dynamics({&one, 1}, settings, workspace());
  const int n = body.model().dof_count;
  Eigen::MatrixXd l = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd d(n);
  for (int k = 0; k < n; ++k) {
    const Coordinate c = coordinate_of(body.work(), k);
    d[k] = 1 / c.inverse;
    for (int j = body.model().dof_parent[static_cast<std::size_t>(k)]; j >= 0;
         j = body.model().dof_parent[static_cast<std::size_t>(j)]) {
      l(k, j) = dot(coordinate_of(body.work(), j).axis, c.force) * c.inverse;
    }
  }
  return l.transpose() * d.asDiagonal() * l;
}

}  // namespace promenade::physics::test
