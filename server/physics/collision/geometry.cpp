#include "physics/collision/geometry.h"

#include <ode/ode.h>

#include <algorithm>
#include <mutex>

namespace promenade::physics {
namespace {

void start_ode() {
  static std::once_flag once;
  std::call_once(once, [] { dInitODE2(0); });
}

dGeomID as_geom(void* geom) { return static_cast<dGeomID>(geom); }

void set_pose(dGeomID geom, const Vec3& position, const Mat3& r) {
  const dMatrix3 rotation = {r(0, 0), r(0, 1), r(0, 2), 0,       r(1, 0), r(1, 1),
                             r(1, 2), 0,       r(2, 0), r(2, 1), r(2, 2), 0};
  dGeomSetPosition(geom, position.x(), position.y(), position.z());
  dGeomSetRotation(geom, rotation);
}

void* make_geom(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::kCapsule:
      return dCreateCapsule(nullptr, shape.radius, (shape.b - shape.a).norm());
    case Shape::Kind::kBox:
      return dCreateBox(nullptr, 2 * shape.b.x(), 2 * shape.b.y(), 2 * shape.b.z());
    case Shape::Kind::kSphere:
      return dCreateSphere(nullptr, shape.radius);
    case Shape::Kind::kCylinder:
      return dCreateCylinder(nullptr, shape.radius, (shape.b - shape.a).norm());
  }
  return nullptr;
}

}  // namespace

GeomSet::GeomSet(const ArticulationModel& model) {
  start_ode();
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    for (std::size_t k = 0; k < link.shapes.size(); ++k) {
      const Shape& shape = link.shapes[k];
      Item item{make_geom(shape), static_cast<int>(i), static_cast<int>(k)};
      item.center = shape.a;
      if (shape.kind == Shape::Kind::kCapsule || shape.kind == Shape::Kind::kCylinder) {
        // ODE's lie along their z axis.
        item.center = 0.5 * (shape.a + shape.b);
        item.rotation = Quat::FromTwoVectors(Vec3::UnitZ(), shape.b - shape.a).toRotationMatrix();
      }
      items.push_back(item);
    }
  }
}

GeomSet::~GeomSet() {
  for (const Item& item : items) dGeomDestroy(as_geom(item.geom));
  if (block_) dGeomDestroy(as_geom(block_));
}

void* GeomSet::moved_block(const Pose& pose, const Vec3& half) {
  if (!block_) block_ = dCreateBox(nullptr, 1, 1, 1);
  dGeomBoxSetLengths(as_geom(block_), 2 * half.x(), 2 * half.y(), 2 * half.z());
  set_pose(as_geom(block_), pose.position, pose.rotation.toRotationMatrix());
  return block_;
}

void GeomSet::place(const std::vector<LinkMotion>& links) {
  for (const Item& item : items) {
    const LinkMotion& m = links[item.link];
    set_pose(as_geom(item.geom), m.position + m.rotation * item.center, m.rotation * item.rotation);
  }
}

int collide_geoms(void* a, void* b, RawContact* out, int capacity) {
  dContactGeom contacts[kMaxRawContacts];
  const int asked = std::min(capacity, kMaxRawContacts);
  const int count = dCollide(as_geom(a), as_geom(b), asked, contacts, sizeof(dContactGeom));
  for (int i = 0; i < count; ++i) {
    const dContactGeom& c = contacts[i];
    out[i] = {Vec3(c.pos[0], c.pos[1], c.pos[2]), Vec3(c.normal[0], c.normal[1], c.normal[2]),
              c.depth};
  }
  return count;
}

Eigen::AlignedBox3d geom_bounds(void* geom) {
  dReal aabb[6];
  dGeomGetAABB(as_geom(geom), aabb);
  return {Vec3(aabb[0], aabb[2], aabb[4]), Vec3(aabb[1], aabb[3], aabb[5])};
}

void Ground::make_geometry() {
  start_ode();
  geometry_ = std::make_unique<Geometry>(plan_);
  Geometry& g = *geometry_;
  for (const GroundBlock& block : plan_.blocks) {
    const Vec3 size = 2 * block.half;
    dGeomID geom = dCreateBox(nullptr, size.x(), size.y(), size.z());
    set_pose(geom, block.pose.position, block.pose.rotation.toRotationMatrix());
    g.boxes.push_back(geom);
    g.bounds.push_back(
        geom_bounds(geom));  // this also makes ODE place the geom, which it does lazily
    g.track.push_back(block.motion ? static_cast<int>(g.tracks.size()) : -1);
    if (!block.motion) continue;
    g.tracks.emplace_back(block);
    if (block.motion->moves()) g.bounds.back() = g.tracks.back().reach();
  }
  g.grid = BlockGrid(g.bounds);
  for (const HeightField& field : plan_.fields) g.fields.emplace_back(field);
}

Ground::~Ground() {
  for (void* geom : geometry_->boxes) dGeomDestroy(as_geom(geom));
}

}  // namespace promenade::physics
