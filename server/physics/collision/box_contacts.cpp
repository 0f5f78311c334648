#include "physics/collision/box_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "physics/collision/near_blocks.h"

namespace promenade::physics {
namespace {

/// How far two boxes overlap along an axis.
struct Overlap {
  double depth = std::numeric_limits<double>::infinity();  // m
  Vec3 normal = Vec3::Zero();  // unit vector out of the second box into the first
  int of_a = -1, of_b = -1;    // axes whose faces or edges meet; -1 of a box whose face does not
};

/// The boxes as seen from each other.
struct BoxPair {
  const PlacedBox &a, &b;
  CoveredSides covered_of_b;
  Vec3 apart;    // from b to a
  Mat3 between;  // a_from_b

  BoxPair(const PlacedBox& one, const PlacedBox& other, CoveredSides covered)
      : a(one),
        b(other),
        covered_of_b(covered),
        apart(one.center - other.center),
        between(one.rotation.transpose() * other.rotation) {}

  double depth_along(const Vec3& axis) const {
    return (a.rotation.transpose() * axis).cwiseAbs().dot(a.half) +
           (b.rotation.transpose() * axis).cwiseAbs().dot(b.half) - std::abs(axis.dot(apart));
  }
  /// Takes the axis if the boxes overlap less along it. @return false if they do not overlap
  bool try_axis(const Vec3& axis, double depth, int of_a, int of_b, Overlap& least) const {
    if (depth < 0) return false;
    if (depth >= least.depth) return true;
    const Vec3 normal = axis.dot(apart) < 0 ? Vec3(-axis) : axis;
    if (covered_of_b == 0 || may_point(covered_of_b, b.rotation.transpose() * normal)) {
      least = {depth, normal, of_a, of_b};
    }
    return true;
  }
};

/// The least overlap along normals of faces. @return false if the boxes are apart
bool overlap_of_faces(const BoxPair& pair, Overlap& least) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = pair.a.rotation.col(k);
    const double depth = pair.a.half[k] + pair.between.row(k).cwiseAbs().dot(pair.b.half) -
                         std::abs(axis.dot(pair.apart));
    if (!pair.try_axis(axis, depth, k, -1, least)) return false;
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = pair.b.rotation.col(k);
    const double depth = pair.b.half[k] + pair.between.col(k).cwiseAbs().dot(pair.a.half) -
                         std::abs(axis.dot(pair.apart));
    if (!pair.try_axis(axis, depth, -1, k, least)) return false;
  }
  return true;
}

/// The least overlap along normals of an edge of each. @return false if the boxes are apart
bool overlap_of_edges(const BoxPair& pair, Overlap& least) {
  constexpr double kParallel = 1e-6;  // square of the sine
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 across = pair.a.rotation.col(i).cross(pair.b.rotation.col(j));
      const double square = across.squaredNorm();
      if (square < kParallel) continue;
      const Vec3 axis = across / std::sqrt(square);
      if (!pair.try_axis(axis, pair.depth_along(axis), i, j, least)) return false;
    }
  }
  return true;
}

/// Cuts off the part of a polygon that lies beyond `limit` along coordinate k times sign.
/// @return how many corners are left
int cut(const std::array<Vec3, kMaxRawContacts>& corners, int count, int k, double sign,
        double limit, std::array<Vec3, kMaxRawContacts>& out) {
  int left = 0;
  for (int c = 0; c < count; ++c) {
    const Vec3 &here = corners[std::size_t(c)], &next = corners[std::size_t((c + 1) % count)];
    const double inside = limit - sign * here[k], inside_next = limit - sign * next[k];
    if (inside >= 0 && left < kMaxRawContacts) out[std::size_t(left++)] = here;
    if ((inside >= 0) != (inside_next >= 0) && left < kMaxRawContacts) {
      out[std::size_t(left++)] = here + (next - here) * (inside / (inside - inside_next));
    }
  }
  return left;
}

