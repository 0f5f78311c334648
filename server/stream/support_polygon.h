#pragma once

#include <vector>

#include "math/types.h"

namespace promenade::stream {

/// Convex hull of points on the ground, counter-clockwise, without points inside its edges.
/// Source: Andrew's monotone chain. Fewer than three points come back as they are, without repeats.
std::vector<Vec2> convex_hull(std::vector<Vec2> points);

}  // namespace promenade::stream
