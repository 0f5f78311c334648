// Finds contact points. The ground plane is done here, with few and well placed points; boxes and
// other bodies go through ODE's shape-against-shape routines.
#include <algorithm>
#include <cmath>

#include "physics/collision/geometry.h"
#include "physics/dynamics/work.h"

namespace promenade::physics {
namespace {

constexpr double kMargin = 0.003;  // m, points this far above ground are already watched
constexpr int kMaxPairPoints = 4;  // of one pair of shapes

/// What a link touches: terrain (0 the plane, then its boxes) or a shape of another body.
struct Other {
  int body = -1;  // index in the island
  int link = -1;
  int part = 0;  // of the terrain or of the link's shapes
};

/// Names a contact point from step to step, different for every two of a body: 4 bits of feature,
/// 8 of shape, 8 of link, 8 of the other link, 16 of the other body, 20 of its part.
std::uint64_t key_of(int link, int shape, int feature, const Other& other) {
  std::uint64_t key = static_cast<std::uint64_t>(other.part);
  key = key << 16 | static_cast<std::uint16_t>(other.body);
  key = key << 8 | static_cast<std::uint8_t>(other.link);
  key = key << 8 | static_cast<std::uint8_t>(link);
  key = key << 8 | static_cast<std::uint8_t>(shape);
  return key << 4 | static_cast<std::uint64_t>(feature);
}

struct Candidate {
  Vec3 position;
  double depth;
  int feature;
};

void add_point(ArticulatedBody::Work& w, int link, int shape, int feature, const Other& other,
               const Vec3& position, const Vec3& normal, double depth) {
  if (w.points.size() >= kMaxPoints) return;
  w.touched |= 1u << link;
  ContactPoint& point = w.points.emplace_back();
  point.link = link;
  point.position = position;
  point.normal = normal;
  point.depth = depth;
  point.on_ground = other.body < 0;
  w.keys.push_back(key_of(link, shape, feature, other));
  w.partner.push_back(other.body);
  w.partner_link.push_back(other.link);
}

void collide_plane(ArticulatedBody::Work& w) {
  const ArticulationModel& model = *w.model;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkMotion& m = w.links[i];
    const auto& shapes = model.links[i].shapes;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Shape& shape = shapes[k];
      if (shape.kind == Shape::Kind::kCapsule) {
        for (int end = 0; end < 2; ++end) {
          const Vec3& local = end == 0 ? shape.a : shape.b;
          const double depth = shape.radius - m.position.z() - m.rotation.row(2).dot(local);
          if (depth < -kMargin) continue;
          const Vec3 p = m.position + m.rotation * local;
          add_point(w, i, k, end, Other{}, Vec3(p.x(), p.y(), p.z() - shape.radius), Vec3::UnitZ(),
                    depth);
        }
        continue;
      }
      const Vec3 center = m.position + m.rotation * shape.a;
      const Vec3 reach = m.rotation.row(2).transpose().cwiseProduct(shape.b);
      if (center.z() - reach.cwiseAbs().sum() > kMargin) continue;
      // Of the eight corners the four on the side that faces down carry a box that lies flat.
      Candidate low[8];
      int count = 0;
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 local(corner & 1 ? shape.b.x() : -shape.b.x(),
                         corner & 2 ? shape.b.y() : -shape.b.y(),
                         corner & 4 ? shape.b.z() : -shape.b.z());
        const Vec3 p = center + m.rotation * local;
        if (p.z() <= kMargin) low[count++] = {p, -p.z(), corner};
      }
      if (count > kMaxPairPoints) {
        std::partial_sort(low, low + kMaxPairPoints, low + count,
                          [](const Candidate& a, const Candidate& b) { return a.depth > b.depth; });
        count = kMaxPairPoints;
      }
      for (int c = 0; c < count; ++c) {
        add_point(w, i, k, low[c].feature, Other{}, low[c].position, Vec3::UnitZ(), low[c].depth);
      }
    }
  }
}

/// Keeps the deepest points of a pair, so that the solver sees few.
int fewest(RawContact* raw, int count) {
  if (count <= kMaxPairPoints) return count;
  std::partial_sort(raw, raw + kMaxPairPoints, raw + count,
                    [](const RawContact& a, const RawContact& b) { return a.depth > b.depth; });
  return kMaxPairPoints;
}

/// The body's ODE shapes, where its links are now.
const GeomSet& placed_geoms(ArticulatedBody::Work& w) {
  if (!w.geoms_placed) w.geoms->place(w.links);
  w.geoms_placed = true;
  return *w.geoms;
}

/// A sphere against a box. The normal points from the box to the sphere; from inside the box it is
/// that of the nearest face. @return whether they overlap
bool sphere_on_box(const Vec3& center, double radius, const TerrainBox& box, RawContact& out) {
  const Vec3 local = box.pose.rotation.conjugate() * (center - box.pose.position);
  const Vec3 nearest = local.cwiseMax(-box.half).cwiseMin(box.half);
  const Vec3 away = local - nearest;
  const double distance = away.norm();
  if (distance > radius) return false;
  if (distance > 1e-9) {
    out.normal = box.pose.rotation * (away / distance);
    out.depth = radius - distance;
  } else {
    int face = 0;
    const Vec3 within = box.half - local.cwiseAbs();
    within.minCoeff(&face);
    const double sign = local[face] < 0 ? -1 : 1;
    out.normal = box.pose.rotation * Vec3(sign * Vec3::Unit(face));
    out.depth = radius + within[face];
  }
  out.position = center - out.normal * radius;
  return true;
}

