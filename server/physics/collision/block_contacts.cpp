// Contacts with blocks, at rest or moving. Those of balls, ends of capsules and cylinders are found
// here, because ODE finds too few for shapes that lie or stand.
#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/collision/box_contacts.h"
#include "physics/collision/near_blocks.h"

namespace promenade::physics {
namespace {

/// A block against which a shape is held: where it is, ODE's box of it, and what covers its sides.
struct Held {
  const BlockHere& block;
  void* geom;
  CoveredSides covered;
  const Pose& pose = block.pose;
  const Vec3& half = block.half;
  Vec3 to_local(const Vec3& p) const { return block.to_local(p); }
  bool may_push(const Vec3& normal) const {
    return covered == 0 || may_point(covered, pose.rotation.conjugate() * normal);
  }
};

/// A sphere against a block. The normal points from the block to the sphere; for a centre inside
/// the block it is that of the nearest face. @return whether they overlap
bool sphere_on_block(const Vec3& center, double radius, const Held& block, Touch& out) {
  const Vec3 local = block.to_local(center);
  const Vec3 nearest = local.cwiseMax(-block.half).cwiseMin(block.half);
  const Vec3 away = local - nearest;
  const double distance = away.norm();
  if (distance > radius) return false;
  if (distance > 1e-9) {
    out.normal = block.pose.rotation * (away / distance);
    out.depth = radius - distance;
  } else {
    const Vec3 within = block.half - local.cwiseAbs();
    out.depth = std::numeric_limits<double>::infinity();
    for (int face = 0; face < 3; ++face) {
      const Vec3 outward = (local[face] < 0 ? -1 : 1) * Vec3::Unit(face);
      if (radius + within[face] >= out.depth || !may_point(block.covered, outward)) continue;
      out.normal = block.pose.rotation * outward;
      out.depth = radius + within[face];
    }
  }
  out.position = center - out.normal * radius;
  return true;
}

/// The middle of the part of a segment that is in a block, or of the segment if no part is.
Vec3 middle_within(const Vec3& a, const Vec3& b, const Held& block) {
  const Vec3 from = block.to_local(a);
  const Vec3 along = block.pose.rotation.conjugate() * (b - a);
  double low = 0, high = 1;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(along[k]) < 1e-12) continue;
    const double first = (-block.half[k] - from[k]) / along[k];
    const double second = (block.half[k] - from[k]) / along[k];
    low = std::max(low, std::min(first, second));
    high = std::min(high, std::max(first, second));
  }
  return a + (low < high ? 0.5 * (low + high) : 0.5) * (b - a);
}

/// The deepest of the points that ODE finds for a pair: few points keep the solver fast.
int from_ode(void* geom, const Held& block, Touch* out) {
  RawContact raw[kMaxRawContacts];
  const int found = collide_geoms(geom, block.geom, raw, kMaxRawContacts);
  int count = 0;
  for (int c = 0; c < found; ++c) {
    if (!block.may_push(raw[c].normal)) continue;
    out[count++] = {raw[c].position, raw[c].normal, raw[c].depth, 0};
  }
  const int kept = deepest_first(out, count, kMaxPairPoints);
  for (int c = 0; c < kept; ++c) out[c].feature = c;
  return kept;
}

int box_on_block(const PlacedBox& box, const Held& block, Touch* out) {
  RawContact raw[kMaxRawContacts];
  const PlacedBox other{block.pose.position, block.pose.rotation.toRotationMatrix(), block.half};
  const int count = spread_out(raw, collide_boxes(box, other, raw, block.covered));
  for (int c = 0; c < count; ++c) out[c] = {raw[c].position, raw[c].normal, raw[c].depth, c};
  return count;
}

