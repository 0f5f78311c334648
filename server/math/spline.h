#pragma once

#include <vector>

namespace promenade {

/// Catmull-Rom curve through points: cubic Hermite with half-difference tangents, constant outside.
/// Source: Coros2010 §3.1 (curves over the phase of a step).
class CatmullRom {
 public:
  struct Point {
    double at, value;
  };

  CatmullRom() = default;
  /// @pre `at` strictly increasing, all finite
  explicit CatmullRom(std::vector<Point> points);

  bool empty() const { return points_.empty(); }
  const std::vector<Point>& points() const { return points_; }
  /// Value at `at`; 0 for a curve without points. Allocates nothing.
  double operator()(double at) const;
  /// Derivative of the value by `at`.
  double slope(double at) const;

 private:
  std::vector<Point> points_;
  std::vector<double> tangents_;  // at the points
};

}  // namespace promenade
