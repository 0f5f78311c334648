#include "math/spline.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace promenade {
namespace {

/// Tangent at a point: the difference of its neighbours over their distance, which for evenly
/// spaced points is the half difference. A point at an end counts as its own neighbour one interval
/// further out, so that the curve leaves it with half the slope of its only chord.
double tangent(const std::vector<CatmullRom::Point>& points, std::size_t i) {
  const std::size_t last = points.size() - 1;
  if (i == 0) return 0.5 * (points[1].value - points[0].value) / (points[1].at - points[0].at);
  if (i == last) {
    return 0.5 * (points[i].value - points[i - 1].value) / (points[i].at - points[i - 1].at);
  }
  return (points[i + 1].value - points[i - 1].value) / (points[i + 1].at - points[i - 1].at);
}

/// Index of the last point at or before `at`. @pre points.front().at <= at < points.back().at
std::size_t interval(const std::vector<CatmullRom::Point>& points, double at) {
  const auto after =
      std::upper_bound(points.begin(), points.end(), at,
                       [](double t, const CatmullRom::Point& point) { return t < point.at; });
  return static_cast<std::size_t>(after - points.begin()) - 1;
}

}  // namespace

CatmullRom::CatmullRom(std::vector<Point> points) : points_(std::move(points)) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    assert(std::isfinite(points_[i].at) && std::isfinite(points_[i].value));
    assert(i == 0 || points_[i - 1].at < points_[i].at);
  }
  tangents_.resize(points_.size());
  for (std::size_t i = 0; points_.size() > 1 && i < points_.size(); ++i) {
    tangents_[i] = tangent(points_, i);
  }
}

double CatmullRom::operator()(double at) const {
  if (points_.empty()) return 0;
  // The negation sends a NaN to the first point instead of out of bounds.
  if (!(at > points_.front().at)) return points_.front().value;
  if (at >= points_.back().at) return points_.back().value;
  const std::size_t i = interval(points_, at);
  const Point& p = points_[i];
  const Point& q = points_[i + 1];
  const double h = q.at - p.at;
  const double t = (at - p.at) / h;
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * p.value + (t3 - 2 * t2 + t) * h * tangents_[i] +
         (3 * t2 - 2 * t3) * q.value + (t3 - t2) * h * tangents_[i + 1];
}

double CatmullRom::slope(double at) const {
  if (points_.size() < 2 || !(at >= points_.front().at) || at >= points_.back().at) return 0;
  const std::size_t i = interval(points_, at);
  const Point& p = points_[i];
  const Point& q = points_[i + 1];
  const double h = q.at - p.at;
  const double t = (at - p.at) / h;
  const double t2 = t * t;
  return (6 * t2 - 6 * t) / h * (p.value - q.value) + (3 * t2 - 4 * t + 1) * tangents_[i] +
         (3 * t2 - 2 * t) * tangents_[i + 1];
}

}  // namespace promenade
