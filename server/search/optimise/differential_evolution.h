#pragma once

#include <span>
#include <vector>

#include "search/optimise/optimiser.h"

namespace promenade::search {

/// A population of points, each of which is replaced by a child that scores no worse.
/// Law:    child = a + F (b - c) in a share kCross of the coordinates, that of the parent in the
///         others; a, b, c other points at random, F from 0.4 to 0.9 at random for each child
/// Source: Storn and Price, "Differential Evolution", 1997 (DE/rand/1/bin).
/// Departs from it at the walls of the cube: a coordinate outside is put between parent and wall.
class DifferentialEvolution : public Optimiser {
 public:
  explicit DifferentialEvolution(const OptimiserSetup& setup);
  const std::vector<Vector>& ask() override;
  void tell(std::span<const double> scores) override;
  /// Standard deviation of the population, mean over the coordinates.
  double sigma() const override;
  /// Mean of the population.
  Vector centre() const override;

  static int usual_population(int dimension);

 private:
  static constexpr double kCross = 0.9;

  Vector first(std::size_t point) const;
  Vector child(std::size_t point) const;

  const OptimiserSetup setup_;
  std::uint64_t generation_ = 0;
  std::vector<Vector> parents_, points_;  // [population]
  std::vector<double> scores_;            // of the parents; empty: there are none yet
};

/// Points drawn evenly from the cube: what any other method has to be better than.
class RandomSearch : public Optimiser {
 public:
  explicit RandomSearch(const OptimiserSetup& setup);
  const std::vector<Vector>& ask() override;
  void tell(std::span<const double> scores) override;
  /// That of the even distribution.
  double sigma() const override { return 0.28867513459481287; }
  /// The best point so far.
  Vector centre() const override { return best_; }

 private:
  const OptimiserSetup setup_;
  std::uint64_t generation_ = 0;
  std::vector<Vector> points_;
  Vector best_;
  double best_score_;
};

}  // namespace promenade::search
