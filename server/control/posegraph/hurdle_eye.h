#pragma once

#include <optional>
#include <span>

#include "control/posegraph/gait.h"
#include "physics/ground/ground.h"

// What a toy sees of the ground ahead, so that it leaps what it cannot step over. Source:
// Panne1996, "Aperiodic motions": "in conjunction with an 'obstacle detector'".
namespace promenade::control::posegraph {

/// The nearest thing on the ground ahead. Distances from where one looks, m.
struct Hurdle {
  double near = 0, far = 0;
  double height = 0;  // above the ground that one stands on
};

/// Looks along a heading over what is at least `low` higher than the ground at `place`.
/// @param place    m, world frame
/// @param heading  rad
/// @param low      m, above 0: what is lower is no hurdle
/// @param horizon  m, how far it sees; a hurdle that begins before is seen to its end, up to twice
/// as far
/// @return none: nothing is there, or it does not end
std::optional<Hurdle> look_ahead(const physics::GroundNow& ground, const Vec2& place,
                                 double heading, double low, double horizon);

/// The size of a gait's leap that passes over a hurdle if it begins now: of several the one whose
/// stretch has the hurdle nearest to its middle.
/// @return none: no leap does
std::optional<double> size_over(const Gait& gait, const Hurdle& hurdle);

}  // namespace promenade::control::posegraph
