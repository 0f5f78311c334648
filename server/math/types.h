#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace promenade {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

/// Position and orientation of a frame: `point_in_outer = rotation * point_in_inner + position`.
struct Pose {
  Vec3 position = Vec3::Zero();
  Quat rotation = Quat::Identity();
};

}  // namespace promenade
