#include "search/optimise/differential_evolution.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace promenade::search {
namespace {

// Three places of a population, all different from `but` and from each other.
std::array<std::size_t, 3> three_others(Random& random, std::size_t count, std::size_t but) {
  std::array<std::size_t, 3> chosen{};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    bool taken = true;
    while (taken) {
      chosen[i] = static_cast<std::size_t>(random.below(count));
      taken = chosen[i] == but ||
              std::find(chosen.begin(), chosen.begin() + i, chosen[i]) != chosen.begin() + i;
    }
  }
  return chosen;
}

}  // namespace

int DifferentialEvolution::usual_population(int dimension) {
  return std::clamp(5 * dimension, 10, 60);
}

DifferentialEvolution::DifferentialEvolution(const OptimiserSetup& setup) : setup_(setup) {
  assert(setup.population >= kLeastPopulation);
}

Vector DifferentialEvolution::first(std::size_t point) const {
  Vector x = setup_.start;
  if (point == 0) return x;
  Random random = random_of(setup_.seed, 0, point);
  for (double& value : x) value += setup_.sigma * random.normal();
  return inside(x);
}

Vector DifferentialEvolution::child(std::size_t point) const {
  Random random = random_of(setup_.seed, generation_, point);
  const auto [a, b, c] = three_others(random, parents_.size(), point);
  const double factor = random.uniform(0.4, 0.9);
  Vector x = parents_[point];
  // One coordinate is the child's own in any case.
  const auto always = static_cast<Eigen::Index>(random.below(std::uint64_t(x.size())));
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const bool crossed = random.chance(kCross);
    if (!crossed && i != always) continue;
    const double wanted = parents_[a][i] + factor * (parents_[b][i] - parents_[c][i]);
    const double wall = std::clamp(wanted, 0.0, 1.0);
    x[i] = wall == wanted ? wanted : x[i] + random.uniform() * (wall - x[i]);
  }
  return x;
}

const std::vector<Vector>& DifferentialEvolution::ask() {
  points_.clear();
  for (std::size_t i = 0; i < std::size_t(setup_.population); ++i) {
    points_.push_back(scores_.empty() ? first(i) : child(i));
  }
  return points_;
}

void DifferentialEvolution::tell(std::span<const double> scores) {
  assert(scores.size() == points_.size());
  ++generation_;
  if (scores_.empty()) {
    parents_ = points_;
    scores_.assign(scores.begin(), scores.end());
    return;
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > scores_[i]) continue;
    scores_[i] = scores[i];
    parents_[i] = points_[i];
  }
}

Vector DifferentialEvolution::centre() const {
  if (parents_.empty()) return setup_.start;
  Vector sum = Vector::Zero(setup_.start.size());
  for (const Vector& parent : parents_) sum += parent;
  return sum / static_cast<double>(parents_.size());
}

double DifferentialEvolution::sigma() const {
  if (parents_.empty()) return setup_.sigma;
  const Vector mean = centre();
  Vector squares = Vector::Zero(mean.size());
  for (const Vector& parent : parents_) squares += (parent - mean).cwiseAbs2();
  return (squares / static_cast<double>(parents_.size())).cwiseSqrt().mean();
}

RandomSearch::RandomSearch(const OptimiserSetup& setup)
    : setup_(setup), best_(setup.start), best_score_(std::numeric_limits<double>::infinity()) {}

const std::vector<Vector>& RandomSearch::ask() {
  points_.assign(std::size_t(setup_.population), setup_.start);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Random random = random_of(setup_.seed, generation_, i);
    for (double& value : points_[i]) value = random.uniform();
  }
  return points_;
}

void RandomSearch::tell(std::span<const double> scores) {
  assert(scores.size() == points_.size());
  ++generation_;
  const auto least = std::min_element(scores.begin(), scores.end());
  if (*least >= best_score_) return;
  best_score_ = *least;
  best_ = points_[std::size_t(least - scores.begin())];
}

}  // namespace promenade::search
