// Contacts with the plane z = 0: few points, placed so that shapes rest well on them.
#include <algorithm>

#include "physics/collision/contact_list.h"

namespace promenade::physics {
namespace {

/// The four corners on the side of a box that faces down most.
int box_on_plane(const Shape& shape, const LinkMotion& m, Touch* out) {
  const Vec3 center = m.position + m.rotation * shape.a;
  const Vec3 reach = m.rotation.row(2).transpose().cwiseProduct(shape.b);
  if (center.z() - reach.cwiseAbs().sum() > kMargin) return 0;
  int count = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 local(corner & 1 ? shape.b.x() : -shape.b.x(),
                     corner & 2 ? shape.b.y() : -shape.b.y(),
                     corner & 4 ? shape.b.z() : -shape.b.z());
    // Most corners are up, and for those the height alone is computed.
    const double height = center.z() + m.rotation.row(2).dot(local);
    if (height > kMargin) continue;
    const Vec3 p = center + m.rotation * local;
    out[count++] = {p, Vec3::UnitZ(), -p.z(), corner};
  }
  return deepest_first(out, count, kMaxPairPoints);
}

int capsule_on_plane(const Shape& shape, const LinkMotion& m, Touch* out) {
  int count = 0;
  for (int end = 0; end < 2; ++end) {
    const Vec3& local = end == 0 ? shape.a : shape.b;
    const double depth = shape.radius - m.position.z() - m.rotation.row(2).dot(local);
    if (depth < -kMargin) continue;
    const Vec3 p = m.position + m.rotation * local;
    out[count++] = {Vec3(p.x(), p.y(), p.z() - shape.radius), Vec3::UnitZ(), depth, end};
  }
  return count;
}

int probes_on_plane(const Shape& shape, const LinkMotion& m, Touch* out) {
  Probe probes[kMaxProbes];
  const int probed = probes_of(shape, m, Vec3::UnitZ(), probes);
  int count = 0;
  for (int i = 0; i < probed; ++i) {
    const Vec3 p = probes[i].at - Vec3(0, 0, probes[i].radius);
    if (p.z() <= kMargin) out[count++] = {p, Vec3::UnitZ(), -p.z(), probes[i].feature};
  }
  return count;
}

int on_plane(const Shape& shape, const LinkMotion& m, Touch* out) {
  switch (shape.kind) {
    case Shape::Kind::kCapsule:
      return capsule_on_plane(shape, m, out);
    case Shape::Kind::kBox:
      return box_on_plane(shape, m, out);
    case Shape::Kind::kSphere:
    case Shape::Kind::kCylinder:
      return probes_on_plane(shape, m, out);
  }
  return 0;
}

}  // namespace

void collide_plane(ArticulatedBody::Work& w, const Ground& ground) {
  const ArticulationModel& model = *w.model;
  const bool one_surface = ground.plan().patches.empty();
  Touch touches[kMaxProbes];
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    // Most links are further up than their shapes reach. The slack is for rounding.
    constexpr double kSlack = 1e-6;  // m, for rounding
    if (w.links[i].position.z() > model.links[i].reach + kMargin + kSlack) continue;
    const auto& shapes = model.links[i].shapes;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const int count = on_plane(shapes[k], w.links[i], touches);
      for (int c = 0; c < count; ++c) {
        SurfacePair surfaces{on_ground(shapes[k].material, ground.plan().material)};
        if (!one_surface) {
          surfaces = resting_ground(ground, shapes[k], touches[c].position, std::nullopt);
        }
        add_point(w, {static_cast<int>(i), static_cast<int>(k)}, touches[c], Other{}, surfaces);
      }
    }
  }
}

}  // namespace promenade::physics
