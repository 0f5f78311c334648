#include "search/optimise/cma_es.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace promenade::search {
namespace {

constexpr int kTries = 10;          // tries to draw a point inside the cube
constexpr double kLongest = 1;      // sigma: no step is to be wider than the cube
constexpr double kSingular = 1e14;  // ratio of the greatest to the least eigenvalue

bool is_inside(const Vector& x) { return (x.array() >= 0).all() && (x.array() <= 1).all(); }

}  // namespace

int CmaEs::usual_population(int dimension) {
  return 4 + static_cast<int>(3 * std::log(static_cast<double>(dimension)));
}

CmaEs::CmaEs(const OptimiserSetup& setup)
    : dimension_(static_cast<int>(setup.start.size())),
      population_(setup.population),
      seed_(setup.seed),
      mean_(setup.start),
      path_c_(Vector::Zero(dimension_)),
      path_sigma_(Vector::Zero(dimension_)),
      scale_(Vector::Ones(dimension_)),
      covariance_(Eigen::MatrixXd::Identity(dimension_, dimension_)),
      basis_(Eigen::MatrixXd::Identity(dimension_, dimension_)),
      sigma_(setup.sigma) {
  assert(dimension_ > 0 && population_ >= kLeastPopulation);
  set_constants();
}

void CmaEs::set_constants() {
  const double n = dimension_;
  weights_.resize(static_cast<std::size_t>(population_));
  double positive = 0, positive2 = 0, negative = 0, negative2 = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double w = std::log((population_ + 1) / 2.0) - std::log(static_cast<double>(i + 1));
    weights_[i] = w;
    (w > 0 ? positive : negative) += std::abs(w);
    (w > 0 ? positive2 : negative2) += w * w;
    if (w > 0) ++parents_;
  }
  mu_eff_ = positive * positive / positive2;
  c_c_ = (4 + mu_eff_ / n) / (n + 4 + 2 * mu_eff_ / n);
  c_sigma_ = (mu_eff_ + 2) / (n + mu_eff_ + 5);
  d_sigma_ = 1 + 2 * std::max(0.0, std::sqrt((mu_eff_ - 1) / (n + 1)) - 1) + c_sigma_;
  c_1_ = 2 / ((n + 1.3) * (n + 1.3) + mu_eff_);
  c_mu_ =
      std::min(1 - c_1_, 2 * (0.25 + mu_eff_ + 1 / mu_eff_ - 2) / ((n + 2) * (n + 2) + mu_eff_));
  expected_ = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  // So much negative weight that the covariance stays positive definite.
  const double mu_eff_negative = negative2 > 0 ? negative * negative / negative2 : 0;
  const double most = std::min({1 + c_1_ / c_mu_, 1 + 2 * mu_eff_negative / (mu_eff_ + 2),
                                (1 - c_1_ - c_mu_) / (n * c_mu_)});
  for (double& w : weights_) w *= w > 0 ? 1 / positive : most / negative;
}

const std::vector<Vector>& CmaEs::ask() {
  steps_.resize(weights_.size());
  points_.resize(weights_.size());
  for (int i = 0; i < population_; ++i) draw(i);
  return points_;
}

void CmaEs::draw(int point) {
  Random random = random_of(seed_, generation_, static_cast<std::uint64_t>(point));
  Vector x, z(dimension_);
  Vector& step = steps_[static_cast<std::size_t>(point)];
  for (int i = 0; i < kTries; ++i) {
    for (double& value : z) value = random.normal();
    step = basis_ * scale_.cwiseProduct(z);
    x = mean_ + sigma_ * step;
    if (is_inside(x)) break;
  }
  points_[static_cast<std::size_t>(point)] = inside(x);
}

std::vector<int> CmaEs::ranked(std::span<const double> scores) const {
  std::vector<double> sorted(scores.begin(), scores.end());
  std::sort(sorted.begin(), sorted.end());
  const double spread = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
  std::vector<double> costs(scores.begin(), scores.end());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const Vector out = mean_ + sigma_ * steps_[i] - points_[i];
    costs[i] += spread * out.squaredNorm() / (dimension_ * sigma_ * sigma_);
  }
  std::vector<int> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return costs[static_cast<std::size_t>(a)] < costs[static_cast<std::size_t>(b)];
  });
  return order;
}

