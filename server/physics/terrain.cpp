#include "physics/terrain.h"

#include <cmath>
#include <limits>

namespace promenade::physics {
namespace {

/// Where the vertical line through (x, y) leaves the box at the top.
bool top_of(const TerrainBox& box, double x, double y, double& height, Vec3& normal) {
  // Controllers ask some thirty times a step, and most boxes are far away.
  const Vec2 off = Vec2(x, y) - box.pose.position.head<2>();
  if (off.squaredNorm() > box.half.squaredNorm()) return false;
  const Mat3 box_from_world = box.pose.rotation.conjugate().toRotationMatrix();
  const Vec3 origin = box_from_world * (Vec3(x, y, 0) - box.pose.position);
  const Vec3 up = box_from_world.col(2);
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  int face = 2;
  double sign = 1;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(up[k]) < 1e-12) {
      if (std::abs(origin[k]) > box.half[k]) return false;
      continue;
    }
    double enter = (-box.half[k] - origin[k]) / up[k];
    double leave = (box.half[k] - origin[k]) / up[k];
    if (enter > leave) std::swap(enter, leave);
    low = std::max(low, enter);
    if (leave < high) {
      high = leave;
      face = k;
      sign = up[k] > 0 ? 1 : -1;
    }
  }
  if (low > high) return false;
  height = high;
  normal = sign * box_from_world.row(face).transpose();
  return true;
}

}  // namespace

double Terrain::height(double x, double y) const {
  double best = 0, top;
  Vec3 normal;
  for (const TerrainBox& box : boxes_) {
    if (top_of(box, x, y, top, normal)) best = std::max(best, top);
  }
  return best;
}

Vec3 Terrain::normal(double x, double y) const {
  double best = 0, top;
  Vec3 normal, result = Vec3::UnitZ();
  for (const TerrainBox& box : boxes_) {
    if (top_of(box, x, y, top, normal) && top > best) {
      best = top;
      result = normal;
    }
  }
  return result;
}

}  // namespace promenade::physics
