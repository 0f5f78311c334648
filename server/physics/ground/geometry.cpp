#include "physics/ground/geometry.h"

#include <ode/ode.h>

#include <algorithm>
#include <mutex>

#include "physics/collision/contact_list.h"

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

Ground::Geometry::Geometry(const GroundPlan& plan) : pits(plan) {
  start_ode();
  for (const GroundBlock& block : plan.blocks) {
    const Vec3 size = 2 * block.half;
    dGeomID geom = dCreateBox(nullptr, size.x(), size.y(), size.z());
    set_pose(geom, block.pose.position, block.pose.rotation.toRotationMatrix());
    boxes.push_back(geom);
    bounds.push_back(
        geom_bounds(geom));  // this also makes ODE place the geom, which it does lazily
    half.push_back(block.half);
    track.push_back(block.motion ? static_cast<int>(tracks.size()) : -1);
    if (!block.motion) continue;
    tracks.emplace_back(block);
    if (!is_at_rest(block)) bounds.back() = tracks.back().reach();
  }
  seams = Seams(plan, bounds);
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    if (seams.group(b) < 0) continue;
    const int up = seams.top(b).axis;
    half[b][(up + 1) % 3] += 0.5 * kSeamGap;
    half[b][(up + 2) % 3] += 0.5 * kSeamGap;
    bounds[b].min().array() -= kSeamGap;
    bounds[b].max().array() += std::max(kSeamGap, kMargin);
  }
  grid = BlockGrid(bounds);
  for (const HeightField& field : plan.fields) fields.emplace_back(field);
}

void Ground::make_geometry() { geometry_ = std::make_unique<Geometry>(plan_); }

Ground::~Ground() {
  for (void* geom : geometry_->boxes) dGeomDestroy(as_geom(geom));
}

}  // namespace promenade::physics