void CmaEs::tell(std::span<const double> scores) {
  assert(scores.size() == points_.size());
  const std::vector<int> order = ranked(scores);
  Vector step = Vector::Zero(dimension_);
  for (int i = 0; i < parents_; ++i) {
    const auto rank = static_cast<std::size_t>(i);
    step += weights_[rank] * steps_[static_cast<std::size_t>(order[rank])];
  }
  // The mean goes no further out than the walls, where every point would be drawn back.
  mean_ = inside(mean_ + sigma_ * step);
  update_paths(step);
  update_covariance(order);
  const double length = path_sigma_.norm() / expected_;
  sigma_ = std::min(kLongest, sigma_ * std::exp(c_sigma_ / d_sigma_ * (length - 1)));
  decompose();
  ++generation_;

  const auto [least, greatest] = std::minmax_element(scores.begin(), scores.end());
  last_range_ = *greatest - *least;
  recent_.push_back(*least);
  const int memory = 10 + 30 * dimension_ / population_;
  if (static_cast<int>(recent_.size()) > memory) recent_.pop_front();
}

void CmaEs::update_paths(const Vector& step) {
  const Vector white = basis_ * (basis_.transpose() * step).cwiseQuotient(scale_);
  path_sigma_ =
      (1 - c_sigma_) * path_sigma_ + std::sqrt(c_sigma_ * (2 - c_sigma_) * mu_eff_) * white;
  const double begun = 1 - std::pow(1 - c_sigma_, 2.0 * static_cast<double>(generation_ + 1));
  stalled_ = path_sigma_.norm() / std::sqrt(begun) >= (1.4 + 2.0 / (dimension_ + 1)) * expected_;
  path_c_ *= 1 - c_c_;
  if (!stalled_) path_c_ += std::sqrt(c_c_ * (2 - c_c_) * mu_eff_) * step;
}

void CmaEs::update_covariance(const std::vector<int>& order) {
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  const double lost = stalled_ ? c_c_ * (2 - c_c_) : 0;
  covariance_ *= 1 + c_1_ * lost - c_1_ - c_mu_ * sum;
  covariance_ += c_1_ * path_c_ * path_c_.transpose();
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const Vector& y = steps_[static_cast<std::size_t>(order[rank])];
    double w = weights_[rank];
    if (w < 0) {
      const double length2 = (basis_.transpose() * y).cwiseQuotient(scale_).squaredNorm();
      w *= dimension_ / std::max(length2, 1e-300);
    }
    covariance_ += c_mu_ * w * y * y.transpose();
  }
}

void CmaEs::decompose() {
  covariance_ = (0.5 * (covariance_ + covariance_.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance_);
  basis_ = solver.eigenvectors();
  const double greatest = solver.eigenvalues().maxCoeff();
  scale_ = solver.eigenvalues().cwiseMax(greatest / kSingular).cwiseSqrt();
}

bool CmaEs::converged() const {
  if (sigma_ * scale_.maxCoeff() < kShortest) return true;
  if (scale_.maxCoeff() >= std::sqrt(0.999 * kSingular) * scale_.minCoeff()) return true;
  if (static_cast<int>(recent_.size()) < 10 + 30 * dimension_ / population_) return false;
  const auto [least, greatest] = std::minmax_element(recent_.begin(), recent_.end());
  return std::max(*greatest - *least, last_range_) < 1e-12;
}

RestartedCmaEs::RestartedCmaEs(const OptimiserSetup& setup)
    : setup_(setup),
      run_(std::make_unique<CmaEs>(setup)),
      best_of_run_(std::numeric_limits<double>::infinity()),
      best_(best_of_run_),
      centre_(setup.start) {}

Vector RestartedCmaEs::centre() const { return best_of_run_ <= best_ ? run_->centre() : centre_; }

void RestartedCmaEs::tell(std::span<const double> scores) {
  run_->tell(scores);
  best_of_run_ = std::min(best_of_run_, *std::min_element(scores.begin(), scores.end()));
  if (!run_->converged()) return;
  centre_ = centre();
  best_ = std::min(best_, best_of_run_);
  best_of_run_ = std::numeric_limits<double>::infinity();
  ++restarts_;
  Random random = Random::stream(setup_.seed, 0x1b0bULL + static_cast<std::uint64_t>(restarts_));
  OptimiserSetup next = setup_;
  next.population = setup_.population << std::min(restarts_, 10);
  next.seed = random.next();
  for (double& value : next.start) value = random.uniform();
  run_ = std::make_unique<CmaEs>(next);
}

}  // namespace promenade::search
