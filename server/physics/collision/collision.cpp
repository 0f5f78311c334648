// Finds contact points: of bodies with the ground and with each other. Bodies against bodies: boxes
// by collide_boxes, all other pairs by ODE.
#include <algorithm>

#include "physics/buffers.h"
#include "physics/collision/box_contacts.h"
#include "physics/collision/contact_list.h"

namespace promenade::physics {
namespace {

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

/// Contacts of two shapes. @param out [kMaxRawContacts] @return how many
int collide_shapes(const ArticulatedBody::Work& a, const GeomSet::Item& item_a,
                   const ArticulatedBody::Work& b, const GeomSet::Item& item_b, RawContact* out) {
  const Shape& shape_a = shape_of(a, {item_a.link, item_a.shape});
  const Shape& shape_b = shape_of(b, {item_b.link, item_b.shape});
  if (shape_a.kind == Shape::Kind::kBox && shape_b.kind == Shape::Kind::kBox) {
    return collide_boxes(placed_box(shape_a, a.links[std::size_t(item_a.link)]),
                         placed_box(shape_b, b.links[std::size_t(item_b.link)]), out);
  }
  return collide_geoms(item_a.geom, item_b.geom, out, kMaxRawContacts);
}

void collide_bodies(ArticulatedBody::Work& a, ArticulatedBody::Work& b, int index_b,
                    std::span<Tie* const> ties) {
  RawContact raw[kMaxRawContacts];
  const GeomSet& geoms_a = placed_geoms(a);
  const GeomSet& geoms_b = placed_geoms(b);
  for (const GeomSet::Item& item_a : geoms_a.items) {
    const Eigen::AlignedBox3d bounds = geom_bounds(item_a.geom);
    if (!bounds.intersects(bounds_of(b))) continue;
    for (const GeomSet::Item& item_b : geoms_b.items) {
      if (!bounds.intersects(geom_bounds(item_b.geom))) continue;
      if (let_through(ties, a, item_a.link, b, item_b.link)) continue;
      const ShapeRef on_a{item_a.link, item_a.shape}, on_b{item_b.link, item_b.shape};
      const int count = spread_out(raw, collide_shapes(a, item_a, b, item_b, raw));
      if (count == 0) continue;
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
