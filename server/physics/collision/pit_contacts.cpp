// Contacts with a plane that has pits: floors, walls and edges.
#include <algorithm>
#include <cmath>

#include "physics/collision/contact_list.h"
#include "physics/collision/shape_exit.h"

namespace promenade::physics {
namespace {

constexpr double kMostly = 0.5;
constexpr double kNotAgainst = -0.1;  // least component of a way out, upwards and over the pit

bool beside(const PitEdge& edge, const Vec3& p) {
  const Vec3 along = edge.to - edge.from;
  const double t = along.dot(p - edge.from);
  return t >= 0 && t <= along.squaredNorm();
}

struct PitFinder {
  ArticulatedBody::Work& w;
  const Ground& ground;
  const PitMap& pits;
  ShapeRef ref{};
  const Shape* shape = nullptr;
  const LinkMotion* m = nullptr;

  void add(const Touch& touch, const Other& other) {
    add_point(w, ref, touch, other, resting_ground(ground, *shape, touch.position, std::nullopt));
  }
  Other wall(std::size_t edge) const { return {-1, Other::kPitEdge, static_cast<int>(edge)}; }

  /// A probe against the floor below it and the walls beside it. From within the ground it goes the
  /// shortest way out. @return whether it touches the floor
  bool probe(const Probe& p, Touch& on_floor) {
    const double floor = pits.floor(p.at.x(), p.at.y());
    double depth = p.radius + floor - p.at.z();
    bool up = depth >= -kMargin;
    std::size_t through = 0;
    double sideways = up && p.at.z() < floor ? depth : -1;
    for (std::size_t e = 0; e < pits.edges().size(); ++e) {
      const PitEdge& edge = pits.edges()[e];
      if (p.at.z() >= edge.from.z() || p.at.z() <= edge.bottom || !beside(edge, p.at)) continue;
      const double off = edge.into.dot(p.at - edge.from);
      if (off >= 0) {
        if (off <= p.radius) wall_touch(p, e, p.radius - off);
      } else if (p.radius - off < sideways) {
        sideways = p.radius - off;
        through = e + 1;
      }
    }
    if (through > 0) {
      wall_touch(p, through - 1, sideways);
      return false;
    }
    if (up) on_floor = {p.at - Vec3(0, 0, p.radius), Vec3::UnitZ(), depth, p.feature};
    return up;
  }

  void wall_touch(const Probe& p, std::size_t e, double depth) {
    const PitEdge& edge = pits.edges()[e];
    add({p.at - p.radius * edge.into, edge.into, depth, p.feature}, wall(e));
  }

  /// A ball at `center` against an edge, from above or from over the pit.
  void ball_on_edge(const Vec3& center, double radius, std::size_t e, int feature) {
    const PitEdge& edge = pits.edges()[e];
    const Vec3 along = edge.to - edge.from;
    const double t = along.dot(center - edge.from) / along.squaredNorm();
    const Vec3 nearest = edge.from + std::clamp(t, 0.0, 1.0) * along;
    const Vec3 off = center - nearest;
    const double distance = off.norm();
    // Over the ground the plane has the contact, below the edge the wall.
    if (distance > radius || distance < 1e-9 || off.dot(edge.into) <= 0 || off.z() <= 0) return;
    add({nearest, off / distance, radius - distance, feature}, wall(e));
  }

  /// The edge against the shape's side: a crate or a leg that lies over it.
  void side_on_edge(std::size_t e) {
    const PitEdge& edge = pits.edges()[e];
    const auto part = part_within(*shape, *m, edge.from, edge.to);
    if (!part) return;
    // A box touches the edge with two points, a round shape with the deepest.
    const bool flat = shape->kind == Shape::Kind::kBox;
    for (int i = 0; i < (flat ? 2 : 1); ++i) {
      const double t = flat ? (i == 0 ? part->low : part->high) : 0.5 * (part->low + part->high);
      const Vec3 at = edge.from + t * (edge.to - edge.from);
      // The shape may be pushed up or out over the pit, not along the edge.
      const auto exit = exit_of(*shape, *m, at, [&](const Vec3& n) {
        const double up = n.z(), out = n.dot(edge.into);
        return std::min(up, out) > kNotAgainst && std::max(up, out) > kMostly;
      });
      if (exit) add({at, exit->normal, exit->depth, 14 + i}, wall(e));
    }
  }

  void edges(const Eigen::AlignedBox3d& bounds) {
    for (std::size_t e = 0; e < pits.edges().size(); ++e) {
      const PitEdge& edge = pits.edges()[e];
      Eigen::AlignedBox3d line(edge.from.cwiseMin(edge.to), edge.from.cwiseMax(edge.to));
      if (!bounds.intersects(line)) continue;
      switch (shape->kind) {
        case Shape::Kind::kSphere:
          ball_on_edge(m->position + m->rotation * shape->a, shape->radius, e, 0);
          break;
        case Shape::Kind::kCapsule:
          ball_on_edge(m->position + m->rotation * shape->a, shape->radius, e, 0);
          ball_on_edge(m->position + m->rotation * shape->b, shape->radius, e, 1);
          side_on_edge(e);
          break;
        case Shape::Kind::kBox:
        case Shape::Kind::kCylinder:
          side_on_edge(e);
          break;
      }
    }
  }

  void find() {
    Probe probes[kMaxProbes];
    Touch floor[kMaxProbes];
    const int probed = probes_of(*shape, *m, Vec3::UnitZ(), probes);
    int count = 0;
    for (int i = 0; i < probed; ++i) count += probe(probes[i], floor[count]);
    const bool box = shape->kind == Shape::Kind::kBox;
    count = deepest_first(floor, count, box ? kMaxPairPoints : kMaxProbes);
    for (int i = 0; i < count; ++i) add(floor[i], Other{});
  }
};

}  // namespace

void collide_pits(ArticulatedBody::Work& w, const Ground& ground) {
  const PitMap& pits = ground.geometry().pits;
  const Eigen::AlignedBox3d& bounds = bounds_of(w);
  const Eigen::AlignedBox2d level(bounds.min().head<2>(), bounds.max().head<2>());
  if (!pits.bounds().intersects(level)) {
    collide_plane(w, ground);
    return;
  }
  PitFinder finder{w, ground, pits};
  for (const GeomSet::Item& item : placed_geoms(w).items) {
    finder.ref = {item.link, item.shape};
    finder.shape = &shape_of(w, finder.ref);
    finder.m = &w.links[static_cast<std::size_t>(item.link)];
    finder.find();
    finder.edges(geom_bounds(item.geom));
  }
}

}  // namespace promenade::physics
