#include "physics/ground/ground.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "physics/ground/geometry.h"

namespace promenade::physics {
namespace {

bool covers(const Patch& patch, double x, double y) {
  const Vec2 off = rotated(Vec2(x, y) - patch.center, -patch.yaw).cwiseQuotient(0.5 * patch.size);
  return patch.round ? off.squaredNorm() <= 1 : off.cwiseAbs().maxCoeff() <= 1;
}

GroundPlan plan_of(std::vector<GroundBlock> blocks, double friction) {
  GroundPlan plan;
  plan.material.friction = friction;
  plan.blocks = std::move(blocks);
  return plan;
}

}  // namespace

/// Where a vertical line enters a box from below and leaves it at the top, with the normal there.
struct Ground::Span {
  double low = 0, high = 0;
  Vec3 normal = Vec3::UnitZ();

  static bool through(const Pose& pose, const Vec3& half, double x, double y, Span& out);
};

bool Ground::Span::through(const Pose& pose, const Vec3& half, double x, double y, Span& out) {
  // Most boxes that are near are beside the point.
  const Vec2 off = Vec2(x, y) - pose.position.head<2>();
  if (off.squaredNorm() > half.squaredNorm()) return false;
  const Mat3 box_from_world = pose.rotation.conjugate().toRotationMatrix();
  const Vec3 origin = box_from_world * (Vec3(x, y, 0) - pose.position);
  const Vec3 up = box_from_world.col(2);
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  int face = 2;
  double sign = 1;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(up[k]) < 1e-12) {
      if (std::abs(origin[k]) > half[k]) return false;
      continue;
    }
    double enter = (-half[k] - origin[k]) / up[k];
    double leave = (half[k] - origin[k]) / up[k];
    if (enter > leave) std::swap(enter, leave);
    low = std::max(low, enter);
    if (leave < high) {
      high = leave;
      face = k;
      sign = up[k] > 0 ? 1 : -1;
    }
  }
  if (low > high) return false;
  out.low = low;
  out.high = high;
  out.normal = sign * box_from_world.row(face).transpose();
  return true;
}

/// The highest surface at a point, and its material.
struct Ground::Surface {
  double height = -std::numeric_limits<double>::infinity();
  Vec3 normal = Vec3::UnitZ();
  const std::optional<Material>* material = nullptr;  // null: the plane's
  int block = -1;
};

Ground::Ground(std::vector<GroundBlock> blocks, double friction)
    : Ground(plan_of(std::move(blocks), friction)) {}

Ground::Ground(GroundPlan plan) : plan_(std::move(plan)) {
  has_relief_ =
      !plan_.plane || !plan_.blocks.empty() || !plan_.fields.empty() || !plan_.pits.empty();
  has_motion_ = std::any_of(plan_.blocks.begin(), plan_.blocks.end(),
                            [](const GroundBlock& block) { return block.motion != nullptr; });
  make_geometry();
  find_lowest();
}

void Ground::find_lowest() {
  least_friction_ = plan_.material.friction;
  const auto count = [&](const std::optional<Material>& own) {
    if (own) least_friction_ = std::min(least_friction_, own->friction);
  };
  for (const GroundBlock& block : plan_.blocks) count(block.material);
  for (const HeightField& field : plan_.fields) count(field.material);
  for (const Patch& patch : plan_.patches) count(patch.material);
  lowest_ = plan_.plane ? 0 : std::numeric_limits<double>::infinity();
  if (plan_.plane) {
    for (const Pit& pit : plan_.pits) lowest_ = std::min(lowest_, -pit.depth);
  }
  for (const Eigen::AlignedBox3d& box : geometry_->bounds) {
    lowest_ = std::min(lowest_, box.min().z());
  }
  for (const FieldSurface& field : geometry_->fields) {
    lowest_ = std::min(lowest_, field.bounds().min().z());
  }
}

bool Ground::span_of_block(std::size_t b, double x, double y, double time, Span& span) const {
  const GroundBlock& block = plan_.blocks[b];
  if (!block.motion || !block.motion->moves()) {
    return Span::through(block.pose, geometry_->half[b], x, y, span);
  }
  const Eigen::AlignedBox3d& reach = geometry_->bounds[b];
  if (x < reach.min().x() || x > reach.max().x() || y < reach.min().y() || y > reach.max().y()) {
    return false;
  }
  return Span::through(block_at(b, time).pose, block.half, x, y, span);
}

Ground::Surface Ground::highest(double x, double y, double time, double below) const {
  Surface best;
  if (plan_.plane) {
    const double floor = geometry_->pits.empty() ? 0 : geometry_->pits.floor(x, y);
    if (floor <= below) best.height = floor;
  }
  Span span;
  for (const int b : geometry_->grid.near(x, y)) {
    const auto block = static_cast<std::size_t>(b);
    if (!span_of_block(block, x, y, time, span)) continue;
    if (span.high > best.height && span.high <= below) {
      best = {span.high, span.normal, &plan_.blocks[block].material, b};
    }
  }
  double top = 0;
  Vec3 normal;
  for (const FieldSurface& field : geometry_->fields) {
    if (field.at(x, y, top, normal) && top > best.height && top <= below) {
      best = {top, normal, &field.field().material, -1};
    }
  }
  return best;
}

double Ground::height_of_all(double x, double y, double time, double missing) const {
  const double height = highest(x, y, time, kAnyHeight).height;
  return std::isfinite(height) ? height : missing;
}

Clearance Ground::clearance(double x, double y, double time, double hanging_from,
                            double missing) const {
  Clearance out;
  double floor = -kAnyHeight;
  if (plan_.plane) floor = geometry_->pits.empty() ? 0 : geometry_->pits.floor(x, y);
  Span span;
  for (const int b : geometry_->grid.near(x, y)) {
    if (!span_of_block(static_cast<std::size_t>(b), x, y, time, span)) continue;
    if (span.low > hanging_from) {
      out.ceiling = std::min(out.ceiling, span.low);
    } else {
      floor = std::max(floor, span.high);
    }
  }
  double top = 0;
  Vec3 normal;
  for (const FieldSurface& field : geometry_->fields) {
    if (field.at(x, y, top, normal)) floor = std::max(floor, top);
  }
  out.floor = std::isfinite(floor) ? floor : missing;
  return out;
}

GroundPoint Ground::at(double x, double y, double time, double below) const {
  const Surface surface = highest(x, y, time, below);
  GroundPoint point;
  if (!std::isfinite(surface.height)) return point;
  point.there = true;
  point.height = surface.height;
  point.normal = surface.normal;
  const Material material = material_at(x, y, surface.material ? *surface.material : std::nullopt);
  point.friction = material.friction;
  point.restitution = material.restitution;
  if (surface.block >= 0) {
    const auto block = static_cast<std::size_t>(surface.block);
    if (const auto& motion = plan_.blocks[block].motion) {
      const BlockNow now = block_at(block, time);
      point.velocity = now.surface_velocity(Vec3(x, y, surface.height), surface.normal, *motion);
      point.spin = now.spin;
    }
  }
  return point;
}

Material Ground::material_at(double x, double y, const std::optional<Material>& own) const {
  for (std::size_t i = plan_.patches.size(); i-- > 0;) {
    if (covers(plan_.patches[i], x, y)) return plan_.patches[i].material;
  }
  return own ? *own : plan_.material;
}

BlockNow Ground::block_at(std::size_t block, double time) const {
  return geometry_->tracks[static_cast<std::size_t>(geometry_->track[block])].at(
      plan_.blocks[block], time);
}

}  // namespace promenade::physics
