#pragma once

#include "math/types.h"

// Private to physics/: vectors and matrices of spatial algebra (Featherstone 2008, chapter 2).
// Numbers go in pairs, as SSE2 has them on every x86-64 machine. The order of additions is written
// down here and left neither to compiler nor processor, so that a journal replays to the same bits.
namespace promenade::physics {

using Pair = double __attribute__((vector_size(16)));

inline Pair both(double value) { return Pair{value, value}; }

/// A spatial vector about the body's origin of the step, in world axes: of motion (angular,
/// linear) or of force (moment, force).
struct Spatial {
  Pair pair[3] = {};

  Spatial() = default;
  Spatial(const Vec3& angular, const Vec3& linear)
      : pair{Pair{angular.x(), angular.y()}, Pair{angular.z(), linear.x()},
             Pair{linear.y(), linear.z()}} {}

  double operator[](int i) const { return pair[i >> 1][i & 1]; }
  Vec3 angular() const { return {pair[0][0], pair[0][1], pair[1][0]}; }
  Vec3 linear() const { return {pair[1][1], pair[2][0], pair[2][1]}; }

  Spatial& operator+=(const Spatial& o) {
    for (int i = 0; i < 3; ++i) pair[i] += o.pair[i];
    return *this;
  }
  /// Adds o * factor.
  void add(const Spatial& o, double factor) {
    for (int i = 0; i < 3; ++i) pair[i] += o.pair[i] * both(factor);
  }
};

inline Spatial operator+(Spatial a, const Spatial& b) { return a += b; }

inline Spatial operator*(Spatial a, double factor) {
  for (Pair& pair : a.pair) pair *= both(factor);
  return a;
}

inline double dot(const Spatial& a, const Spatial& b) {
  const Pair sum = a.pair[0] * b.pair[0] + a.pair[1] * b.pair[1] + a.pair[2] * b.pair[2];
  return sum[0] + sum[1];
}

/// From impulse to motion: an inverse inertia.
struct SpatialMatrix {
  Spatial column[6];

  /// Adds a * b^T.
  void add_product(const Spatial& a, const Spatial& b) {
    for (int c = 0; c < 6; ++c) column[c].add(a, b[c]);
  }
  SpatialMatrix transposed() const {
    SpatialMatrix out;
    for (int c = 0; c < 6; ++c) {
      for (int k = 0; k < 3; ++k) {
        out.column[c].pair[k] = Pair{column[2 * k][c], column[2 * k + 1][c]};
      }
    }
    return out;
  }
};

inline Spatial operator*(const SpatialMatrix& m, const Spatial& v) {
  Spatial even = m.column[0] * v[0], odd = m.column[1] * v[1];
  even.add(m.column[2], v[2]);
  odd.add(m.column[3], v[3]);
  even.add(m.column[4], v[4]);
  odd.add(m.column[5], v[5]);
  return even += odd;
}

}  // namespace promenade::physics
