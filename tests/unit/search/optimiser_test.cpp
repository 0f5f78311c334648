#include "search/optimise/optimiser.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <set>

#include "search/archive.h"
#include "search/optimise/cma_es.h"
#include "search/optimise/greedy.h"

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
  const Axis axes[] = {{"first", "", 0, 1, 8}, {"second", "", 0, 1, 8}};
  Archive archive(axes);
  setup.archive = &archive;
  const auto optimiser = find_method(method)->make(setup);
  Found found;
  while (found.evaluations < budget && found.score > target) {
    std::vector<double> scores;
    for (const Vector& point : optimiser->ask()) {
      EXPECT_TRUE(point.minCoeff() >= 0 && point.maxCoeff() <= 1);
      scores.push_back(function(point));
      found.score = std::min(found.score, scores.back());
      archive.offer({point, scores.back(), Vector(point.head(std::min(2, dimension))), 0});
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

TEST(Greedy, FindsTheLeastOfAParabolaAndOfACorner) {
  EXPECT_LE(search("greedy", parabola, 3, 0.9, 3000, 1e-3).score, 1e-3);
  EXPECT_LE(search("greedy", corner, 6, 0.5, 6000, 1e-2).score, 1e-2);
}

TEST(Greedy, TriesItsStartAndKeepsWhatPays) {
  OptimiserSetup setup;
  setup.start = Vector::Constant(5, 0.5);
  setup.population = 6;
  setup.sigma = 0.1;
  Greedy greedy(setup);
  EXPECT_EQ(greedy.ask().front(), setup.start);
  std::vector<double> scores{5, 4, 6, 3, 6, 6};
  const std::vector<Vector> first = greedy.ask();
  greedy.tell(scores);
  EXPECT_EQ(greedy.centre(), first[3]);
  for (const Vector& point : greedy.ask()) {
    EXPECT_LE((point - first[3]).cwiseAbs().sum(), 0.1 + 1e-9);  // one coordinate, by one step
  }
}

TEST(Staged, LeavesHeldCoordinatesAtTheStartUntilTheLocalSearch) {
  OptimiserSetup setup;
  setup.start = Vector::Constant(4, 0.25);
  setup.population = 8;
  setup.global = 16;
  setup.held = {false, false, true, false};
  const auto optimiser = find_method("greedy")->make(setup);
  bool moved = false;
  for (int generation = 0; generation < 12; ++generation) {
    std::vector<double> scores;
    for (const Vector& point : optimiser->ask()) {
      if (generation < 2) {
        EXPECT_EQ(point[2], 0.25);
        EXPECT_NE(point[0], 0.25);
      }
      moved = moved || point[2] != 0.25;
      scores.push_back(parabola(point));
    }
    optimiser->tell(scores);
  }
  EXPECT_TRUE(moved);
}

TEST(Staged, BeginsAtTheNextBestOnceALocalSearchHasConverged) {
  // Two valleys; the global stage has points in both.
  const Function valleys = [](const Vector& x) {
    return std::min((x.array() - 0.2).square().sum() + 0.01, (x.array() - 0.8).square().sum());
  };
  const Found found = search("global-cma-es", valleys, 3, 0.5, 12000, 1e-9);
  EXPECT_LE(found.score, 1e-9) << found.evaluations;
}

TEST(MapElites, FillsAMap) {
  const Axis axes[] = {{"first", "", 0, 1, 5}, {"second", "", 0, 1, 5}};
  Archive archive(axes);
  OptimiserSetup setup;
  setup.start = Vector::Constant(6, 0.5);
  setup.population = 16;
  setup.archive = &archive;
  const auto optimiser = find_method("map-elites")->make(setup);
  double before = 0;
  for (int generation = 0; generation < 200; ++generation) {
    std::vector<double> scores;
    for (const Vector& point : optimiser->ask()) {
      scores.push_back(point.tail(4).squaredNorm());
      archive.offer({point, scores.back(), Vector(point.head(2)), 0});
    }
    optimiser->tell(scores);
    if (generation == 10) {
      for (const auto& [cell, elite] : archive.elites()) before += elite.score;
    }
  }
  ASSERT_EQ(archive.elites().size(), archive.size());
  double sum = 0;
  for (const auto& [cell, elite] : archive.elites()) sum += elite.score;
  EXPECT_LT(sum, 0.2 * before);  // and makes each cell's point better
}

TEST(Archive, KeepsTheBestOfEachCell) {
  const Axis axes[] = {{"speed", "m/s", 0, 2, 4}, {"lag", "", 0, 1, 4, true}};
  Archive archive(axes);
  const auto elite = [](double score, double speed, double lag) {
    return Archive::Elite{Vector::Zero(1), score, Eigen::Vector2d(speed, lag), 7};
  };
  EXPECT_TRUE(archive.offer(elite(2, 0.2, 0.02)));
  EXPECT_FALSE(archive.offer(elite(3, 0.3, 0.98)));  // a round axis: the same cell
  EXPECT_TRUE(archive.offer(elite(1, 0.3, 0.98)));
  EXPECT_TRUE(archive.offer(elite(9, -5, 0.5)));
  EXPECT_TRUE(archive.offer(elite(9, 50, 0.5)));  // beyond the ends: the last cells
  EXPECT_EQ(archive.elites().size(), 3u);
  EXPECT_EQ(archive.size(), 16u);
  EXPECT_EQ(archive.elites().begin()->second.score, 1);
  EXPECT_EQ(archive.place_of(archive.cell_of(Eigen::Vector2d(1.2, 0.27))),
            (std::vector<int>{2, 1}));
  EXPECT_FALSE(archive.offer({Vector::Zero(1), 0, Vector(), 0}));  // no place
}

TEST(Optimisers, AreBetterThanPointsAnywhere) {
  const double random = search("random", ellipsoid, 10, 0.3, 1500, 0).score;
  for (const char* method :
       {"cma-es", "ipop-cma-es", "de", "greedy", "global-cma-es", "map-elites"}) {
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