/// The middle of that part of a segment which is in a box; of all of it if none is.
Vec3 middle_within(const Vec3& a, const Vec3& b, const TerrainBox& box) {
  const Vec3 from = box.pose.rotation.conjugate() * (a - box.pose.position);
  const Vec3 along = box.pose.rotation.conjugate() * (b - a);
  double low = 0, high = 1;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(along[k]) < 1e-12) continue;
    const double first = (-box.half[k] - from[k]) / along[k];
    const double second = (box.half[k] - from[k]) / along[k];
    low = std::max(low, std::min(first, second));
    high = std::min(high, std::max(first, second));
  }
  return a + (low < high ? 0.5 * (low + high) : 0.5) * (b - a);
}

/// ODE gives one point of a capsule on a box, so that one lying flat would rock from end to end.
/// Each end is a point of its own here; ODE's is added where the box touches in between, at an
/// edge.
int capsule_on_box(const ArticulatedBody::Work& w, const GeomSet::Item& item, void* geom,
                   const TerrainBox& box, RawContact* out, int* features) {
  const LinkMotion& m = w.links[item.link];
  const Shape& shape = w.model->links[item.link].shapes[item.shape];
  int count = 0;
  for (int end = 0; end < 2; ++end) {
    const Vec3 center = m.position + m.rotation * (end == 0 ? shape.a : shape.b);
    if (sphere_on_box(center, shape.radius, box, out[count])) features[count++] = end;
  }
  if (count == 2) return count;
  RawContact between;
  if (collide_geoms(item.geom, geom, &between, 1) == 0) return count;
  // Once its axis is in the box ODE knows no direction out.
  if (between.depth > 0.999 * shape.radius) {
    sphere_on_box(
        middle_within(m.position + m.rotation * shape.a, m.position + m.rotation * shape.b, box),
        shape.radius, box, between);
  }
  if (count == 1 && (between.position - out[0].position).norm() < 2 * shape.radius) return count;
  out[count] = between;
  features[count++] = 2;
  return count;
}

void collide_boxes(ArticulatedBody::Work& w, const Terrain& terrain) {
  const Terrain::Geometry& geometry = terrain.geometry();
  RawContact raw[8];
  int features[8];
  for (std::size_t b = 0; b < geometry.boxes.size(); ++b) {
    if (!geometry.bounds[b].intersects(bounds_of(w))) continue;
    const Other other{-1, -1, 1 + static_cast<int>(b)};
    for (const GeomSet::Item& item : placed_geoms(w).items) {
      if (!geometry.bounds[b].intersects(geom_bounds(item.geom))) continue;
      int count = 0;
      if (w.model->links[item.link].shapes[item.shape].kind == Shape::Kind::kCapsule) {
        count = capsule_on_box(w, item, geometry.boxes[b], terrain.boxes()[b], raw, features);
      } else {
        count = fewest(raw, collide_geoms(item.geom, geometry.boxes[b], raw, 8));
        for (int c = 0; c < count; ++c) features[c] = c;
      }
      for (int c = 0; c < count; ++c) {
        add_point(w, item.link, item.shape, features[c], other, raw[c].position, raw[c].normal,
                  raw[c].depth);
      }
    }
  }
}

void collide_bodies(ArticulatedBody::Work& a, ArticulatedBody::Work& b, int index_b) {
  RawContact raw[8];
  const GeomSet& geoms_a = placed_geoms(a);
  const GeomSet& geoms_b = placed_geoms(b);
  for (const GeomSet::Item& item_a : geoms_a.items) {
    const Eigen::AlignedBox3d bounds = geom_bounds(item_a.geom);
    if (!bounds.intersects(bounds_of(b))) continue;
    for (const GeomSet::Item& item_b : geoms_b.items) {
      if (!bounds.intersects(geom_bounds(item_b.geom))) continue;
      const int count = fewest(raw, collide_geoms(item_a.geom, item_b.geom, raw, 8));
      for (int c = 0; c < count; ++c) {
        add_point(a, item_a.link, item_a.shape, c, Other{index_b, item_b.link, item_b.shape},
                  raw[c].position, raw[c].normal, raw[c].depth);
        b.touched |= 1u << item_b.link;
      }
    }
  }
}

}  // namespace

void collide(std::span<ArticulatedBody* const> bodies, const Terrain& terrain) {
  for (ArticulatedBody* body : bodies) {
    ArticulatedBody::Work& w = body->work();
    w.points.clear();
    w.keys.clear();
    w.partner.clear();
    w.partner_link.clear();
    w.touched = 0;
    w.geoms_placed = false;
    collide_plane(w);
    collide_boxes(w, terrain);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      ArticulatedBody::Work& a = bodies[i]->work();
      ArticulatedBody::Work& b = bodies[j]->work();
      if (bounds_of(a).intersects(bounds_of(b))) collide_bodies(a, b, static_cast<int>(j));
    }
  }
}

}  // namespace promenade::physics