/// ODE finds one point of a capsule on a box, on which a capsule that lies flat would rock from end
/// to end. Here each end is a point, and ODE's point is added where an edge of the block touches in
/// between.
int capsule_on_block(const Shape& shape, const LinkMotion& m, void* geom, const Held& block,
                     Touch* out) {
  int count = 0;
  for (int end = 0; end < 2; ++end) {
    const Vec3 center = m.position + m.rotation * (end == 0 ? shape.a : shape.b);
    if (sphere_on_block(center, shape.radius, block, out[count])) out[count++].feature = end;
  }
  if (count == 2) return count;
  RawContact raw;
  if (collide_geoms(geom, block.geom, &raw, 1) == 0) return count;
  Touch between{raw.position, raw.normal, raw.depth, 2};
  // Where the capsule's axis is inside the block, ODE's normal means nothing.
  if (between.depth > 0.999 * shape.radius) {
    const Vec3 middle =
        middle_within(m.position + m.rotation * shape.a, m.position + m.rotation * shape.b, block);
    sphere_on_block(middle, shape.radius, block, between);
  }
  if (!block.may_push(between.normal)) return count;
  if (count == 1 && (between.position - out[0].position).norm() < 2 * shape.radius) return count;
  out[count++] = between;
  return count;
}

/// The face of the block through which the way out is shortest for a cylinder.
/// @return its outward normal, in the block's frame; zero if they do not overlap
Vec3 nearest_face(const Shape& shape, const LinkMotion& m, const Held& block) {
  const Vec3 center = block.to_local(m.position + m.rotation * (0.5 * (shape.a + shape.b)));
  const Vec3 half_axis =
      block.pose.rotation.conjugate() * (m.rotation * (0.5 * (shape.b - shape.a)));
  const Vec3 unit = half_axis.normalized();
  Vec3 best = Vec3::Zero();
  double least = 1e9;
  for (int k = 0; k < 3; ++k) {
    const double reach =
        std::abs(half_axis[k]) + shape.radius * std::sqrt(std::max(0.0, 1 - unit[k] * unit[k]));
    const double depth = block.half[k] + reach - std::abs(center[k]);
    if (depth < -kMargin) return Vec3::Zero();
    const Vec3 outward = (center[k] < 0 ? -1 : 1) * Vec3::Unit(k);
    if (depth < least && may_point(block.covered, outward)) {
      least = depth;
      best = outward;
    }
  }
  return best;
}

/// Points of the cylinder's rims over the face, and ODE's where an edge of the block touches.
int cylinder_on_block(const Shape& shape, const LinkMotion& m, void* geom, const Held& block,
                      Touch* out) {
  const Vec3 face = nearest_face(shape, m, block);
  if (face.isZero()) return 0;
  const Vec3 normal = block.pose.rotation * face;
  Probe probes[kMaxProbes];
  const int probed = probes_of(shape, m, normal, probes);
  int count = 0, ends = 0;
  for (int i = 0; i < probed; ++i) {
    const Vec3 local = block.to_local(probes[i].at);
    const double depth = face.cwiseAbs().dot(block.half) - face.dot(local);
    if (depth < -kMargin) continue;
    const Vec3 beside =
        (local.cwiseAbs() - block.half).cwiseProduct(Vec3::Ones() - face.cwiseAbs());
    if (beside.maxCoeff() > 0) continue;
    out[count++] = {probes[i].at, normal, depth, probes[i].feature};
    ends |= 1 << (probes[i].feature < 2 ? probes[i].feature : 2);
  }
  // It lies on both ends, or stands on one with its whole rim: no edge is needed.
  if ((ends & 3) == 3 || count >= 6) return count;
  Touch more[kMaxRawContacts];
  const int found = from_ode(geom, block, more);
  for (int i = 0; i < found; ++i) {
    const bool known = std::any_of(out, out + count, [&](const Touch& touch) {
      return (touch.position - more[i].position).norm() < 0.2 * shape.radius;
    });
    if (known || count == kMaxProbes) continue;
    more[i].feature = std::min(14 + i, 15);
    out[count++] = more[i];
  }
  return count;
}

int on_block(const Shape& shape, const LinkMotion& m, void* geom, const Held& block, Touch* out) {
  switch (shape.kind) {
    case Shape::Kind::kCapsule:
      return capsule_on_block(shape, m, geom, block, out);
    case Shape::Kind::kBox:
      return box_on_block(placed_box(shape, m), block, out);
    case Shape::Kind::kSphere:
      out[0].feature = 0;
      return sphere_on_block(m.position + m.rotation * shape.a, shape.radius, block, out[0]);
    case Shape::Kind::kCylinder:
      return cylinder_on_block(shape, m, geom, block, out);
  }
  return 0;
}

