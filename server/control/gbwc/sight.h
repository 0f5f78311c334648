#pragma once

#include <array>

#include "control/ahead/ahead.h"
#include "control/ahead/walls.h"
#include "control/gbwc/parameters.h"
#include "math/types.h"

namespace promenade::control {

/// What a walker looks for on its way, for its own body, m.
struct Sight {
  ahead::Limits limits;
  ahead::WallLimits wall;
  double far = 0;          // beyond the COM, besides the way of some seconds
  double lane = 0;         // to either side, of the way of the feet
  double head = 0;         // to either side, of the way of the head
  double up_treads = 0;    // depth of the treads of a flight up, at most
  double down_treads = 0;  // of a flight down, likewise
  double at_board = 0;     // before and behind a board, that count as a part of it
};

/// @param length_scale  of the body's legs over the human's
/// @param foot_reach    m, of each foot from its ankle: forward, backward, half width
Sight sight_of(const GbwcParameters& parameters, double length_scale,
               const std::array<Vec3, 2>& foot_reach);

}  // namespace promenade::control
