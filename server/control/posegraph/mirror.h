#pragma once

#include <vector>

#include "creature/creature.h"
#include "schema/error.h"

namespace promenade::control::posegraph {

/// How a creature looks in a mirror that stands in its middle plane y = 0: which joint becomes
/// which, and what becomes of its coordinates. Joints are told by their child links.
struct Mirror {
  std::vector<int>
      other;  // [links] the link that takes its place; its own number of one in the middle
  std::vector<Vec3> sign;  // [links] factors on the coordinates of the joint, as in Creature::rest

  /// The pose of a link's joint as the mirrored link has it.
  /// Never -0, which a file would write as 0.
  Vec3 of(int link, const Vec3& at) const {
    return sign[std::size_t(link)].cwiseProduct(at) + Vec3::Zero();
  }
};

/// Limbs are paired by their names: "left_fore_leg" with "right_fore_leg". Links in no limb of a
/// pair are in the middle.
/// @return an error with the key "limbs" where no two limbs are a pair, or a pair differs
schema::Result<Mirror> mirror_of(const Creature& creature);

}  // namespace promenade::control::posegraph
