#pragma once

#include <algorithm>
#include <cmath>

#include "math/types.h"

namespace promenade {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kTwoPi = 2 * kPi;
inline constexpr double kRadFromDeg = kPi / 180;

/// Wraps an angle into (-pi, pi].
inline double wrap_angle(double angle) {
  if (angle > -kPi && angle <= kPi) return angle;  // the usual case; a remainder is slow
  double wrapped = std::remainder(angle, kTwoPi);
  return wrapped <= -kPi ? wrapped + kTwoPi : wrapped;
}

/// Rotation vector (axis times angle, angle in [0, pi]) of a unit quaternion.
inline Vec3 rotation_vector(const Quat& q) {
  const double sign = q.w() < 0 ? -1 : 1;
  const Vec3 v = sign * q.vec();
  const double x = v.squaredNorm();
  if (x < 0.01) {
    // asin(s) / s by its series: servos are seldom further off, and arc tangents are slow.
    const double series =
        1 + x * (1. / 6 + x * (3. / 40 + x * (5. / 112 + x * (35. / 1152 + x * (63. / 2816)))));
    return 2 * series * v;
  }
  const double s = std::sqrt(x);
  return v * (2 * std::atan2(s, sign * q.w()) / s);
}

/// Unit quaternion of a rotation vector.
inline Quat quat_from_rotation_vector(const Vec3& v) {
  const double angle = v.norm();
  if (angle < 1e-9) return Quat(1, 0.5 * v.x(), 0.5 * v.y(), 0.5 * v.z()).normalized();
  const Vec3 s = v * (std::sin(0.5 * angle) / angle);
  return Quat(std::cos(0.5 * angle), s.x(), s.y(), s.z());
}

inline Quat rotation_x(double a) { return Quat(std::cos(a / 2), std::sin(a / 2), 0, 0); }
inline Quat rotation_y(double a) { return Quat(std::cos(a / 2), 0, std::sin(a / 2), 0); }
inline Quat rotation_z(double a) { return Quat(std::cos(a / 2), 0, 0, std::sin(a / 2)); }

/// The rotation about world z that is nearest to a rotation, its twist.
inline Quat twist_of(const Quat& q) {
  const double n = std::sqrt(q.w() * q.w() + q.z() * q.z());
  return n > 0 ? Quat(q.w() / n, 0, 0, q.z() / n) : Quat::Identity();
}

/// The angle of that twist, rad, in (-pi, pi].
inline double heading_of(const Quat& q) { return wrap_angle(2 * std::atan2(q.z(), q.w())); }

/// [x, y] turned by `angle` rad about z.
inline Vec2 rotated(const Vec2& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

}  // namespace promenade
