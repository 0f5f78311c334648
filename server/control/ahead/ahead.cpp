#include "control/ahead/ahead.h"

namespace promenade::control::ahead {

void find_features(const GroundView& ground, const Way& way, double from, double to,
                   const Limits& limits, Features& out) {
  out.begin(way.direction);
  find_relief(ground, way, from, to, limits.relief, out);
  find_gaps(ground, way, from, to, limits.gaps, out);
  find_bars({ground, out}, way, from, to, limits.bars, out);
}

}  // namespace promenade::control::ahead
