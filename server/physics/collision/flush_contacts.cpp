// Contacts with blocks whose upper sides are flush: a floor of tiles, a ramp of planks. They bear a
// shape that stands on them as a plane does. Sides that other ground covers are no sides.
#include <algorithm>
#include <array>
#include <cmath>

#include "physics/collision/near_blocks.h"

namespace promenade::physics {
namespace {

constexpr int kMostTiles = 64;  // tiles under a shape; contacts with more are found block by block
// m: a point that is further below an upper side does not stand on it but beside it.
constexpr double kDeepestStand = 0.02;
// m: a point of a shape that is higher over a side's plane cannot make it touch the side's edge.
constexpr double kLow = 0.001;
constexpr double kBelow = 0.0015;   // m below a side's upper edge, where it looks for ground behind
constexpr double kBeyond = 0.0015;  // m behind that side, where it is looked at
constexpr double kLean = 0.02;      // sine: by this angle a normal may lean out of such a side

Vec3 center_of(const Shape& shape, const LinkMotion& m) {
  const bool round = shape.kind == Shape::Kind::kCapsule || shape.kind == Shape::Kind::kCylinder;
  return m.position + m.rotation * (round ? Vec3(0.5 * (shape.a + shape.b)) : shape.a);
}

/// A shape over flush blocks.
struct Stand {
  const Ground& ground;
  const NearBlocks& near;
  const Shape& shape;
  const LinkMotion& m;
  double time;  // s
  int group;    // of the blocks

  std::array<std::size_t, kMostTiles> tiles{};  // places in `near` of those it stands on
  int tile_count = 0;
  Probe probes[kMaxProbes] = {};
  int probe_count = 0;
  // [probes] the tile under each, -1 where there is none, and how deep it is in it, m
  std::array<int, kMaxProbes> under{};
  std::array<double, kMaxProbes> depth{};

  const BlockTop& top(int tile) const {
    return ground.geometry().seams.top(near.blocks[tiles[std::size_t(tile)]].index);
  }

  /// @return false if there are too many
  bool gather(const Eigen::AlignedBox3d& bounds) {
    const Seams& seams = ground.geometry().seams;
    const Vec3 center = center_of(shape, m);
    for (std::size_t n = 0; n < near.blocks.size(); ++n) {
      const BlockHere& block = near.blocks[n];
      if (seams.group(block.index) != group || !block.bounds.intersects(bounds)) continue;
      const BlockTop& upper = seams.top(block.index);
      if (upper.above(center) <= 0) continue;
      if (probe_count == 0) probe_count = probes_of(shape, m, upper.normal, probes);
      double lowest = kDeepestStand;
      for (int i = 0; i < probe_count; ++i) {
        lowest = std::min(lowest, upper.above(probes[i].at) - probes[i].radius);
      }
      if (lowest < -kDeepestStand) continue;
      if (tile_count == kMostTiles) return false;
      tiles[std::size_t(tile_count++)] = n;
    }
    return true;
  }

  void look_under() {
    for (int i = 0; i < probe_count; ++i) {
      const auto at = std::size_t(i);
      under[at] = -1;
      depth[at] = -1;
      for (int t = 0; t < tile_count; ++t) {
        if (!top(t).covers(probes[i].at)) continue;
        const double in = probes[i].radius - top(t).above(probes[i].at);
        if (under[at] >= 0 && in <= depth[at]) continue;
        under[at] = t;
        depth[at] = in;
      }
    }
  }

  bool touches(int probe) const {
    return under[std::size_t(probe)] >= 0 && depth[std::size_t(probe)] >= -kMargin;
  }

  /// Whether the plane of a tile has a low point of the shape over it where the ground is lower
  /// than the plane: the shape hangs over an edge.
  bool hangs_over(const BlockTop& upper) const {
    for (int i = 0; i < probe_count; ++i) {
      if (touches(i)) continue;
      const Vec3 low = probes[i].at - probes[i].radius * upper.normal;
      if (upper.above(low) >= kLow) continue;
      const double plane = low.z() - upper.above(low) / upper.normal.z();
      const GroundPoint there = ground.at(low.x(), low.y(), time, plane + kDeepestStand);
      if (!there.there || there.height < plane - kBelow) return true;
    }
    return false;
  }

  /// Whether the shape stands on the tiles, and nowhere beyond them.
  bool is_within() const {
    std::array<char, kMostTiles> counts{};
    bool any = false;
    for (int i = 0; i < probe_count; ++i) {
      if (!touches(i)) continue;
      counts[std::size_t(under[std::size_t(i)])] = 1;
      any = true;
    }
    for (int t = 0; t < tile_count; ++t) {
      if ((!any || counts[std::size_t(t)]) && hangs_over(top(t))) return false;
    }
    return true;
  }

