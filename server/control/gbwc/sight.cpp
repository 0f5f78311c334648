#include "control/gbwc/sight.h"

namespace promenade::control {

Sight sight_of(const GbwcParameters& parameters, double length_scale,
               const std::array<Vec3, 2>& foot_reach) {
  const v1::GbwcSight& p = parameters.sight();
  const v1::GbwcOver& over = parameters.over();
  Sight out;
  ahead::ReliefLimits& relief = out.limits.relief;
  relief.spacing = p.spacing_m();
  relief.edge = p.edge_m();
  relief.slack = p.slack_m();
  relief.most_riser = p.most_riser_m();
  relief.most_drop = p.most_drop_m();
  relief.stood_on = p.stood_on_m();
  relief.drop_behind = p.drop_behind_m();
  relief.rise_behind = p.rise_behind_m();
  relief.least_riser = relief.least_drop = parameters.stairs().least_m();
  relief.most_height = over.most_m();
  relief.most_depth = over.depth_m();
  relief.most_both = over.both_m();
  relief = relief.scaled(length_scale);
  relief.sole = foot_reach[0].x() + foot_reach[0].y();
  relief.foot_room = relief.sole + 2 * over.margin_m() * length_scale;
  out.wall =
      ahead::WallLimits{p.most_riser_m(), p.wall_spacing_m(), p.shoulders_m()}.scaled(length_scale);
  out.far = p.far_m() * length_scale;
  out.lane = p.lane_m() * length_scale;
  out.head = p.head_m() * length_scale;
  out.up_treads = p.up_treads_m() * length_scale;
  out.down_treads = p.down_treads_m() * length_scale;
  out.at_board = p.at_board_m() * length_scale;
  return out;
}

}  // namespace promenade::control
