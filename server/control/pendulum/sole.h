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
  double ball_height = 0;  // m above the ground, of what a foot turns about whose heel is up
  /// What a pitched foot turns about: from the ankle of a foot that is flat, in its frame.
  Vec3 pivot(double pitch) const {
    return pitch > 0 ? Vec3(ball, 0, ball_height - height) : Vec3(-heel, 0, -height);
  }
};

/// Left, right.
std::array<Sole, 2> soles_of(const Creature& creature, const Biped& biped);

/// The ankle of a foot whose pivot is `lift` above the ground. World frame.
/// @param middle  [3] m, of the circle, on the ground
/// @param pitch   rad, positive with the toes down
Vec3 ankle_over(const Sole& sole, const Vec3& middle, double yaw, double pitch);
/// The reverse: the middle of the circle, at the height of the pivot.
Vec3 middle_under(const Sole& sole, const Vec3& ankle, double yaw, double pitch);
/// The same of a foot that may also be rolled. @param turn  world_from_foot
Vec3 middle_under(const Sole& sole, const Vec3& ankle, const Mat3& turn, double yaw, double pitch);

}  // namespace promenade::control::pendulum
