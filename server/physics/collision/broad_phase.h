#pragma once

#include <span>
#include <vector>

#include "physics/articulated_body.h"

// Private to physics/: which bodies may touch.
namespace promenade::physics {

/// Indices in the island, a before b.
struct BodyPair {
  int a = 0, b = 0;
};

/// Finds bodies whose bounds meet, by a sweep along x.
class BroadPhase {
 public:
  /// Pairs in ascending order, which does not depend on the sweep: contacts of a body are listed
  /// and solved in the order of the bodies that it touches. Pairs of two sleeping bodies are left
  /// out.
  std::span<const BodyPair> pairs(std::span<ArticulatedBody* const> bodies);

 private:
  struct Extent {
    double low = 0, high = 0;  // m, along x
    // Along y and z; here, so that the sweep runs through one stretch of memory.
    double y_low = 0, y_high = 0, z_low = 0, z_high = 0;
    int body = 0;
    bool asleep = false;
  };
  std::vector<Extent> extents_;
  std::vector<BodyPair> pairs_;
};

}  // namespace promenade::physics
