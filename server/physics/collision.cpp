// Finds contact points. The ground plane is done here, with few and well placed points; boxes and
// other bodies go through ODE's shape-against-shape routines.
#include <algorithm>
#include <cmath>

#include "physics/geometry.h"
#include "physics/work.h"

namespace promenade::physics {
namespace {

constexpr double kMargin = 0.003;      // m, points this far above ground are already watched
constexpr int kMaxPoints = 48;         // of one body
constexpr int kMaxPairPoints = 4;      // of one pair of shapes

std::uint32_t key_of(int link, int shape, int feature, int other) {
  return static_cast<std::uint32_t>(((other * 32 + link) * 4 + shape) * 16 + feature);
}

struct Candidate {
  Vec3 position;
  double depth;
  int feature;
};

void add_point(ArticulatedBody::Work& w, int link, const Vec3& position, const Vec3& normal,
               double depth, std::uint32_t key, int partner, int partner_link) {
  if (w.points.size() >= kMaxPoints) return;
  ContactPoint& point = w.points.emplace_back();
  point.link = link;
  point.position = position;
  point.normal = normal;
  point.depth = depth;
  point.on_ground = partner < 0;
  w.keys.push_back(key);
  w.partner.push_back(partner);
  w.partner_link.push_back(partner_link);
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
          const Vec3 p = m.position + m.rotation * (end == 0 ? shape.a : shape.b);
          const double depth = shape.radius - p.z();
          if (depth < -kMargin) continue;
          add_point(w, i, Vec3(p.x(), p.y(), p.z() - shape.radius), Vec3::UnitZ(), depth,
                    key_of(i, k, end, 0), -1, -1);
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
        add_point(w, i, low[c].position, Vec3::UnitZ(), low[c].depth,
                  key_of(i, k, low[c].feature, 0), -1, -1);
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

GeomSet& geoms_of(ArticulatedBody::Work& w) {
  if (!w.geoms) w.geoms = std::make_unique<GeomSet>(*w.model);
  return *w.geoms;
}

void collide_boxes(ArticulatedBody::Work& w, const Terrain& terrain, bool& placed) {
  const Terrain::Geometry& geometry = terrain.geometry();
  RawContact raw[8];
  for (std::size_t b = 0; b < geometry.boxes.size(); ++b) {
    if (!geometry.bounds[b].intersects(w.bounds)) continue;
    GeomSet& geoms = geoms_of(w);
    if (!placed) geoms.place(w.links, *w.model);
    placed = true;
    for (const GeomSet::Item& item : geoms.items) {
      if (!geometry.bounds[b].intersects(geom_bounds(item.geom))) continue;
      const int count = fewest(raw, collide_geoms(item.geom, geometry.boxes[b], raw, 8));
      for (int c = 0; c < count; ++c) {
        add_point(w, item.link, raw[c].position, raw[c].normal, raw[c].depth,
                  key_of(item.link, item.shape, c, 1 + static_cast<int>(b)), -1, -1);
      }
    }
  }
}

void collide_bodies(ArticulatedBody::Work& a, ArticulatedBody::Work& b, int index_b) {
  RawContact raw[8];
  for (const GeomSet::Item& item_a : a.geoms->items) {
    const Eigen::AlignedBox3d bounds = geom_bounds(item_a.geom);
    if (!bounds.intersects(b.bounds)) continue;
    for (const GeomSet::Item& item_b : b.geoms->items) {
      if (!bounds.intersects(geom_bounds(item_b.geom))) continue;
      const int count = fewest(raw, collide_geoms(item_a.geom, item_b.geom, raw, 8));
      for (int c = 0; c < count; ++c) {
        add_point(a, item_a.link, raw[c].position, raw[c].normal, raw[c].depth,
                  key_of(item_a.link, item_a.shape, c, 1000 + index_b * 64 + item_b.link), index_b,
                  item_b.link);
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
    bool placed = false;
    collide_plane(w);
    collide_boxes(w, terrain, placed);
    if (bodies.size() > 1 && !placed) geoms_of(w).place(w.links, *w.model);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      ArticulatedBody::Work& a = bodies[i]->work();
      ArticulatedBody::Work& b = bodies[j]->work();
      if (a.bounds.intersects(b.bounds)) collide_bodies(a, b, static_cast<int>(j));
    }
  }
}

}  // namespace promenade::physics
