#pragma once

#include <array>
#include <memory>

#include "control/gbwc/parameters.h"
#include "creature/biped/biped.h"

// Private to gbwc/.
namespace promenade::control {

/// How far a stoop bends the parts of a body, rad: the knees, and forward the trunk and the head
/// against the vertical.
struct StoopPose {
  double knee = 0, pelvis = 0, lower_back = 0, chest = 0, head = 0;
};

/// The bend of a knee (rad) that shortens its leg by what the bend `knee` takes from one whose
/// thigh is as long as its shank: so the hips stay level on legs whose knees are not equally high.
double even_knee(const Creature& body, const Biped& biped, int side, double knee);

/// How far the shank leans forward, rad, of who stands in a pose on both feet.
/// @param rest  m, of the COM ahead of the ankles
double shank_lean(const Creature& body, const Biped& biped, const GbwcParameters& p,
                  const StoopPose& pose, double rest);

/// How a body stoops, and where that takes the shoulders of one that stands in balance, seen from
/// its left. The lengths and masses of its links decide, and how far its joints bend: legs whose
/// hips would come to the end of their range leave the ground, so the pelvis stays that much more
/// upright.
class StoopTable {
 public:
  /// @param lean  rad, of the chest of who stands upright
  /// @param rest  m, of the COM ahead of the ankles
  StoopTable(const Creature& body, const Biped& biped, const GbwcParameters& p, double lean,
             double rest);
  StoopPose pose(double stoop) const;
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
  // Of stoops from 0 to 1.
  std::array<StoopPose, kCount + 1> pose_{};
  std::array<Vec2, kCount + 1> shoulder_{};
  double rest_ = 0;
};

/// The table of these, which takes some milliseconds; characters of one body share it as long as
/// the last of them is there. Any thread.
std::shared_ptr<const StoopTable> stoop_table_of(const std::shared_ptr<const Creature>& body,
                                                 const Biped& biped,
                                                 const std::shared_ptr<const GbwcParameters>& p,
                                                 double lean, double rest);

}  // namespace promenade::control
