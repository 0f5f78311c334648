#include "search/optimise/staged.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace promenade::search {
namespace {

constexpr int kGlobalPerCoordinate = 20;
// Spread of a local search, of the side of the cube: the source changes angles by 4 to 10 percent
// of their range.
constexpr double kLocalSigma = 0.08;

}  // namespace

Staged::Staged(const OptimiserSetup& setup, Local local)
    : setup_(setup),
      make_local_(local),
      best_(std::numeric_limits<double>::infinity(), setup.start) {}

Vector Staged::centre() const { return best_.second; }

const std::vector<Vector>& Staged::ask() {
  if (local_) return local_->ask();
  points_.assign(std::size_t(setup_.population), setup_.start);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Random random = random_of(setup_.seed, generation_, i);
    for (Eigen::Index k = 0; k < points_[i].size(); ++k) {
      const double drawn = random.uniform();
      if (setup_.held.empty() || !setup_.held[std::size_t(k)]) points_[i][k] = drawn;
    }
  }
  return points_;
}

void Staged::tell(std::span<const double> scores) {
  ++generation_;
  const auto least = std::min_element(scores.begin(), scores.end());
  if (local_) {
    const Vector point = local_->ask()[std::size_t(least - scores.begin())];
    if (*least < best_.first) best_ = {*least, point};
    local_->tell(scores);
    if (local_->converged()) begin_local();
    return;
  }
  assert(scores.size() == points_.size());
  for (std::size_t i = 0; i < scores.size(); ++i) found_.emplace_back(scores[i], points_[i]);
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Found& a, const Found& b) { return a.first < b.first; });
  if (found_.size() > kKept) found_.resize(kKept);
  if (found_.front().first < best_.first) best_ = found_.front();
  drawn_ += int(scores.size());
  const int wanted =
      setup_.global > 0 ? setup_.global : kGlobalPerCoordinate * int(setup_.start.size());
  if (drawn_ >= wanted) begin_local();
}

void Staged::begin_local() {
  if (next_ >= found_.size()) {
    local_.reset();
    found_.clear();
    drawn_ = 0;
    next_ = 0;
    return;
  }
  OptimiserSetup setup = setup_;
  setup.start = found_[next_++].second;
  setup.sigma = kLocalSigma;
  setup.seed = Random::stream(setup_.seed, 0x10ca1ULL + locals_++).next();
  local_ = make_local_(setup);
}

}  // namespace promenade::search
