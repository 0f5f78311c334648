#pragma once

#include <span>
#include <vector>

#include "search/optimise/optimiser.h"

namespace promenade::search {

/// Modify and test: each point of a generation is the best one with one coordinate, drawn at
/// random, changed by a step of fixed size and random sign; what is better is kept. The first point
/// of a generation has all changes that paid in the generation before. Source: Panne1996,
/// "Optimization" (steps of 4 to 10 percent of an actuator's range). Departs from it: several
/// changes
///         are tried at once, and the step is halved where none has paid for long.
class Greedy : public Optimiser {
 public:
  explicit Greedy(const OptimiserSetup& setup);
  const std::vector<Vector>& ask() override;
  void tell(std::span<const double> scores) override;
  double sigma() const override { return step_; }
  Vector centre() const override { return best_; }
  bool converged() const override { return step_ < kShortest; }

  static int usual_population(int) { return 8; }
  static constexpr double kShortest = 0.01;  // of the side of the cube

 private:
  const OptimiserSetup setup_;
  std::uint64_t generation_ = 0;
  double step_;
  std::uint64_t in_vain_ = 0;  // points since the last that paid
  Vector best_, all_;          // all_: best_ with every change that paid
  bool several_ = false;       // all_ differs from best_
  double best_score_;
  std::vector<Vector> points_;
};

}  // namespace promenade::search
