#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace promenade {

/// Mean, spread and extremes of values as they come, without storing them (Welford's method).
class RunningStatistics {
 public:
  void add(double value) {
    ++count_;
    const double from_mean = value - mean_;
    mean_ += from_mean / static_cast<double>(count_);
    squares_ += from_mean * (value - mean_);
    least_ = count_ == 1 ? value : std::min(least_, value);
    greatest_ = count_ == 1 ? value : std::max(greatest_, value);
  }
  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Of the sample (divided by count - 1); 0 for fewer than two values.
  double variance() const { return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1); }
  double deviation() const { return std::sqrt(variance()); }
  double min() const { return least_; }
  double max() const { return greatest_; }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0, squares_ = 0, least_ = 0, greatest_ = 0;
};

/// The value below which `percent` (0 to 100) of the values lie, interpolated between neighbours;
/// 0 if there are none. @param values  in any order; the call reorders them partly
inline double percentile_in_place(std::span<double> values, double percent) {
  if (values.empty()) return 0;
  const double place =
      std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end());
  if (below + 1 >= values.size()) return *at;
  const double next = *std::min_element(at + 1, values.end());
  return *at + (place - static_cast<double>(below)) * (next - *at);
}

inline double percentile(std::span<const double> values, double percent) {
  std::vector<double> copy(values.begin(), values.end());
  return percentile_in_place(copy, percent);
}

inline double median(std::span<const double> values) { return percentile(values, 50); }

inline double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Percentiles of the last `capacity` values. add() allocates nothing.
class RecentValues {
 public:
  /// @pre capacity > 0
  explicit RecentValues(std::size_t capacity) : capacity_(capacity) { values_.reserve(capacity); }

  void add(double value) {
    if (values_.size() < capacity_) {
      values_.push_back(value);
    } else {
      values_[oldest_] = value;
      oldest_ = (oldest_ + 1) % capacity_;
    }
  }
  void clear() {
    values_.clear();
    oldest_ = 0;
  }
  std::size_t size() const { return values_.size(); }
  std::size_t capacity() const { return capacity_; }
  double mean() const { return promenade::mean(values_); }
  double median() const { return promenade::median(values_); }
  double percentile(double percent) const { return promenade::percentile(values_, percent); }

 private:
  std::size_t capacity_;
  std::size_t oldest_ = 0;
  std::vector<double> values_;
};

}  // namespace promenade
