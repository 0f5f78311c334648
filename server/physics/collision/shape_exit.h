#pragma once

#include <optional>

#include "physics/articulation.h"

// Private to physics/: how edges and peaks of the ground meet a shape's faces.
namespace promenade::physics {

/// Part of a line, from a + low (b - a) to a + high (b - a).
struct Span {
  double low = 0, high = 1;
};
/// The part of the segment a b within the shape; none if it is outside.
std::optional<Span> part_within(const Shape& shape, const LinkMotion& m, const Vec3& a,
                                const Vec3& b);

/// The shortest displacement of a shape after which a point is no longer inside it.
struct Exit {
  Vec3 normal;       // direction in which the shape moves, unit
  double depth = 0;  // m
};
/// @param p  world, within the shape
/// @param allowed  whether the shape may be pushed that way
template <typename Allowed>
std::optional<Exit> exit_of(const Shape& shape, const LinkMotion& m, const Vec3& p,
                            Allowed&& allowed);

/// All exits for a point in a shape, up to 6: by the faces of a box, by the side of a round shape,
/// by the ends of a cylinder. @return how many
int exits_of(const Shape& shape, const LinkMotion& m, const Vec3& p, Exit* out);

template <typename Allowed>
std::optional<Exit> exit_of(const Shape& shape, const LinkMotion& m, const Vec3& p,
                            Allowed&& allowed) {
  Exit all[6];
  std::optional<Exit> best;
  const int count = exits_of(shape, m, p, all);
  for (int i = 0; i < count; ++i) {
    if (allowed(all[i].normal) && (!best || all[i].depth < best->depth)) best = all[i];
  }
  return best;
}

}  // namespace promenade::physics
