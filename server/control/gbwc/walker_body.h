#pragma once

#include <array>
#include <memory>
#include <vector>

#include "control/gbwc/posture/stoop_table.h"
#include "control/gbwc/sight.h"
#include "creature/biped/biped.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

/// What a walker's body is like: measured once, the same as long as it has this body.
struct WalkerBody {
  /// @param lean  rad, of the chest of who stands upright in the style for work
  /// @pre biped_of(*of) is ok
  WalkerBody(std::shared_ptr<const Creature> of, const std::shared_ptr<const GbwcParameters>& p,
             double lean);

  std::shared_ptr<const Creature> creature;
  Biped biped;                                              // which of its links are which parts
  double mass_scale = 1, length_scale = 1, time_scale = 1;  // of this body over the human
  std::array<Vec3, 2> foot_reach;  // m, from the ankle: forward, backward, half width
  std::vector<int> leg_of;         // of each link: kLeft or kRight of a leg's, else kNoLeg
  static constexpr int kNoLeg = -1;
  double stature = 0;      // m, of the head above the soles
  double clear_width = 0;  // m: the ankles of legs that just pass each other
  double narrowest = 0;    // m: the ankles of legs that touch
  Sight sight;             // of what lies ahead
  std::shared_ptr<const StoopTable> stoops;
  double deepest_knee = 0;  // rad, of the knees in the greatest bend
  double duck_drop = 0;     // m, by which that lowers the head
};

}  // namespace promenade::control::gbwc
