#include "search/optimiser.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <set>

#include "search/cma_es.h"

namespace promenade::search {
namespace {

using Function = double (*)(const Vector&);

// An ellipsoid with axes of 1 to 1000, turned at random, with its least value 0 at `at`.
double ellipsoid(const Vector& x) {
  static const Eigen::MatrixXd turned = [] {
    Random random(7);
    Eigen::MatrixXd any(10, 10);
    for (double& value : any.reshaped()) value = random.normal();
    return Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(any).householderQ());
  }();
  const Vector z = turned * (x.array() - 0.6).matrix();
  double sum = 0;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    sum += std::pow(1e6, static_cast<double>(i) / 9) * z[i] * z[i];
  }
  return sum;
}

// Its least value 0 is at 0.5 everywhere.
double rosenbrock(const Vector& x) {
  const Vector z = (4 * x.array() - 1).matrix();
  double sum = 0;
  for (Eigen::Index i = 0; i + 1 < z.size(); ++i) {
    sum += 100 * std::pow(z[i + 1] - z[i] * z[i], 2) + std::pow(1 - z[i], 2);
  }
  return sum;
}

double parabola(const Vector& x) { return (x.array() - 0.37).square().sum(); }

// Falls towards the corner where all coordinates are 0.
double corner(const Vector& x) { return x.sum(); }

// Waves on a bowl with its least value 0 at 0.7 everywhere: 10^n minima.
double rastrigin(const Vector& x) {
  double sum = 0;
  for (const double value : x) {
    const double z = 10 * (value - 0.7);
    sum += z * z + 10 * (1 - std::cos(2 * 3.14159265358979 * z));
  }
  return sum;
}

struct Found {
  double score = std::numeric_limits<double>::infinity();
  Vector centre;
  int evaluations = 0;
};

Found search(const char* method, Function function, int dimension, double at, int budget,
             double target, std::uint64_t seed = 1) {
  OptimiserSetup setup;
  setup.start = Vector::Constant(dimension, at);
  setup.population = find_method(method)->population(dimension);
  setup.seed = seed;
  const auto optimiser = find_method(method)->make(setup);
  Found found;
  while (found.evaluations < budget && found.score > target) {
    std::vector<double> scores;
    for (const Vector& point : optimiser->ask()) {
      EXPECT_TRUE(point.minCoeff() >= 0 && point.maxCoeff() <= 1);
      scores.push_back(function(point));
      found.score = std::min(found.score, scores.back());
    }
    found.evaluations += static_cast<int>(scores.size());
    optimiser->tell(scores);
  }
  found.centre = optimiser->centre();
  return found;
}

TEST(CmaEs, FindsTheLeastOfATurnedEllipsoid) {
  const Found found = search("cma-es", ellipsoid, 10, 0.3, 6000, 1e-9);
  EXPECT_LE(found.score, 1e-9) << found.evaluations;
  EXPECT_LT((found.centre.array() - 0.6).abs().maxCoeff(), 1e-4);
}

TEST(CmaEs, FollowsTheValleyOfRosenbrock) {
  const Found found = search("cma-es", rosenbrock, 8, 0.25, 8000, 1e-9);
  EXPECT_LE(found.score, 1e-9) << found.evaluations;
}

TEST(CmaEs, FindsTheLeastInACornerOfTheCube) {
  const Found found = search("cma-es", corner, 6, 0.5, 3000, 0);
  EXPECT_LT(found.score, 1e-6) << found.evaluations;
  EXPECT_LT(found.centre.maxCoeff(), 0.01);
}

TEST(CmaEs, WorksInOneDimension) {
  EXPECT_LE(search("cma-es", parabola, 1, 0.9, 300, 1e-9).score, 1e-9);
}

TEST(CmaEs, BegunAnewFindsTheLeastOfManyMinima) {
  const Found found = search("ipop-cma-es", rastrigin, 4, 0.2, 40000, 1e-6);
  EXPECT_LE(found.score, 1e-6) << found.evaluations;
  EXPECT_LT((found.centre.array() - 0.7).abs().maxCoeff(), 0.1);
}

TEST(DifferentialEvolution, FindsTheLeastOfATurnedEllipsoid) {
  const Found found = search("de", ellipsoid, 10, 0.3, 60000, 1e-6);
  EXPECT_LE(found.score, 1e-6) << found.evaluations;
}

TEST(Optimisers, AreBetterThanPointsAnywhere) {
  const double random = search("random", ellipsoid, 10, 0.3, 1500, 0).score;
  for (const char* method : {"cma-es", "ipop-cma-es", "de"}) {
    EXPECT_LT(search(method, ellipsoid, 10, 0.3, 1500, 0).score, random) << method;
  }
}

TEST(Optimisers, GoTheSameWayWithASeedAndAnotherWithAnother) {
  for (const Method& method : methods()) {
    const Found one = search(method.name, rosenbrock, 5, 0.2, 400, 0, 3);
    const Found same = search(method.name, rosenbrock, 5, 0.2, 400, 0, 3);
    const Found other = search(method.name, rosenbrock, 5, 0.2, 400, 0, 4);
    EXPECT_EQ(one.score, same.score) << method.name;
    EXPECT_EQ(one.centre, same.centre) << method.name;
    EXPECT_NE(one.score, other.score) << method.name;
  }
}

TEST(Optimisers, StandEqualScoresAndScoresOfOneKind) {
  for (const Method& method : methods()) {
    const Found found = search(
        method.name, [](const Vector&) { return 3.0; }, 3, 0.5, 300, 0);
    EXPECT_EQ(found.score, 3) << method.name;
    EXPECT_TRUE(found.centre.allFinite()) << method.name;
  }
}

TEST(Optimisers, HaveNamesOfTheirOwn) {
  const std::vector<std::string> names = method_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(find_method("gradient"), nullptr);
}

}  // namespace
}  // namespace promenade::search
