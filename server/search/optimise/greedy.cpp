#include "search/optimise/greedy.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace promenade::search {
namespace {

// Points in vain, for each coordinate, after which the step is halved.
constexpr std::uint64_t kPatience = 5;

}  // namespace

Greedy::Greedy(const OptimiserSetup& setup)
    : setup_(setup),
      step_(std::min(setup.sigma, 0.5)),
      best_(setup.start),
      best_score_(std::numeric_limits<double>::infinity()) {
  assert(setup.population >= kLeastPopulation);
}

const std::vector<Vector>& Greedy::ask() {
  points_.assign(std::size_t(setup_.population), best_);
  std::size_t first = 0;
  if (generation_ == 0) first = 1;  // the start itself is tried
  if (several_) {
    points_[0] = all_;
    first = 1;
  }
  for (std::size_t i = first; i < points_.size(); ++i) {
    Random random = random_of(setup_.seed, generation_, i);
    const auto k = Eigen::Index(random.below(std::uint64_t(best_.size())));
    double change = random.uniform() < 0.5 ? -step_ : step_;
    if (best_[k] + change < 0 || best_[k] + change > 1) change = -change;
    points_[i][k] = std::clamp(best_[k] + change, 0.0, 1.0);
  }
  return points_;
}

void Greedy::tell(std::span<const double> scores) {
  assert(scores.size() == points_.size());
  ++generation_;
  in_vain_ += scores.size();
  const Vector before = best_;
  const double score_before = best_score_;
  all_ = before;
  int paid = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] >= score_before) continue;
    ++paid;
    all_ += points_[i] - before;
    if (scores[i] >= best_score_) continue;
    best_score_ = scores[i];
    best_ = points_[i];
  }
  all_ = inside(all_);
  several_ = paid > 1 && score_before < std::numeric_limits<double>::infinity();
  if (paid > 0) {
    in_vain_ = 0;
  } else if (in_vain_ >= kPatience * std::uint64_t(best_.size())) {
    step_ /= 2;
    in_vain_ = 0;
  }
}

}  // namespace promenade::search
