#include "physics/collision/shape_exit.h"

#include <algorithm>
#include <cmath>

namespace promenade::physics {
namespace {

/// Cuts a span to where low <= from + t along <= high. @return false if nothing is left
bool cut(Span& span, double from, double along, double low, double high) {
  if (std::abs(along) < 1e-12) return from >= low && from <= high;
  const double one = (low - from) / along, other = (high - from) / along;
  span.low = std::max(span.low, std::min(one, other));
  span.high = std::min(span.high, std::max(one, other));
  return span.low <= span.high;
}

/// Cuts a span to where the square of (from + t along), both across an axis, is at most radius^2.
bool cut_round(Span& span, const Vec3& from, const Vec3& along, double radius) {
  const double a = along.squaredNorm(), b = from.dot(along);
  const double c = from.squaredNorm() - radius * radius;
  if (a < 1e-18) return c <= 0;
  const double root = b * b - a * c;
  if (root < 0) return false;
  const double s = std::sqrt(root);
  span.low = std::max(span.low, (-b - s) / a);
  span.high = std::min(span.high, (-b + s) / a);
  return span.low <= span.high;
}

/// The axis of a capsule or cylinder in the world.
struct Axis {
  Vec3 center, unit;
  double half;
};
Axis axis_of(const Shape& shape, const LinkMotion& m) {
  const Vec3 half = m.rotation * (0.5 * (shape.b - shape.a));
  return {m.position + m.rotation * (0.5 * (shape.a + shape.b)), half.normalized(), half.norm()};
}

int box_exits(const Shape& shape, const LinkMotion& m, const Vec3& p, Exit* out) {
  const Vec3 local = m.rotation.transpose() * (p - m.position) - shape.a;
  for (int k = 0; k < 3; ++k) {
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? 1 : -1;
      out[2 * k + side] = {-sign * m.rotation.col(k), shape.b[k] - sign * local[k]};
    }
  }
  return 6;
}

/// The way out of a ball, or of a round side, for a point that is `off` from the centre or axis.
int round_exit(const Vec3& off, double radius, Exit* out) {
  const double distance = off.norm();
  if (distance < 1e-9) return 0;
  out[0] = {-off / distance, radius - distance};
  return 1;
}

int cylinder_exits(const Shape& shape, const LinkMotion& m, const Vec3& p, Exit* out) {
  const Axis axis = axis_of(shape, m);
  const double along = axis.unit.dot(p - axis.center);
  out[0] = {-axis.unit, axis.half - along};
  out[1] = {axis.unit, axis.half + along};
  return 2 + round_exit(p - axis.center - along * axis.unit, shape.radius, out + 2);
}

int capsule_exit(const Shape& shape, const LinkMotion& m, const Vec3& p, Exit* out) {
  const Axis axis = axis_of(shape, m);
  const double along = std::clamp(axis.unit.dot(p - axis.center), -axis.half, axis.half);
  return round_exit(p - axis.center - along * axis.unit, shape.radius, out);
}

}  // namespace

std::optional<Span> part_within(const Shape& shape, const LinkMotion& m, const Vec3& a,
                                const Vec3& b) {
  Span span;
  switch (shape.kind) {
    case Shape::Kind::kBox: {
      const Vec3 from = m.rotation.transpose() * (a - m.position) - shape.a;
      const Vec3 along = m.rotation.transpose() * (b - a);
      for (int k = 0; k < 3; ++k) {
        if (!cut(span, from[k], along[k], -shape.b[k], shape.b[k])) return std::nullopt;
      }
      return span;
    }
    case Shape::Kind::kSphere: {
      const Vec3 center = m.position + m.rotation * shape.a;
      if (!cut_round(span, a - center, b - a, shape.radius)) return std::nullopt;
      return span;
    }
    case Shape::Kind::kCapsule:  // without its round ends
    case Shape::Kind::kCylinder: {
      const Axis axis = axis_of(shape, m);
      const Vec3 from = a - axis.center, along = b - a;
      const double from_axis = axis.unit.dot(from), along_axis = axis.unit.dot(along);
      if (!cut(span, from_axis, along_axis, -axis.half, axis.half)) return std::nullopt;
      if (!cut_round(span, from - from_axis * axis.unit, along - along_axis * axis.unit,
                     shape.radius)) {
        return std::nullopt;
      }
      return span;
    }
  }
  return std::nullopt;
}

int exits_of(const Shape& shape, const LinkMotion& m, const Vec3& p, Exit* out) {
  switch (shape.kind) {
    case Shape::Kind::kBox:
      return box_exits(shape, m, p, out);
    case Shape::Kind::kSphere:
      return round_exit(p - m.position - m.rotation * shape.a, shape.radius, out);
    case Shape::Kind::kCapsule:
      return capsule_exit(shape, m, p, out);
    case Shape::Kind::kCylinder:
      return cylinder_exits(shape, m, p, out);
  }
  return 0;
}

}  // namespace promenade::physics
