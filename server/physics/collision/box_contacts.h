#pragma once

#include "math/types.h"
#include "physics/ground/geometry.h"

// Private to physics/: box against box.
namespace promenade::physics {

/// A box where it is. World frame.
struct PlacedBox {
  Vec3 center;
  Mat3 rotation;  // world_from_box
  Vec3 half;      // m, along its own axes
};

inline PlacedBox placed_box(const Shape& shape, const LinkMotion& link) {
  return {link.position + link.rotation * shape.a, link.rotation, shape.b};
}

/// Contacts of two boxes that overlap, with one normal: that of a face of one of them with the
/// corners of the part of it that the other's face covers, or, where an edge crosses an edge, one
/// point. Boxes that lie on each other keep their face while they tilt by some degrees: ODE then
/// changes between the face and a single pair of edges from step to step, and thin boxes under load
/// never come to rest on that.
/// Method: separating axes; clipping of the face (Gottschalk 1996; Sutherland and Hodgman 1974)
/// @param out [kMaxRawContacts]; each point lies in the middle of the overlap
/// @param covered_of_b  sides of b out of which no normal may lean: see CoveredSides
/// @return how many
int collide_boxes(const PlacedBox& a, const PlacedBox& b, RawContact* out,
                  unsigned covered_of_b = 0);

}  // namespace promenade::physics