  void add_points(ArticulatedBody::Work& w, const ShapeRef& ref) const {
    Touch found[kMaxProbes];
    std::array<int, kMaxProbes> tile_of{};  // by feature
    int count = 0;
    for (int i = 0; i < probe_count; ++i) {
      if (!touches(i)) continue;
      const Vec3& normal = top(under[std::size_t(i)]).normal;
      found[count++] = {probes[i].at - probes[i].radius * normal, normal, depth[std::size_t(i)],
                        probes[i].feature};
      tile_of[std::size_t(probes[i].feature)] = under[std::size_t(i)];
    }
    const bool box = shape.kind == Shape::Kind::kBox;
    count = deepest_first(found, count, box ? kMaxPairPoints : kMaxProbes);
    for (int c = 0; c < count; ++c) {
      const int tile = tile_of[std::size_t(found[c].feature)];
      const BlockHere& block = near.blocks[tiles[std::size_t(tile)]];
      add_point(w, ref, found[c], {-1, Other::kFlushBlocks, group},
                surfaces_on(ground, shape, block, found[c]));
    }
  }
};

/// Whether a point is in ground other than a block, or in a gap beside it.
bool is_solid(const Ground& ground, const NearBlocks& near, const BlockHere& but, const Vec3& p) {
  if (ground.plan().plane) {
    const PitMap& pits = ground.geometry().pits;
    if (p.z() <= (pits.empty() ? 0 : pits.floor(p.x(), p.y()))) return true;
  }
  return std::any_of(near.blocks.begin(), near.blocks.end(), [&](const BlockHere& other) {
    if (other.index == but.index) return false;
    return ((other.to_local(p).cwiseAbs() - other.half).array() <= kSeamGap).all();
  });
}

}  // namespace

bool may_point(CoveredSides covered, const Vec3& normal) {
  for (int k = 0; k < 3; ++k) {
    const unsigned side = 1u << (2 * k + (normal[k] > 0 ? 1 : 0));
    if ((covered & side) != 0 && std::abs(normal[k]) > kLean) return false;
  }
  return true;
}

CoveredSides covered_sides(const Ground& ground, const NearBlocks& near, const BlockHere& block,
                           const Vec3& center) {
  if (!ground.geometry().seams.is_adjoined(block.index)) return 0;
  const BlockTop upper(block.pose, block.half);
  const Vec3 local = block.to_local(center);
  Vec3 edge = local.cwiseMax(-block.half).cwiseMin(block.half);
  const double up = upper.normal.dot(block.pose.rotation * Vec3::Unit(upper.axis)) < 0 ? -1 : 1;
  edge[upper.axis] = up * (block.half[upper.axis] - std::min(kBelow, block.half[upper.axis]));
  CoveredSides covered = 0;
  for (int k = 0; k < 3; ++k) {
    if (k == upper.axis) continue;
    const bool positive = local[k] > 0;
    Vec3 behind = edge;
    behind[k] = (positive ? 1 : -1) * (block.half[k] + kBeyond);
    if (is_solid(ground, near, block, block.pose.position + block.pose.rotation * behind)) {
      covered |= 1u << (2 * k + (positive ? 1 : 0));
    }
  }
  return covered;
}

SurfacePair surfaces_on(const Ground& ground, const Shape& shape, const BlockHere& block,
                        const Touch& touch) {
  const GroundBlock& plan = ground.blocks()[block.index];
  SurfacePair surfaces{on_ground(shape.material, plan.material.value_or(ground.plan().material))};
  if (!ground.plan().patches.empty()) {
    surfaces = resting_ground(ground, shape, touch.position, plan.material);
  }
  if (plan.motion) {
    surfaces.velocity = block.now.surface_velocity(touch.position, touch.normal, *plan.motion);
  }
  return surfaces;
}

void collide_flush_blocks(ArticulatedBody::Work& w, const Ground& ground, double time,
                          NearBlocks& near) {
  const Seams& seams = ground.geometry().seams;
  const std::vector<GeomSet::Item>& items = placed_geoms(w).items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ShapeRef ref{items[i].link, items[i].shape};
    const Eigen::AlignedBox3d bounds = geom_bounds(items[i].geom);
    char* const done = &near.done[i * near.blocks.size()];
    for (std::size_t n = 0; n < near.blocks.size(); ++n) {
      const int group = seams.group(near.blocks[n].index);
      if (group < 0 || done[n] != 0 || !near.blocks[n].bounds.intersects(bounds)) continue;
      Stand stand{ground, near, shape_of(w, ref), w.links[std::size_t(ref.link)], time, group};
      if (!stand.gather(bounds) || stand.tile_count == 0) continue;
      stand.look_under();
      if (!stand.is_within()) continue;
      stand.add_points(w, ref);
      for (int t = 0; t < stand.tile_count; ++t) done[stand.tiles[std::size_t(t)]] = 1;
    }
  }
}

}  // namespace promenade::physics
