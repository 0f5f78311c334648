// Contacts with blocks, at rest or moving. Those of balls, ends of capsules and cylinders are found
// here, because ODE finds too few for shapes that lie or stand.
#include <algorithm>
#include <cmath>

#include "physics/collision/box_contacts.h"
#include "physics/collision/contact_list.h"

namespace promenade::physics {
namespace {

/// A block where it is now.
struct BlockHere {
  Pose pose;
  Vec3 half;
  void* geom;
  Vec3 to_local(const Vec3& p) const { return pose.rotation.conjugate() * (p - pose.position); }
};

/// A sphere against a block. The normal points from the block to the sphere; for a centre inside
/// the block it is that of the nearest face. @return whether they overlap
bool sphere_on_block(const Vec3& center, double radius, const BlockHere& block, Touch& out) {
  const Vec3 local = block.to_local(center);
  const Vec3 nearest = local.cwiseMax(-block.half).cwiseMin(block.half);
  const Vec3 away = local - nearest;
  const double distance = away.norm();
  if (distance > radius) return false;
  if (distance > 1e-9) {
    out.normal = block.pose.rotation * (away / distance);
    out.depth = radius - distance;
  } else {
    int face = 0;
    const Vec3 within = block.half - local.cwiseAbs();
    within.minCoeff(&face);
    const double sign = local[face] < 0 ? -1 : 1;
    out.normal = block.pose.rotation * Vec3(sign * Vec3::Unit(face));
    out.depth = radius + within[face];
  }
  out.position = center - out.normal * radius;
  return true;
}

/// The middle of the part of a segment that is in a block, or of the segment if no part is.
Vec3 middle_within(const Vec3& a, const Vec3& b, const BlockHere& block) {
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
int from_ode(void* geom, const BlockHere& block, Touch* out) {
  RawContact raw[kMaxRawContacts];
  const int count = collide_geoms(geom, block.geom, raw, kMaxRawContacts);
  for (int c = 0; c < count; ++c) out[c] = {raw[c].position, raw[c].normal, raw[c].depth, 0};
  const int kept = deepest_first(out, count, kMaxPairPoints);
  for (int c = 0; c < kept; ++c) out[c].feature = c;
  return kept;
}

int box_on_block(const PlacedBox& box, const BlockHere& block, Touch* out) {
  RawContact raw[kMaxRawContacts];
  const PlacedBox other{block.pose.position, block.pose.rotation.toRotationMatrix(), block.half};
  const int count = spread_out(raw, collide_boxes(box, other, raw));
  for (int c = 0; c < count; ++c) out[c] = {raw[c].position, raw[c].normal, raw[c].depth, c};
  return count;
}

/// ODE finds one point of a capsule on a box, on which a capsule that lies flat would rock from end
/// to end. Here each end is a point, and ODE's point is added where an edge of the block touches in
/// between.
int capsule_on_block(const Shape& shape, const LinkMotion& m, void* geom, const BlockHere& block,
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
  if (count == 1 && (between.position - out[0].position).norm() < 2 * shape.radius) return count;
  out[count++] = between;
  return count;
}

/// The face of the block through which the way out is shortest for a cylinder.
/// @return its outward normal, in the block's frame; zero if they do not overlap
Vec3 nearest_face(const Shape& shape, const LinkMotion& m, const BlockHere& block) {
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
    if (depth < least) {
      least = depth;
      best = (center[k] < 0 ? -1 : 1) * Vec3::Unit(k);
    }
  }
  return best;
}

/// Points of the cylinder's rims over the face, and ODE's where an edge of the block touches.
int cylinder_on_block(const Shape& shape, const LinkMotion& m, void* geom, const BlockHere& block,
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

int on_block(const Shape& shape, const LinkMotion& m, void* geom, const BlockHere& block,
             Touch* out) {
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

}  // namespace

void collide_blocks(ArticulatedBody::Work& w, const Ground& ground, double time) {
  const Ground::Geometry& geometry = ground.geometry();
  const bool patched = !ground.plan().patches.empty();
  Touch touches[kMaxProbes];
  for (std::size_t b = 0; b < geometry.boxes.size(); ++b) {
    if (!geometry.bounds[b].intersects(bounds_of(w))) continue;
    const GroundBlock& block = ground.blocks()[b];
    GeomSet& geoms = placed_geoms(w);
    BlockHere here{block.pose, block.half, geometry.boxes[b]};
    Eigen::AlignedBox3d bounds = geometry.bounds[b];
    BlockNow now;
    if (block.motion) {
      now = ground.block_at(b, time);
      if (block.motion->moves()) {
        here.pose = now.pose;
        here.geom = geoms.moved_block(now.pose, block.half);
        bounds = geom_bounds(here.geom);
      }
    }
    for (const GeomSet::Item& item : geoms.items) {
      if (!bounds.intersects(geom_bounds(item.geom))) continue;
      const ShapeRef ref{item.link, item.shape};
      const Shape& shape = shape_of(w, ref);
      const int count = on_block(shape, w.links[std::size_t(item.link)], item.geom, here, touches);
      for (int c = 0; c < count; ++c) {
        SurfacePair surfaces{
            on_ground(shape.material, block.material.value_or(ground.plan().material))};
        if (patched) {
          surfaces = resting_ground(ground, shape, touches[c].position, block.material);
        }
        if (block.motion) {
          surfaces.velocity =
              now.surface_velocity(touches[c].position, touches[c].normal, *block.motion);
        }
        add_point(w, ref, touches[c], Other::block(b), surfaces);
      }
    }
  }
}

}  // namespace promenade::physics
