#pragma once

#include <cstddef>
#include <vector>

#include "physics/collision/contact_list.h"

// Private to physics/: the blocks that a body may touch in a step.
namespace promenade::physics {

/// A block where it is now.
struct BlockHere {
  std::size_t index = 0;
  Pose pose;
  Vec3 half = Vec3::Zero();
  Eigen::AlignedBox3d bounds;
  BlockNow now;        // of one that has a motion
  bool moves = false;  // it is not where the ground's own geom is
  Vec3 to_local(const Vec3& p) const { return pose.rotation.conjugate() * (p - pose.position); }
};

/// Sides of a block that other ground covers, for a shape: bit 2 k of the one out of which -k
/// points, 2 k + 1 of +k, in the block's frame. No contact's normal leans out of such a side.
using CoveredSides = unsigned;

/// Whether a contact may have a normal, in the block's frame.
bool may_point(CoveredSides covered, const Vec3& normal);

/// The blocks near a body, and which of its shapes stand on flush ones. Kept from step to step for
/// its memory alone.
struct NearBlocks {
  std::vector<BlockHere> blocks;
  std::vector<char> done;  // [shapes][blocks] has its contacts already
};

/// The sides that are covered where a shape is nearest to them.
/// @param center  of the shape, world
CoveredSides covered_sides(const Ground& ground, const NearBlocks& near, const BlockHere& block,
                           const Vec3& center);

/// Contacts of shapes that stand on flush blocks and nowhere beyond their common upper side: as on
/// a plane, and `done` is set. Others are left to be found block by block.
/// @pre done is of its size and zero
void collide_flush_blocks(ArticulatedBody::Work& w, const Ground& ground, double time,
                          NearBlocks& near);

/// The surfaces of a shape and of a block at a touch.
SurfacePair surfaces_on(const Ground& ground, const Shape& shape, const BlockHere& block,
                        const Touch& touch);

}  // namespace promenade::physics
