#include "physics/ground/height_field.h"

#include <algorithm>
#include <cmath>

namespace promenade::physics {

FieldSurface::FieldSurface(const HeightField& field)
    : field_(&field),
      cos_(std::cos(field.yaw)),
      sin_(std::sin(field.yaw)),
      step_(field.size.x() / (field.columns - 1), field.size.y() / (field.rows - 1)) {
  const auto [low, high] = std::minmax_element(field.height.begin(), field.height.end());
  const Vec2 half(0.5 * (std::abs(cos_) * field.size.x() + std::abs(sin_) * field.size.y()),
                  0.5 * (std::abs(sin_) * field.size.x() + std::abs(cos_) * field.size.y()));
  bounds_.min() = field.center + Vec3(-half.x(), -half.y(), *low - kThickness);
  bounds_.max() = field.center + Vec3(half.x(), half.y(), *high);
}

/// A place in units of the grid, from its first point.
Vec2 FieldSurface::to_local(double x, double y) const {
  const double dx = x - field_->center.x(), dy = y - field_->center.y();
  return {(cos_ * dx + sin_ * dy + 0.5 * field_->size.x()) / step_.x(),
          (cos_ * dy - sin_ * dx + 0.5 * field_->size.y()) / step_.y()};
}

bool FieldSurface::at(double x, double y, double& height, Vec3& normal) const {
  const Vec2 p = to_local(x, y);
  const double last_column = field_->columns - 1, last_row = field_->rows - 1;
  if (!(p.x() >= 0 && p.y() >= 0 && p.x() <= last_column && p.y() <= last_row)) return false;
  const int column = std::min(static_cast<int>(p.x()), field_->columns - 2);
  const int row = std::min(static_cast<int>(p.y()), field_->rows - 2);
  const double u = p.x() - column, v = p.y() - row;
  const double h00 = height_at(column, row), h10 = height_at(column + 1, row);
  const double h01 = height_at(column, row + 1), h11 = height_at(column + 1, row + 1);
  height = field_->center.z() + (1 - v) * (h00 + u * (h10 - h00)) + v * (h01 + u * (h11 - h01));
  const double along = ((1 - v) * (h10 - h00) + v * (h11 - h01)) / step_.x();
  const double across = ((1 - u) * (h01 - h00) + u * (h11 - h10)) / step_.y();
  normal = Vec3(sin_ * across - cos_ * along, -sin_ * along - cos_ * across, 1).normalized();
  return true;
}

bool FieldSurface::nearest(const Vec3& p, Vec3& on_surface, Vec3& normal) const {
  double height = 0;
  if (!at(p.x(), p.y(), height, normal)) return false;
  on_surface = Vec3(p.x(), p.y(), height);
  // Goes along the normal to the tangent plane, then starts again from the surface over that point.
  for (int i = 0; i < 4; ++i) {
    const Vec3 foot = p - normal * normal.dot(p - on_surface);
    if (!at(foot.x(), foot.y(), height, normal)) return true;  // at the edge of the field
    on_surface = Vec3(foot.x(), foot.y(), height);
  }
  return true;
}

bool FieldSurface::points_under(const Eigen::AlignedBox3d& box, Range& range) const {
  Vec2 low = Vec2::Constant(1e9), high = -low;
  for (int corner = 0; corner < 4; ++corner) {
    const Vec2 p = to_local(corner & 1 ? box.max().x() : box.min().x(),
                            corner & 2 ? box.max().y() : box.min().y());
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const int most[2] = {field_->columns - 1, field_->rows - 1};
  for (int k = 0; k < 2; ++k) {
    range.first[k] = static_cast<int>(std::ceil(std::clamp(low[k], 0.0, most[k] + 1.0)));
    range.last[k] = static_cast<int>(std::floor(std::clamp(high[k], -1.0, double(most[k]))));
    if (range.first[k] > range.last[k]) return false;
  }
  return true;
}

Vec3 FieldSurface::point(int column, int row) const {
  const double x = column * step_.x() - 0.5 * field_->size.x();
  const double y = row * step_.y() - 0.5 * field_->size.y();
  return field_->center + Vec3(cos_ * x - sin_ * y, sin_ * x + cos_ * y, height_at(column, row));
}

}  // namespace promenade::physics
