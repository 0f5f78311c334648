#pragma once

#include "math/types.h"

// Private to physics/: vectors and matrices of spatial algebra (Featherstone 2008, chapter 2).
// Numbers go in pairs, as SSE2 has them on every x86-64 machine: what is added to what is written
// down here and left to no compiler or processor, so that a journal replays to the same bits.
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

/// Rate of change of a motion vector carried along with motion v.
inline Spatial cross_motion(const Spatial& v, const Spatial& m) {
  const Vec3 turn = v.angular();
  return {turn.cross(m.angular()), turn.cross(m.linear()) + v.linear().cross(m.angular())};
}

inline Spatial cross_force(const Spatial& v, const Spatial& f) {
  const Vec3 turn = v.angular();
  return {turn.cross(f.angular()) + v.linear().cross(f.linear()), turn.cross(f.linear())};
}

/// From motion to force (an inertia) or from impulse to motion (its inverse).
struct SpatialMatrix {
  Spatial column[6];

  SpatialMatrix& operator+=(const SpatialMatrix& o) {
    for (int c = 0; c < 6; ++c) column[c] += o.column[c];
    return *this;
  }
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

/// Mass, first moment and second moment of a link about the origin.
struct LinkInertia {
  double mass = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  /// @param principal moments about the COM, in the link's axes
  LinkInertia(double link_mass, const Vec3& principal, const Vec3& com, const Mat3& rotation)
      : mass(link_mass), first(link_mass * com) {
    const Mat3 scaled = rotation * principal.asDiagonal();
    for (int r = 0; r < 3; ++r) {
      for (int c = r; c < 3; ++c) {
        const double about_com = scaled(r, 0) * rotation(c, 0) + scaled(r, 1) * rotation(c, 1) +
                                 scaled(r, 2) * rotation(c, 2);
        second(r, c) = second(c, r) = about_com - first[r] * com[c];
      }
      second(r, r) += first.x() * com.x() + first.y() * com.y() + first.z() * com.z();
    }
  }

  Spatial operator*(const Spatial& v) const {
    const Vec3 turn = v.angular(), linear = v.linear();
    return {second * turn + first.cross(linear), mass * linear - first.cross(turn)};
  }
  void write(SpatialMatrix& m) const {
    const double x = first.x(), y = first.y(), z = first.z();
    m.column[0] = {second.col(0), Vec3(0, -z, y)};
    m.column[1] = {second.col(1), Vec3(z, 0, -x)};
    m.column[2] = {second.col(2), Vec3(-y, x, 0)};
    m.column[3] = {Vec3(0, z, -y), Vec3(mass, 0, 0)};
    m.column[4] = {Vec3(-z, 0, x), Vec3(0, mass, 0)};
    m.column[5] = {Vec3(y, -x, 0), Vec3(0, 0, mass)};
  }
};

}  // namespace promenade::physics
