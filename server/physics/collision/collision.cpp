// Finds contact points: of bodies with the ground and with each other. Bodies against bodies go
// through ODE's shape-against-shape routines.
#include <algorithm>

#include "physics/buffers.h"
#include "physics/collision/contact_list.h"

namespace promenade::physics {
namespace {

/// Keeps few points of a pair, to keep the solver fast: the deepest, and those that span the
/// greatest area with it, so that a body that lies flat rests on its whole face.
int fewest(RawContact* raw, int count) {
  if (count <= kMaxPairPoints) return count;
  const auto swap_in = [&](int place, const auto& merit) {
    int best = place;
    for (int c = place + 1; c < count; ++c) {
      if (merit(raw[c]) > merit(raw[best])) best = c;
    }
    std::swap(raw[place], raw[best]);
  };
  swap_in(0, [](const RawContact& c) { return c.depth; });
  swap_in(1, [&](const RawContact& c) { return (c.position - raw[0].position).squaredNorm(); });
  // The third point spans the greatest triangle with the first two, the fourth adds the most area.
  const auto twice_area = [&](const Vec3& p, int from, int to) {
    return (raw[to].position - raw[from].position).cross(p - raw[from].position).dot(raw[0].normal);
  };
  swap_in(2, [&](const RawContact& c) { return std::abs(twice_area(c.position, 0, 1)); });
  const double turn = twice_area(raw[2].position, 0, 1) < 0 ? -1 : 1;
  swap_in(3, [&](const RawContact& c) {
    const double outside =
        std::min({turn * twice_area(c.position, 0, 1), turn * twice_area(c.position, 1, 2),
                  turn * twice_area(c.position, 2, 0)});
    return -outside;
  });
  return kMaxPairPoints;
}

/// Whether two links are tied to each other in such a way that they do not collide.
bool let_through(std::span<Tie* const> ties, const ArticulatedBody::Work& a, int link_a,
                 const ArticulatedBody::Work& b, int link_b) {
  const auto is = [](const TieEnd& end, const ArticulatedBody::Work& w, int link) {
    return end.body != nullptr && &end.body->work() == &w && end.link == link;
  };
  return std::any_of(ties.begin(), ties.end(), [&](const Tie* tie) {
    if (tie->collide || tie->broken) return false;
    return (is(tie->a, a, link_a) && is(tie->b, b, link_b)) ||
           (is(tie->b, a, link_a) && is(tie->a, b, link_b));
  });
}

void collide_bodies(ArticulatedBody::Work& a, ArticulatedBody::Work& b, int index_b,
                    std::span<Tie* const> ties) {
  RawContact raw[8];
  const GeomSet& geoms_a = placed_geoms(a);
  const GeomSet& geoms_b = placed_geoms(b);
  for (const GeomSet::Item& item_a : geoms_a.items) {
    const Eigen::AlignedBox3d bounds = geom_bounds(item_a.geom);
    if (!bounds.intersects(bounds_of(b))) continue;
    for (const GeomSet::Item& item_b : geoms_b.items) {
      if (!bounds.intersects(geom_bounds(item_b.geom))) continue;
      if (let_through(ties, a, item_a.link, b, item_b.link)) continue;
      const int count = fewest(raw, collide_geoms(item_a.geom, item_b.geom, raw, 8));
      if (count == 0) continue;
      const ShapeRef on_a{item_a.link, item_a.shape}, on_b{item_b.link, item_b.shape};
      const SurfacePair surfaces{
          between_bodies(shape_of(a, on_a).material, shape_of(b, on_b).material)};
      for (int c = 0; c < count; ++c) {
        add_point(a, on_a, {raw[c].position, raw[c].normal, raw[c].depth, c},
                  Other{index_b, item_b.link, item_b.shape}, surfaces);
        b.touched |= 1u << item_b.link;
      }
    }
  }
}

void collide_ground(ArticulatedBody::Work& w, const Ground& ground, double time) {
  if (ground.plan().plane) {
    if (ground.geometry().pits.empty()) {
      collide_plane(w, ground);
    } else {
      collide_pits(w, ground);
    }
  }
  if (!ground.blocks().empty()) collide_blocks(w, ground, time);
  if (!ground.geometry().fields.empty()) collide_fields(w, ground);
}

}  // namespace

GeomSet& placed_geoms(ArticulatedBody::Work& w) {
  if (!w.geoms_placed) w.geoms->place(w.links);
  w.geoms_placed = true;
  return *w.geoms;
}

void collide(std::span<ArticulatedBody* const> bodies, std::span<Tie* const> ties,
             const Ground& ground, double time, Workspace& workspace) {
  for (ArticulatedBody* body : bodies) {
    ArticulatedBody::Work& w = body->work();
    if (w.asleep) continue;
    w.points.clear();
    w.keys.clear();
    w.partner.clear();
    w.partner_link.clear();
    w.touched = 0;
    w.geoms_placed = false;
    collide_ground(w, ground, time);
  }
  for (const auto& [i, j] : workspace.buffers().broad_phase.pairs(bodies)) {
    ArticulatedBody::Work& a = bodies[std::size_t(i)]->work();
    ArticulatedBody::Work& b = bodies[std::size_t(j)]->work();
    const auto shared = a.tied && b.tied ? ties : std::span<Tie* const>{};
    // A sleeping body has no points of its own.
    if (a.asleep) {
      collide_bodies(b, a, i, shared);
    } else {
      collide_bodies(a, b, j, shared);
    }
  }
  for (const Tie* tie : ties) {
    for (const TieEnd* end : {&tie->a, &tie->b}) {
      if (end->body != nullptr && !tie->broken) end->body->work().touched |= 1u << end->link;
    }
  }
}

}  // namespace promenade::physics
