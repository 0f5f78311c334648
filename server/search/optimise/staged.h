#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "search/optimise/optimiser.h"

namespace promenade::search {

/// A global search, then local ones: points are drawn anywhere; a local method begins at the best
/// of them, and once it has converged at the next best, and so on. When all have been used points
/// are drawn anew. Source: Panne1996, "Optimization"
class Staged : public Optimiser {
 public:
  using Local = std::unique_ptr<Optimiser> (*)(const OptimiserSetup& setup);
  /// @param setup  `held` coordinates stay at `start` in the global stage alone
  Staged(const OptimiserSetup& setup, Local local);
  const std::vector<Vector>& ask() override;
  void tell(std::span<const double> scores) override;
  double sigma() const override { return local_ ? local_->sigma() : 0.28867513459481287; }
  Vector centre() const override;

  static constexpr std::size_t kKept = 5;  // points at which local searches begin

 private:
  using Found = std::pair<double, Vector>;  // score, point
  void begin_local();

  const OptimiserSetup setup_;
  const Local make_local_;
  std::uint64_t generation_ = 0;
  int drawn_ = 0;                     // points of this global stage
  std::vector<Found> found_;          // the best of this global stage, best first
  std::size_t next_ = 0;              // of found_, where the next local search begins
  std::uint64_t locals_ = 0;          // local searches begun
  std::unique_ptr<Optimiser> local_;  // null: the global stage
  Found best_;
  std::vector<Vector> points_;
};

}  // namespace promenade::search
