// Contacts with height fields: balls, ends and corners of shapes against the surface, and points of
// the grid against faces of shapes that lie on them.
#include <algorithm>
#include <cmath>

#include "physics/collision/contact_list.h"
#include "physics/collision/shape_exit.h"

namespace promenade::physics {
namespace {

constexpr int kMostAlong = 16;  // points tried along a capsule or across a face, at most

struct FieldFinder {
  ArticulatedBody::Work& w;
  const Ground& ground;
  const FieldSurface& field;
  int number = 0;  // of the field
  ShapeRef ref{};
  const Shape* shape = nullptr;
  const LinkMotion* m = nullptr;

  void add(const Touch& touch, const Other& other) {
    add_point(w, ref, touch, other,
              resting_ground(ground, *shape, touch.position, field.field().material));
  }

  bool ball(const Vec3& center, double radius, Touch& out) const {
    Vec3 on_surface;
    if (!field.nearest(center, on_surface, out.normal)) return false;
    out.depth = radius - out.normal.dot(center - on_surface);
    out.position = center - radius * out.normal;
    return out.depth >= -kMargin && out.position.z() > field.bounds().min().z();
  }

  void probes() {
    double height = 0;
    Vec3 up;
    if (!field.at(m->position.x(), m->position.y(), height, up)) up = Vec3::UnitZ();
    Probe probes[kMaxProbes];
    Touch touches[kMaxProbes];
    const int probed = probes_of(*shape, *m, up, probes);
    int count = 0;
    for (int i = 0; i < probed; ++i) {
      if (!ball(probes[i].at, probes[i].radius, touches[count])) continue;
      touches[count++].feature = probes[i].feature;
    }
    const bool box = shape->kind == Shape::Kind::kBox;
    count = deepest_first(touches, count, box ? kMaxPairPoints : kMaxProbes);
    for (int i = 0; i < count; ++i) add(touches[i], {-1, Other::kFieldSurface, number});
  }

  /// The deepest of some balls between a capsule's ends: where a crest touches it.
  void between_ends() {
    const Vec3 a = m->position + m->rotation * shape->a, b = m->position + m->rotation * shape->b;
    const int parts = std::min(kMostAlong, 1 + static_cast<int>((b - a).norm() / field.cell()));
    Touch best, touch;
    best.depth = 0;
    for (int i = 1; i < parts; ++i) {
      if (ball(a + (b - a) * i / parts, shape->radius, touch) && touch.depth > best.depth) {
        best = touch;
      }
    }
    if (best.depth <= 0) return;
    best.feature = 2;
    add(best, {-1, Other::kFieldSurface, number});
  }

  /// The deepest points of the grid within a box or a cylinder.
  void peaks(const Eigen::AlignedBox3d& bounds) {
    FieldSurface::Range range;
    if (!field.points_under(bounds, range)) return;
    int step[2];
    for (int k = 0; k < 2; ++k) step[k] = 1 + (range.last[k] - range.first[k]) / kMostAlong;
    Touch deepest[kMaxPairPoints];
    int points[kMaxPairPoints], count = 0;
    for (int row = range.first[1]; row <= range.last[1]; row += step[1]) {
      for (int column = range.first[0]; column <= range.last[0]; column += step[0]) {
        const Vec3 p = field.point(column, row);
        if (!bounds.contains(p) || !part_within(*shape, *m, p, p)) continue;
        double height = 0;
        Vec3 up;
        if (!field.at(p.x(), p.y(), height, up)) continue;
        const auto exit = exit_of(*shape, *m, p, [&up](const Vec3& n) { return n.dot(up) > 0.5; });
        if (!exit) continue;
        int at = count < kMaxPairPoints ? count++ : kMaxPairPoints;
        while (at > 0 && deepest[at - 1].depth < exit->depth) {
          if (at < kMaxPairPoints) {
            deepest[at] = deepest[at - 1];
            points[at] = points[at - 1];
          }
          --at;
        }
        if (at == kMaxPairPoints) continue;
        deepest[at] = {p, exit->normal, exit->depth, 0};
        points[at] = row * field.field().columns + column;
      }
    }
    for (int i = 0; i < count; ++i) {
      deepest[i].feature = number & 15;
      add(deepest[i], {-1, Other::kFieldPoint, points[i]});
    }
  }

  void find(const Eigen::AlignedBox3d& bounds) {
    probes();
    switch (shape->kind) {
      case Shape::Kind::kSphere:
        return;
      case Shape::Kind::kCapsule:
        between_ends();
        return;
      case Shape::Kind::kBox:
      case Shape::Kind::kCylinder:
        peaks(bounds);
        return;
    }
  }
};

}  // namespace

void collide_fields(ArticulatedBody::Work& w, const Ground& ground) {
  const auto& fields = ground.geometry().fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Eigen::AlignedBox3d reach = fields[i].bounds();
    reach.max().z() += kMargin;
    if (!reach.intersects(bounds_of(w))) continue;
    FieldFinder finder{w, ground, fields[i], static_cast<int>(i)};
    for (const GeomSet::Item& item : placed_geoms(w).items) {
      const Eigen::AlignedBox3d bounds = geom_bounds(item.geom);
      if (!reach.intersects(bounds)) continue;
      finder.ref = {item.link, item.shape};
      finder.shape = &shape_of(w, finder.ref);
      finder.m = &w.links[static_cast<std::size_t>(item.link)];
      finder.find(bounds);
    }
  }
}

}  // namespace promenade::physics
