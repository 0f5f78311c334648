#pragma once

#include <cstddef>

#include "math/types.h"

namespace promenade::behaviour::flow {

inline constexpr std::size_t kMostInParty = 5;

/// Where the member of a group walks, from the middle of all: x ahead, y to the left, m. Two and
/// three side by side, three and four bent forward at the ends (a V, a U) so that all see each
/// other, five as three and two behind them. The offsets of a group add up to zero.
/// Source: Moussaid et al. 2010, figure 4: neighbours 0.8 m apart, the middle falls behind.
Vec2 formation_offset(std::size_t members, std::size_t member);

/// How fast a group walks, as a share of the speed of one of its size alone.
/// Law:    v(n) / v(1), v(n) = 1.26 - 0.04 n m/s, n people
/// Source: Moussaid et al. 2010, figure 2, low density
double group_pace(std::size_t members);

}  // namespace promenade::behaviour::flow