/// The corners of the part of a face of `base` that the other box's face covers.
/// @param k      the axis of `base` that the face is normal to
/// @param normal unit vector, out of the face; the face of the other box that points against it
///               most is taken
/// @param into   1: contacts' normals are `normal`; -1: against it
int clip_face(const PlacedBox& base, int k, const Vec3& normal, const PlacedBox& other, double into,
              RawContact* out) {
  const double side = normal.dot(base.rotation.col(k)) < 0 ? -1 : 1;
  const Vec3 against = other.rotation.transpose() * normal;
  int j = 0;
  against.cwiseAbs().maxCoeff(&j);
  const int u = (j + 1) % 3, v = (j + 2) % 3;
  std::array<Vec3, kMaxRawContacts> corners, cut_off;
  for (int c = 0; c < 4; ++c) {
    Vec3 corner;
    corner[j] = against[j] > 0 ? -other.half[j] : other.half[j];
    corner[u] = (c == 1 || c == 2) ? other.half[u] : -other.half[u];
    corner[v] = c >= 2 ? other.half[v] : -other.half[v];
    corners[std::size_t(c)] =
        base.rotation.transpose() * (other.center + other.rotation * corner - base.center);
  }
  int count = 4;
  for (int across = 1; across < 3; ++across) {
    const int axis = (k + across) % 3;
    count = cut(corners, count, axis, 1, base.half[axis], cut_off);
    count = cut(cut_off, count, axis, -1, base.half[axis], corners);
  }
  int found = 0;
  for (int c = 0; c < count; ++c) {
    const Vec3& corner = corners[std::size_t(c)];
    const double depth = base.half[k] - side * corner[k];
    if (depth < 0) continue;
    const Vec3 at = base.center + base.rotation * corner + 0.5 * depth * normal;
    out[found++] = {at, into * normal, depth};
  }
  return found;
}

/// The middle between the closest points of the edges that meet.
int cross_edges(const BoxPair& pair, const Overlap& overlap, RawContact* out) {
  const auto middle = [&](const PlacedBox& box, int along, double sign) {
    const Vec3 toward = box.rotation.transpose() * (sign * overlap.normal);
    Vec3 corner = box.half;
    for (int k = 0; k < 3; ++k) {
      if (toward[k] < 0) corner[k] = -corner[k];
    }
    corner[along] = 0;
    return Vec3(box.center + box.rotation * corner);
  };
  const Vec3 p = middle(pair.a, overlap.of_a, -1), q = middle(pair.b, overlap.of_b, 1);
  const Vec3 along_a = pair.a.rotation.col(overlap.of_a),
             along_b = pair.b.rotation.col(overlap.of_b);
  const double cosine = along_a.dot(along_b), sine2 = 1 - cosine * cosine;
  const Vec3 between = q - p;
  const double s = (between.dot(along_a) - cosine * between.dot(along_b)) / sine2;
  const double t = (cosine * between.dot(along_a) - between.dot(along_b)) / sine2;
  out[0] = {0.5 * (p + s * along_a + q + t * along_b), overlap.normal, overlap.depth};
  return 1;
}

/// Contacts of the face of `base` that points along `normal`, if one does within an angle.
/// @param least cosine of the angle
int covered_face(const PlacedBox& base, const PlacedBox& other, double into, const Vec3& normal,
                 double least, RawContact* out) {
  int k = 0;
  const Vec3 along = base.rotation.transpose() * normal;
  if (along.cwiseAbs().maxCoeff(&k) < least) return 0;
  return clip_face(base, k, along[k] < 0 ? Vec3(-base.rotation.col(k)) : Vec3(base.rotation.col(k)),
                   other, into, out);
}

/// The greatest depth; infinite if there are no contacts.
double deepest(const RawContact* contacts, int count) {
  double depth = count > 0 ? 0 : std::numeric_limits<double>::infinity();
  for (int c = 0; c < count; ++c) depth = std::max(depth, contacts[c].depth);
  return depth;
}

}  // namespace

int collide_boxes(const PlacedBox& a, const PlacedBox& b, RawContact* out,
                  CoveredSides covered_of_b) {
  constexpr double kLess = 0.95;    // share of the faces' overlap: below it edges count
  constexpr double kLiesOn = 0.94;  // cosine of the angle within which a face is taken for edges
  constexpr double kDeeper = 1.5;   // times the edges' overlap: the most that such a face may show
  const BoxPair pair(a, b, covered_of_b);
  Overlap face, edge;
  if (!overlap_of_faces(pair, face) || !overlap_of_edges(pair, edge)) return 0;
  if (edge.depth < kLess * face.depth) {
    RawContact other[kMaxRawContacts];
    const int on_a = covered_face(a, b, -1, -edge.normal, kLiesOn, out);
    const int on_b = covered_face(b, a, 1, edge.normal, kLiesOn, other);
    const double depth_a = deepest(out, on_a), depth_b = deepest(other, on_b);
    if (std::min(depth_a, depth_b) > kDeeper * edge.depth) return cross_edges(pair, edge, out);
    if (depth_a <= depth_b) return on_a;
    std::copy(other, other + on_b, out);
    return on_b;
  }
  return face.of_a >= 0 ? clip_face(a, face.of_a, -face.normal, b, -1, out)
                        : clip_face(b, face.of_b, face.normal, a, 1, out);
}

}  // namespace promenade::physics
