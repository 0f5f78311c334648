#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "creature/biped/biped.h"

namespace promenade::control::pendulum {

/// A foot as poses need it. Lengths along the foot, from the ankle.
struct Sole {
  double middle = 0;  // m ahead of the ankle: of the circle that stands for the foot
  double height = 0;  // m, of the ankle above the ground
  double heel = 0;    // m behind the ankle
  double ball = 0;    // m ahead of it: where the toes begin
  // m ahead of the ankle and m above the ground: a foot with its heel up turns about this point.
  double tip = 0, tip_height = 0;
  /// The point that a pitched foot turns about: from the ankle of a flat foot, in its frame.
  Vec3 pivot(double pitch) const {
    if (pitch <= 0) return {-heel, 0, -height};
    constexpr double kToesDown = 0.2;  // rad; with more pitch the toes are up
    const double share = std::min(1.0, std::sin(kToesDown) / std::sin(pitch));
    return {tip, 0, share * tip_height - height};
  }
};

/// The soles of the left and the right foot.
std::array<Sole, 2> soles_of(const Creature& creature, const Biped& biped);

/// The ankle of a foot whose pivot is `lift` above the ground. World frame.
/// @param middle  [3] m, of the circle, on the ground
/// @param pitch   rad, positive with the toes down
Vec3 ankle_over(const Sole& sole, const Vec3& middle, double yaw, double pitch);
/// The reverse: the middle of the circle, at the height of the pivot.
Vec3 middle_under(const Sole& sole, const Vec3& ankle, double yaw, double pitch);
/// The middle under a foot that may also be rolled. @param turn  world_from_foot
Vec3 middle_under(const Sole& sole, const Vec3& ankle, const Mat3& turn, double yaw, double pitch);

}  // namespace promenade::control::pendulum
