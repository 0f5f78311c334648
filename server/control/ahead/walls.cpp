#include "control/ahead/walls.h"

#include <algorithm>
#include <cassert>

namespace promenade::control::ahead {

std::optional<double> distance_to_wall(const PathGround& ground, const Way& way, double from,
                                       double to, double level, const WallLimits& limits) {
  assert(limits.spacing > 0);
  double nearest = to;
  for (const double aside : {-limits.half_width, 0.0, limits.half_width}) {
    const Way line = way.beside(aside);
    double before = level;
    if (aside != 0) before = std::max(before, ground.height(line.at(from)));
    for (int i = 0; from + i * limits.spacing < nearest; ++i) {
      const double distance = from + i * limits.spacing;
      const double here = ground.height(line.at(distance));
      if (here - before > limits.rise) nearest = std::max(0.0, distance);
      before = here;
    }
  }
  if (nearest < to) return nearest;
  return std::nullopt;
}

}  // namespace promenade::control::ahead
