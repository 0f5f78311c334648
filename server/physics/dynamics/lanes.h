#pragma once

#include "physics/articulated_body.h"

// Private to physics/: numbers of several bodies side by side, for bodies that take a step
// together. Only data; the computations with them stand in lane_algebra.inc.
namespace promenade::physics {

/// Bodies in a batch: as many as a vector register of AVX holds doubles.
inline constexpr int kLanes = kSideBySide;

/// The same number of each body of a batch.
using Lanes = double __attribute__((vector_size(8 * kLanes)));

struct Vec3Lanes {
  Lanes x{}, y{}, z{};
};

struct Mat3Lanes {
  Vec3Lanes col[3];
};

struct QuatLanes {
  Lanes w{}, x{}, y{}, z{};
};

/// Of motion (angular, linear) or of force (moment, force); see Spatial.
struct SpatialLanes {
  Vec3Lanes angular, linear;
};

/// A symmetric 3 x 3 matrix.
struct SymmetricLanes {
  Lanes xx{}, xy{}, xz{}, yy{}, yz{}, zz{};
};

/// From motion to force, symmetric: moment = turning * angular + coupling * linear, force =
/// coupling^T * angular + shifting * linear.
struct InertiaLanes {
  SymmetricLanes turning;
  Mat3Lanes coupling;
  SymmetricLanes shifting;
};

}  // namespace promenade::physics
