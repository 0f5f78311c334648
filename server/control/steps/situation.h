#pragma once

#include <array>

#include "control/ahead/features.h"
#include "control/steps/step_plan.h"
#include "promenade/v1/controller.pb.h"

namespace promenade::control::steps {

/// What planners of steps go by. Distances along the way of the features, m; feet are told by their
/// side.
struct Situation {
  const ahead::Features& features;
  const v1::GbwcParameters& p;
  double length_scale = 1, time_scale = 1;  // of the body over the human
  std::array<Vec3, 2> foot_reach;           // m, from the ankle: forward, backward, half width
  std::array<double, 2> leg_length{};       // m
  double up_treads = 0, down_treads = 0;    // m, depth of the treads of a flight at most
  int stance = 0;                           // the foot that stands
  double from = 0;                          // its ankle
  double held = 0;                          // the same, where the ground last held it
  double lifted = 0;                        // the swing ankle, when it left the ground
  double phase = 0;                         // of the step under way
  double step_time = 0;                     // s
  double load = 0;                          // what the hands hold up, over the own mass
  bool climbs = false;    // the stance foot stands higher than the other did, on a flight
  bool descends = false;  // likewise lower

  int swing() const { return 1 - stance; }
  /// Whether a foot whose ankle is held at `held` is behind the near edge of a board.
  bool trails(int board) const {
    const auto boards = features.of(ahead::FeatureKind::kBoard);
    return board >= 0 && board < boards.size() && held > boards[board].near;
  }
};

/// Plans one kind of step, where there is reason for it.
/// @param before  the plan so far: a foot that is on its way goes on
/// @param plan    is written where it answers true
using Planner = bool (*)(const Situation& now, const StepPlan& before, StepPlan& plan);

}  // namespace promenade::control::steps
