#pragma once

#include <span>
#include <vector>

#include "search/optimise/optimiser.h"

namespace promenade::search {

/// Fills a map: after points drawn anywhere, each point is one of the archive, moved a little and
/// along the line to another of them. Law:    x' = x + s_1 N(0, I) + s_2 (y - x) N(0, 1); x, y
/// points of the archive at random, s_1 = 0.02, s_2 = 0.2 Source: Vassiliades and Mouret,
/// "Discovering the elite hypervolume by leveraging interspecies correlation", 2018
class MapElites : public Optimiser {
 public:
  /// @pre setup.archive is not null
  explicit MapElites(const OptimiserSetup& setup);
  const std::vector<Vector>& ask() override;
  void tell(std::span<const double> scores) override;
  double sigma() const override { return kMove; }
  Vector centre() const override { return best_; }

  static int usual_population(int) { return 16; }

 private:
  static constexpr double kMove = 0.02, kCross = 0.2;  // s_1, s_2
  static constexpr double kOneCoordinate =
      0.5;  // share of points of which one coordinate alone is changed

  const OptimiserSetup setup_;
  std::uint64_t generation_ = 0;
  int drawn_ = 0;
  Vector best_;
  double best_score_;
  std::vector<Vector> points_;
};

}  // namespace promenade::search
