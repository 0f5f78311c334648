#pragma once

#include "physics/dynamics/work.h"
#include "physics/ground/geometry.h"

// Private to physics/: how a contact point gets into a body's list.
namespace promenade::physics {

inline constexpr double kMargin = 0.003;  // m, points this far above the ground get a row already
inline constexpr int kMaxPairPoints = 4;  // points of one pair of shapes

/// The other side of a contact: what a link touches.
struct Other {
  enum : int {
    kGround = -1,
    kFieldSurface = -2,
    kFieldPoint = -3,
    kPitEdge = -4,
    kFlushBlocks = -5
  };
  int body = -1;       // index in the island; -1 for the ground
  int link = kGround;  // of the body; of the ground, what it is
  // Shape of the link; 0 the plane, then the blocks; field; point of a field; edge; group of
  // blocks.
  int part = 0;

  static Other block(std::size_t index) { return {-1, kGround, 1 + static_cast<int>(index)}; }
};

/// A shape of a body for which contacts are being found.
struct ShapeRef {
  int link = 0, shape = 0;
};

/// The two surfaces of a contact.
struct SurfacePair {
  Material material;
  Vec3 velocity = Vec3::Zero();  // m/s, of ground that moves
};

/// A place where shapes touch. The normal points from the other side to the shape.
struct Touch {
  Vec3 position, normal;
  double depth = 0;
  int feature = 0;  // 0 to 15, names the point among those of the same shapes
};

void add_point(ArticulatedBody::Work& w, const ShapeRef& on, const Touch& touch, const Other& other,
               const SurfacePair& surfaces);

inline const Shape& shape_of(const ArticulatedBody::Work& w, const ShapeRef& ref) {
  return w.model->links[static_cast<std::size_t>(ref.link)]
      .shapes[static_cast<std::size_t>(ref.shape)];
}

/// The surfaces of a shape and of resting ground at a point.
/// @param own  of the block or field; none: the ground's
inline SurfacePair resting_ground(const Ground& ground, const Shape& shape, const Vec3& at,
                                  const std::optional<Material>& own) {
  return {on_ground(shape.material, ground.material_at(at.x(), at.y(), own)), Vec3::Zero()};
}

/// A point of a shape that touches the ground below it first: the centre of a ball or, with radius
/// 0, a point of the shape's surface.
struct Probe {
  Vec3 at;
  double radius = 0;
  int feature = 0;
};
inline constexpr int kMaxProbes = 16;
/// @param up  away from the ground, unit
/// @return how many
int probes_of(const Shape& shape, const LinkMotion& m, const Vec3& up, Probe* out);

/// Keeps few points of a pair of shapes, at most kMaxPairPoints, to keep the solver fast: the
/// deepest, and those that span the greatest area with it, so that a body that lies flat rests on
/// its whole face.
/// @return how many
int spread_out(RawContact* raw, int count);
/// Sorts the deepest to the front. @return how many to keep of `count`
int deepest_first(Touch* touches, int count, int most);

// One file each.
void collide_plane(ArticulatedBody::Work& w, const Ground& ground);
void collide_pits(ArticulatedBody::Work& w, const Ground& ground);
void collide_blocks(ArticulatedBody::Work& w, const Ground& ground, double time);
void collide_fields(ArticulatedBody::Work& w, const Ground& ground);
/// The body's ODE shapes, where its links are now.
GeomSet& placed_geoms(ArticulatedBody::Work& w);

}  // namespace promenade::physics
