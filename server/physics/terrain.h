#pragma once

#include <memory>
#include <vector>

#include "math/types.h"

namespace promenade::physics {

struct TerrainBox {
  Pose pose;                 // world_from_box
  Vec3 half = Vec3::Zero();  // half extents, m
};

/// The ground plane z = 0 and boxes on it. Immutable once built, shared by threads.
class Terrain {
 public:
  explicit Terrain(std::vector<TerrainBox> boxes = {}, double friction = 0.8);
  ~Terrain();
  Terrain(const Terrain&) = delete;
  Terrain& operator=(const Terrain&) = delete;

  /// Height of the highest surface at (x, y), m.
  double height(double x, double y) const;
  /// Upward unit normal of that surface.
  Vec3 normal(double x, double y) const;
  double friction() const { return friction_; }
  const std::vector<TerrainBox>& boxes() const { return boxes_; }

  struct Geometry;
  const Geometry& geometry() const { return *geometry_; }

 private:
  std::vector<TerrainBox> boxes_;
  double friction_;
  std::unique_ptr<Geometry> geometry_;
};

}  // namespace promenade::physics
