#pragma once

#include <array>

#include "creature/biped/biped.h"

namespace promenade::control::pendulum {

/// A foot as poses need it. Lengths along the foot, from the ankle.
struct Sole {
  double middle = 0;  // m ahead of the ankle: of the circle that stands for the foot
  double height = 0;  // m, of the ankle above the ground
  double heel = 0;    // m behind the ankle
  double ball = 0;    // m ahead of it: where the toes begin
  /// m ahead of the ankle, about which a pitched foot turns on the ground.
  double pivot(double pitch) const { return pitch > 0 ? ball : -heel; }
};

/// Left, right.
std::array<Sole, 2> soles_of(const Creature& creature, const Biped& biped);

/// The ankle of a foot whose pivot is `lift` above the ground. World frame.
/// @param middle  [3] m, of the circle, on the ground
/// @param pitch   rad, positive with the toes down
Vec3 ankle_over(const Sole& sole, const Vec3& middle, double yaw, double pitch);
/// The reverse: the middle of the circle, at the height of the pivot.
Vec3 middle_under(const Sole& sole, const Vec3& ankle, double yaw, double pitch);

}  // namespace promenade::control::pendulum
