#include "search/optimise/map_elites.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "search/archive.h"

namespace promenade::search {
namespace {

constexpr int kGlobalPerCoordinate = 20;
constexpr double kOneStep = 0.08;  // change of a single coordinate, of the side of the cube

}  // namespace

MapElites::MapElites(const OptimiserSetup& setup)
    : setup_(setup), best_(setup.start), best_score_(std::numeric_limits<double>::infinity()) {
  assert(setup.archive);
}

const std::vector<Vector>& MapElites::ask() {
  const int wanted =
      setup_.global > 0 ? setup_.global : kGlobalPerCoordinate * int(setup_.start.size());
  std::vector<const Vector*> known;
  if (drawn_ >= wanted) {
    for (const auto& [cell, elite] : setup_.archive->elites()) known.push_back(&elite.point);
  }
  points_.assign(std::size_t(setup_.population), setup_.start);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Random random = random_of(setup_.seed, generation_, i);
    Vector& point = points_[i];
    const auto any = [&] { return std::size_t(random.below(known.size())); };
    if (known.empty()) {
      for (Eigen::Index k = 0; k < point.size(); ++k) {
        const double drawn = random.uniform();
        if (setup_.held.empty() || !setup_.held[std::size_t(k)]) point[k] = drawn;
      }
      continue;
    }
    const Vector& one = *known[any()];
    point = one;
    if (random.uniform() < kOneCoordinate) {
      const auto k = Eigen::Index(random.below(std::uint64_t(point.size())));
      point[k] += random.uniform() < 0.5 ? -kOneStep : kOneStep;
    } else {
      const double along = kCross * random.normal();
      point += along * (*known[any()] - one);
      for (double& value : point) value += kMove * random.normal();
    }
    point = inside(point);
  }
  return points_;
}

void MapElites::tell(std::span<const double> scores) {
  assert(scores.size() == points_.size());
  ++generation_;
  drawn_ += int(scores.size());
  const auto least = std::min_element(scores.begin(), scores.end());
  if (*least >= best_score_) return;
  best_score_ = *least;
  best_ = points_[std::size_t(least - scores.begin())];
}

}  // namespace promenade::search
