#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "search/optimise/optimiser.h"

namespace promenade::search {

/// Evolution strategy that adapts the covariance matrix of its steps: full covariance, rank-one and
/// rank-mu update with negative weights, cumulative step-size adaptation.
/// Source: Hansen, "The CMA Evolution Strategy: A Tutorial", 2016 (arXiv 1604.00772), equations and
///         default constants of its appendix A.
/// Departs from it at the walls of the cube: a point outside is drawn again up to ten times, then
/// the nearest point inside is scored in its place, and it ranks as if the score were worse by
///   penalty = (q3 - q1) |x - inside(x)|^2 / (n sigma^2),
/// q1 and q3 the quartiles of the generation's scores, n the dimension.
class CmaEs : public Optimiser {
 public:
  explicit CmaEs(const OptimiserSetup& setup);
  const std::vector<Vector>& ask() override;
  void tell(std::span<const double> scores) override;
  double sigma() const override { return sigma_; }
  Vector centre() const override { return inside(mean_); }

  /// Whether going on is of no use: steps shorter than kShortest of the cube's side, equal scores
  /// over many generations, or a covariance that has become numerically singular.
  bool converged() const override;
  static constexpr double kShortest = 1e-5;

  static int usual_population(int dimension);

 private:
  void set_constants();
  void draw(int point);
  std::vector<int> ranked(std::span<const double> scores) const;
  void update_paths(const Vector& step);
  void update_covariance(const std::vector<int>& order);
  void decompose();

  const int dimension_, population_;
  const std::uint64_t seed_;
  // Constants, in the symbols of the source.
  std::vector<double> weights_;  // [population], of the ranks
  int parents_ = 0;              // mu: ranks with positive weight
  double mu_eff_ = 0, c_c_ = 0, c_sigma_ = 0, d_sigma_ = 0, c_1_ = 0, c_mu_ = 0, expected_ = 0;
  // The distribution: mean + sigma N(0, C), C = B diag(D^2) B^T.
  Vector mean_, path_c_, path_sigma_, scale_;  // scale_: D
  Eigen::MatrixXd covariance_, basis_;         // C, B
  double sigma_;
  bool stalled_ = false;  // path_sigma is so long that path_c stands still
  std::uint64_t generation_ = 0;
  std::vector<Vector> steps_, points_;  // [population]: steps in sigma; points inside the cube
  std::deque<double> recent_;           // best scores of the last generations
  double last_range_ = 0;               // of the scores of the last generation
};

/// CMA-ES that begins anew at a random place with twice the population when it has converged.
/// Source: Auger and Hansen, "A restart CMA evolution strategy with increasing population size",
///         2005.
class RestartedCmaEs : public Optimiser {
 public:
  explicit RestartedCmaEs(const OptimiserSetup& setup);
  const std::vector<Vector>& ask() override { return run_->ask(); }
  void tell(std::span<const double> scores) override;
  double sigma() const override { return run_->sigma(); }
  /// That of the run with the best score so far.
  Vector centre() const override;

 private:
  OptimiserSetup setup_;
  std::unique_ptr<CmaEs> run_;
  int restarts_ = 0;
  double best_of_run_, best_;  // scores
  Vector centre_;              // of the best run that has ended
};

}  // namespace promenade::search
