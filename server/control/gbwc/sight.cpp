#include "control/gbwc/sight.h"

namespace promenade::control {

Sight sight_of(const GbwcParameters& parameters, double length_scale,
               const std::array<Vec3, 2>& foot_reach) {
  Sight out;
  ahead::ReliefLimits& relief = out.limits.relief;
  relief.least_riser = relief.least_drop = parameters.climb_least_m();
  relief.most_height = parameters.over_most_m();
  relief.most_depth = parameters.over_depth_m();
  relief.most_both = parameters.over_both_m();
  relief = relief.scaled(length_scale);
  relief.sole = foot_reach[0].x() + foot_reach[0].y();
  relief.foot_room = relief.sole + 2 * parameters.over_margin_m() * length_scale;
  out.wall = out.wall.scaled(length_scale);
  for (double* length :
       {&out.far, &out.lane, &out.head, &out.up_treads, &out.down_treads, &out.at_board})
    *length *= length_scale;
  return out;
}

}  // namespace promenade::control
