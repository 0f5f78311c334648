#include "physics/collision/contact_list.h"

#include <algorithm>
#include <cmath>

namespace promenade::physics {
namespace {

/// A name for a contact point that stays the same from step to step and is unique within its body:
/// 4 bits of feature, 8 of shape, 8 of link, 8 of the other link, 16 of the other body, 20 of the
/// other part.
std::uint64_t key_of(const ShapeRef& on, int feature, const Other& other) {
  std::uint64_t key = static_cast<std::uint64_t>(other.part);
  key = key << 16 | static_cast<std::uint16_t>(other.body);
  key = key << 8 | static_cast<std::uint8_t>(other.link);
  key = key << 8 | static_cast<std::uint8_t>(on.link);
  key = key << 8 | static_cast<std::uint8_t>(on.shape);
  return key << 4 | static_cast<std::uint64_t>(feature);
}

/// Points of a cylinder's rims: the lowest of each rim; of an end that faces down six points that
/// are fixed in it, so that the points of a standing cylinder do not change from step to step.
int cylinder_probes(const Shape& shape, const LinkMotion& m, const Vec3& up, Probe* out) {
  constexpr double kFacesDown = 0.9;  // cosine of the end's normal with `down`
  constexpr double kUpright =
      0.005;  // rad from upright, below which no point of a rim is the lowest
  const Vec3 axis = m.rotation * (shape.b - shape.a).normalized();
  const Vec3 across = axis * axis.dot(up) - up;  // down, within an end
  const double tilt = across.norm();
  int count = 0;
  for (int end = 0; end < 2; ++end) {
    const Vec3 center = m.position + m.rotation * (end == 0 ? shape.a : shape.b);
    if (tilt > kUpright) out[count++] = {center + across * (shape.radius / tilt), 0, end};
    const double down = (end == 0 ? 1 : -1) * axis.dot(up);
    if (down < kFacesDown) continue;
    const Vec3 local_axis = (shape.b - shape.a).normalized();
    const Vec3 one = m.rotation * local_axis.unitOrthogonal();
    const Vec3 other = axis.cross(one);
    for (int k = 0; k < 6; ++k) {
      const double c[6] = {1, 0.5, -0.5, -1, -0.5, 0.5};
      const double s = k % 3 == 0 ? 0 : (k < 3 ? 1 : -1) * 0.8660254037844386;
      out[count++] = {center + shape.radius * (c[k] * one + s * other), 0, 2 + 6 * end + k};
    }
  }
  return count;
}

}  // namespace

void add_point(ArticulatedBody::Work& w, const ShapeRef& on, const Touch& touch, const Other& other,
               const SurfacePair& surfaces) {
  if (w.points.size() >= kMaxPoints) return;
  w.touched |= 1u << on.link;
  ContactPoint& point = w.points.emplace_back();
  point.link = on.link;
  point.position = touch.position;
  point.normal = touch.normal;
  point.depth = touch.depth;
  point.on_ground = other.body < 0;
  point.material = surfaces.material;
  point.surface_velocity = surfaces.velocity;
  w.keys.push_back(key_of(on, touch.feature, other));
  w.partner.push_back(other.body);
  w.partner_link.push_back(other.body < 0 ? -1 : other.link);
}

int probes_of(const Shape& shape, const LinkMotion& m, const Vec3& up, Probe* out) {
  switch (shape.kind) {
    case Shape::Kind::kCapsule:
      out[0] = {m.position + m.rotation * shape.a, shape.radius, 0};
      out[1] = {m.position + m.rotation * shape.b, shape.radius, 1};
      return 2;
    case Shape::Kind::kSphere:
      out[0] = {m.position + m.rotation * shape.a, shape.radius, 0};
      return 1;
    case Shape::Kind::kBox:
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 local(corner & 1 ? shape.b.x() : -shape.b.x(),
                         corner & 2 ? shape.b.y() : -shape.b.y(),
                         corner & 4 ? shape.b.z() : -shape.b.z());
        out[corner] = {m.position + m.rotation * (shape.a + local), 0, corner};
      }
      return 8;
    case Shape::Kind::kCylinder:
      return cylinder_probes(shape, m, up, out);
  }
  return 0;
}

int spread_out(RawContact* raw, int count) {
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

int deepest_first(Touch* touches, int count, int most) {
  if (count <= most) return count;
  std::partial_sort(touches, touches + most, touches + count,
                    [](const Touch& a, const Touch& b) { return a.depth > b.depth; });
  return most;
}

}  // namespace promenade::physics
