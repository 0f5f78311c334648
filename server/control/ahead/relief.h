#pragma once

#include "control/ahead/features.h"
#include "control/ahead/ground_view.h"
#include "control/ahead/way.h"

namespace promenade::control::ahead {

/// What counts as a riser, a drop, a board or a wall, m. A family's parameters and the body say.
struct ReliefLimits {
  double spacing = 0;      // between places that are looked at; smaller finds thinner things
  double edge = 0;         // rise or fall from one place to the next; what is less is unevenness
  double slack = 0;        // of measured heights and depths of boards
  double most_riser = 0;   // what one steps up; a rise that is higher is a wall
  double most_drop = 0;    // what one steps down; a drop that is deeper is left out
  double stood_on = 0;     // what is no higher, and deeper than a sole, is no board
  double drop_behind = 0;  // by which the ground behind a board may be lower than before it
  double rise_behind = 0;  // likewise higher; a board with more is left out
  double least_riser = 0, least_drop = 0;  // what is lower is left out
  // A board is no higher, no deeper, and no more in sum. No height: there are no boards.
  double most_height = 0, most_depth = 0, most_both = 0;
  double sole = 0;       // length of a foot
  double foot_room = 0;  // between two boards for a foot; with less between they are one

  /// These limits for a body of another size.
  /// @param by  its lengths over those that the limits are for
  ReliefLimits scaled(double by) const;
};

/// Finds the risers, drops, boards and walls between two distances along a way, and adds them to a
/// list. The ground is looked at along both sides of the lane; the higher one counts.
/// Law: an edge lies where two neighbouring places differ by more than `edge`, at the middle
///      between both heights; after a rise, a board ends where the height falls to within `edge`
///      above the ground before it, within `most_depth`
void find_relief(const GroundView& ground, const Way& way, double from, double to,
                 const ReliefLimits& limits, Features& out);

}  // namespace promenade::control::ahead
