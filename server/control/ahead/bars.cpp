#include "control/ahead/bars.h"

#include <cmath>

#include "control/ahead/stretch.h"

namespace promenade::control::ahead {

physics::Clearance headroom_at(const PathGround& ground, const Way& way, double along) {
  const GroundView& view = ground.view;
  physics::Clearance least;
  const Vec2 middle = way.at(along), aside = way.half_width * way.left();
  for (const Vec2& place : {Vec2(middle - aside), middle, Vec2(middle + aside)}) {
    physics::Clearance here =
        view.now->clearance(place.x(), place.y(), view.hanging_from, view.missing);
    if (here.ceiling == physics::kAnyHeight) continue;
    const Feature* board = ground.board_at(place);
    here.floor = board ? board->base : here.floor + view.felt;
    if (here.ceiling - here.floor < least.ceiling - least.floor) least = here;
  }
  return least;
}

void find_bars(const PathGround& ground, const Way& way, double from, double to,
               const BarLimits& limits, Features& out) {
  if (limits.headroom <= 0 || !ground.view.has_relief()) return;
  const auto room = [&](double along) {
    const physics::Clearance here = headroom_at(ground, way, along);
    return here.ceiling - here.floor;
  };
  const auto is_low = [&](double along) { return along < to && room(along) < limits.headroom; };
  double begin = from;
  // Less than a place is left behind a bar that goes on beyond `to`, if at all by rounding.
  while (begin < to - limits.spacing && !out.is_full(FeatureKind::kBar)) {
    const auto run = first_stretch(begin, to, to + 2 * limits.spacing, limits.spacing, is_low);
    if (!run) return;
    Feature bar{FeatureKind::kBar};
    bar.near = edge_between(run->near - limits.spacing, run->near, is_low);
    bar.far = edge_between(run->far + limits.spacing, run->far, is_low);
    physics::Clearance least;
    const auto places = std::lround((run->far - run->near) / limits.spacing);
    for (long i = 0; i <= places; ++i) {
      const physics::Clearance here =
          headroom_at(ground, way, run->near + double(i) * limits.spacing);
      if (here.ceiling - here.floor < least.ceiling - least.floor) least = here;
    }
    bar.top = least.ceiling;
    bar.base = least.floor;
    out.add(bar);
    begin = run->far + limits.spacing;
  }
}

}  // namespace promenade::control::ahead
