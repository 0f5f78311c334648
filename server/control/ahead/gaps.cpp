#include "control/ahead/gaps.h"

#include <algorithm>

#include "control/ahead/stretch.h"

namespace promenade::control::ahead {

void find_gaps(const GroundView& ground, const Way& way, double from, double to,
               const GapLimits& limits, Features& out) {
  if (limits.depth <= 0 || !ground.has_relief()) return;
  // A pit without a floor counts as lower than anything.
  GroundView open = ground;
  open.missing = -physics::kAnyHeight;
  const auto height = [&](double along) {
    return std::min(open.height(way.at(along, way.half_width)),
                    open.height(way.at(along, -way.half_width)));
  };
  double begin = from;
  while (begin < to && !out.is_full(FeatureKind::kGap)) {
    double before = height(begin), lowest = before;
    const auto is_gap = [&](double along) { return height(along) < before - limits.depth; };
    const auto run = first_stretch(begin, to, to + limits.span, limits.spacing, [&](double along) {
      const double here = height(along);
      const bool inside = here < before - limits.depth;
      const bool began = lowest < before - limits.depth;
      if (inside) {
        lowest = std::min(lowest, here);
      } else if (!began) {
        before = lowest = here;  // a slope before the gap is none
      }
      return inside;
    });
    if (!run) return;
    Feature gap{FeatureKind::kGap};
    gap.near = edge_between(run->near - limits.spacing, run->near, is_gap);
    gap.far = edge_between(run->far + limits.spacing, run->far, is_gap);
    gap.top = before;
    gap.base = std::max(lowest, before - kBottomless);
    if (gap.far - gap.near <= limits.span) out.add(gap);
    begin = run->far + limits.spacing;
  }
}

}  // namespace promenade::control::ahead
