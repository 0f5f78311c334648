#pragma once

#include "control/gbwc/walk_state.h"
#include "control/steps/situation.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Whether the foot that swings over is the one that stood before the obstacle.
bool trailing(const Frame& f);
/// Whether steps over, up or down may lie ahead.
bool meets_steps(const Frame& f);
/// Looks for what lies on the way, from the feet on.
void watch_way(const Frame& f, const Vec2& asked, ahead::Features& features);
/// What the planners of steps go by.
steps::Situation situation_of(const Frame& f);
/// Where the swing foot is to land, by what lies ahead.
void plan_step(const Frame& f, StepPlan& plan);
/// The board that the swing foot goes over; null: none.
const Feature* stepped_over(const Frame& f);
/// Factor on the time of a step: high ones take longer.
double obstacle_step_time(const Frame& f);
/// The speed forward that is asked for where an obstacle says how long the step is, m/s.
double speed_over(const Frame& f, double asked);
/// How much further along the way than at `end`, where the pendulum has it, the swing ankle is to
/// land, m.
double placed_ahead(const Frame& f, const Vec2& end);

}  // namespace promenade::control::gbwc
