#pragma once

#include <array>

#include "control/gbwc/parameters.h"
#include "creature/biped/biped.h"

// Private to gbwc/.
namespace promenade::control {

/// Shares of the chest's stoop.
inline constexpr double kStoopLowerBack = 0.78, kStoopHead = 0.72;

/// rad, by which the knees are bent in a stoop.
inline double stoop_knee(const GbwcParameters& p, double stoop) {
  return p.stoop_knee_rad() * stoop * stoop;
}

/// The bend of a knee (rad) that shortens its leg by what the bend `knee` takes from one whose
/// thigh is as long as its shank: so the hips stay level on legs whose knees are not equally high.
double even_knee(const Creature& body, const Biped& biped, int side, double knee);

/// Where a stoop takes the shoulders of a body that stands in balance, seen from its left. The
/// lengths and masses of its links decide.
class StoopTable {
 public:
  StoopTable() = default;
  /// @param lean  rad, of the chest of who stands upright
  /// @param rest  m, of the COM ahead of the ankles
  StoopTable(const Creature& body, const Biped& biped, const GbwcParameters& p, double lean,
             double rest);
  /// m: ahead of the ankles, above the soles.
  Vec2 shoulder(double stoop) const;
  /// The least stoop in which a place is within reach of the shoulder; else the one that brings
  /// the shoulder nearest to it.
  /// @param place  m, likewise
  /// @param back   m, by which a load keeps the body back
  double stoop_for(const Vec2& place, double reach, double back) const;
  double rest() const { return rest_; }

 private:
  static constexpr int kCount = 32;
  std::array<Vec2, kCount + 1> shoulder_{};  // of stoops from 0 to 1
  double rest_ = 0;
};

}  // namespace promenade::control
