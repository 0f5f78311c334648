#include "physics/dynamics/link_response.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "mass_matrix.h"
#include "support.h"

namespace promenade::physics {
namespace {

/// Spatial velocity of a link for unit velocities of all coordinates. [6][dof]
Eigen::MatrixXd jacobian(ArticulatedBody& body, int link) {
  const ArticulationModel& model = body.model();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(6, model.dof_count);
  const LinkModel& last = model.links[static_cast<std::size_t>(link)];
  for (int k = last.dof + dof_of(last.joint) - 1; k >= 0;
       k = model.dof_parent[static_cast<std::size_t>(k)]) {
    for (int c = 0; c < 6; ++c) {
      out(c, k) = coordinate_of(body.work(), k).axis[c];
    }
  }
  return out;
}

ArticulatedBody servoed(std::shared_ptr<const ArticulationModel> model = test::tree_model()) {
  ArticulatedBody body(std::move(model));
  body.set_state(test::stirred_state(body.model(), 0.5));
  for (JointDrive& drive : body.drives()) {
    drive.kp = Vec3(300, 200, 100);
    drive.kd = Vec3(3, 20, 10);
  }
  return body;
}

void expect_inverse_mass_matrix(ArticulatedBody body) {
  const Eigen::MatrixXd inverse = test::mass_matrix(body).inverse();
  // A tip, its parent, the root, and links of the other branch: every order of two links.
  for (const std::vector<int>& links :
       {std::vector<int>{3}, {0, 3}, {1, 5}, {3, 5}, {2, 3, 5}, {0, 1, 2, 3, 4, 5}}) {
    std::vector<SpatialMatrix> response(links.size() * links.size());
    respond(body.work(), links, response.data());
    for (std::size_t on = 0; on < links.size(); ++on) {
      for (std::size_t from = 0; from < links.size(); ++from) {
        const Eigen::MatrixXd expected =
            jacobian(body, links[on]) * inverse * jacobian(body, links[from]).transpose();
        for (int r = 0; r < 6; ++r) {
          for (int c = 0; c < 6; ++c) {
            EXPECT_NEAR(response[on * links.size() + from].column[c][r], expected(r, c), 1e-11)
                << links[on] << " from " << links[from];
          }
        }
      }
    }
  }
}

TEST(LinkResponse, IsTheInverseMassMatrixSeenFromTheLinks) {
  expect_inverse_mass_matrix(servoed());
  for (const JointKind root : test::kRootKinds) {
    SCOPED_TRACE(type_of(root).name);
    expect_inverse_mass_matrix(servoed(test::mixed_model(root)));
  }
}

TEST(LinkResponse, ImpulsesOnLinksMoveAllCoordinatesByTheInverseMassMatrix) {
  ArticulatedBody body = servoed();
  const Eigen::MatrixXd inverse = test::mass_matrix(body).inverse();
  std::vector<double> before;
  for (int k = 0; k < body.model().dof_count; ++k) {
    before.push_back(coordinate_of(body.work(), k).velocity);
  }
  const std::array<int, 3> links{1, 3, 4};
  const std::array<Spatial, 3> impulses{Spatial(Vec3(1, -2, 0.5), Vec3(3, 0.1, -1)),
                                        Spatial(Vec3(0.2, 0.3, -0.4), Vec3(-1, 2, 5)),
                                        Spatial(Vec3(-1, 1, 1), Vec3(0.7, -4, 2))};
  Eigen::VectorXd given = Eigen::VectorXd::Zero(body.model().dof_count);
  for (std::size_t i = 0; i < links.size(); ++i) {
    Eigen::VectorXd impulse(6);
    for (int c = 0; c < 6; ++c) impulse[c] = impulses[i][c];
    given += jacobian(body, links[i]).transpose() * impulse;
  }
  const Eigen::VectorXd expected = inverse * given;
  apply_impulses(body.work(), links, impulses);
  ArticulatedBody* one = &body;
  integrate({&one, 1}, StepSettings{}.dt, test::workspace());
  for (std::size_t k = 0; k < before.size(); ++k) {
    EXPECT_NEAR(body.state().velocity[k] - before[k], expected[static_cast<Eigen::Index>(k)], 1e-11)
        << "coordinate " << k;
  }
}

}  // namespace
}  // namespace promenade::physics