/// Whether a ball that touches an edge of a block has the ground behind that edge's covered side
/// under it at least as deep: then it rolls there, and does not feel the edge.
bool rolls_beyond(const Vec3& center, double radius, const Touch& touch, const Ground& ground,
                  const NearBlocks& near, const Held& block) {
  if (block.may_push(touch.normal)) return false;
  constexpr double kAsDeep = 1e-4;  // m: a depth less by this counts as equal
  const double least = touch.depth - kAsDeep;
  if (ground.plan().plane && ground.geometry().pits.empty() && radius - center.z() >= least) {
    return true;
  }
  return std::any_of(near.blocks.begin(), near.blocks.end(), [&](const BlockHere& other) {
    if (other.index == block.block.index) return false;
    const BlockTop top(other.pose, other.half);
    const double above = top.above(center);
    return above > 0 && radius - above >= least && top.covers(center);
  });
}

/// Takes out the touches of balls that roll beyond the edges that they touch. @return how many stay
int without_covered_edges(const Shape& shape, const LinkMotion& m, const Ground& ground,
                          const NearBlocks& near, const Held& block, Touch* touches, int count) {
  const bool ball = shape.kind == Shape::Kind::kSphere || shape.kind == Shape::Kind::kCapsule;
  if (!ball || block.covered == 0) return count;
  const auto gone = std::remove_if(touches, touches + count, [&](const Touch& touch) {
    if (touch.feature > 1) return false;
    const Vec3 center = m.position + m.rotation * (touch.feature == 0 ? shape.a : shape.b);
    return rolls_beyond(center, shape.radius, touch, ground, near, block);
  });
  return static_cast<int>(gone - touches);
}

/// Finds the blocks that a body may touch.
void find_near(const ArticulatedBody::Work& w, const Ground& ground, double time,
               NearBlocks& near) {
  const Ground::Geometry& geometry = ground.geometry();
  near.blocks.clear();
  const Eigen::AlignedBox3d& body = bounds_of(w);
  for (std::size_t b = 0; b < geometry.boxes.size(); ++b) {
    if (!geometry.bounds[b].intersects(body) || geometry.seams.is_buried(b)) continue;
    const GroundBlock& block = ground.blocks()[b];
    BlockHere& here = near.blocks.emplace_back();
    here.index = b;
    here.pose = block.pose;
    here.half = block.half;
    here.bounds = geometry.bounds[b];
    if (!block.motion) continue;
    here.now = ground.block_at(b, time);
    here.moves = block.motion->moves();
    if (here.moves) here.pose = here.now.pose;
  }
}

}  // namespace

void collide_blocks(ArticulatedBody::Work& w, const Ground& ground, double time) {
  const Ground::Geometry& geometry = ground.geometry();
  NearBlocks& near = *w.near_blocks;
  find_near(w, ground, time, near);
  if (near.blocks.empty()) return;
  GeomSet& geoms = placed_geoms(w);
  near.done.assign(geoms.items.size() * near.blocks.size(), 0);
  if (geometry.seams.any_flush()) collide_flush_blocks(w, ground, time, near);
  Touch touches[kMaxProbes];
  for (std::size_t n = 0; n < near.blocks.size(); ++n) {
    const BlockHere& here = near.blocks[n];
    void* const geom =
        here.moves ? geoms.moved_block(here.pose, here.half) : geometry.boxes[here.index];
    const Eigen::AlignedBox3d bounds = here.moves ? geom_bounds(geom) : here.bounds;
    for (std::size_t i = 0; i < geoms.items.size(); ++i) {
      const GeomSet::Item& item = geoms.items[i];
      if (near.done[i * near.blocks.size() + n] != 0) continue;
      const Eigen::AlignedBox3d reach = geom_bounds(item.geom);
      if (!bounds.intersects(reach)) continue;
      const ShapeRef ref{item.link, item.shape};
      const Shape& shape = shape_of(w, ref);
      const LinkMotion& m = w.links[std::size_t(item.link)];
      const Held held{here, geom, covered_sides(ground, near, here, reach.center())};
      int count = on_block(shape, m, item.geom, held, touches);
      count = without_covered_edges(shape, m, ground, near, held, touches, count);
      for (int c = 0; c < count; ++c) {
        add_point(w, ref, touches[c], Other::block(here.index),
                  surfaces_on(ground, shape, here, touches[c]));
      }
    }
  }
}

}  // namespace promenade::physics
