#pragma once

#include <Eigen/Geometry>

#include "physics/ground/ground.h"

// Private to physics/: a height field's surface.
namespace promenade::physics {

/// A HeightField with what queries need.
class FieldSurface {
 public:
  explicit FieldSurface(const HeightField& field);

  /// Height and upward unit normal over (x, y). @return false outside the field
  bool at(double x, double y, double& height, Vec3& normal) const;
  /// The point of the surface nearest to `p`, to within the curvature of a cell.
  /// @return false where that is outside the field
  bool nearest(const Vec3& p, Vec3& on_surface, Vec3& normal) const;
  /// World bounds of the surface, and of the solid below it, which ends kThickness under its lowest
  /// point.
  const Eigen::AlignedBox3d& bounds() const { return bounds_; }

  struct Range {
    int first[2], last[2];  // columns and rows, the last included
  };
  /// Points of the grid under a box. @return false if there are none
  bool points_under(const Eigen::AlignedBox3d& box, Range& range) const;
  Vec3 point(int column, int row) const;
  double cell() const { return std::min(step_.x(), step_.y()); }
  const HeightField& field() const { return *field_; }

  static constexpr double kThickness = 1.0;  // m of solid below the lowest point

 private:
  double height_at(int column, int row) const {
    return field_->height[static_cast<std::size_t>(row * field_->columns + column)];
  }
  Vec2 to_local(double x, double y) const;

  const HeightField* field_;
  double cos_, sin_;
  Vec2 step_;  // m, between points
  Eigen::AlignedBox3d bounds_;
};

}  // namespace promenade::physics
