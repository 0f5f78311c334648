#pragma once

#include "promenade/v1/controller.pb.h"

namespace promenade::control::pendulum {

/// The parts of the model that are in use. Source: Kenwright2014 figure 6.3.
struct Parts {
  bool feet = true;            // circles instead of points: it can stand
  bool ankle_torque = true;    // within them
  bool elongated_body = true;  // trunk and virtual pivot point
  bool variable_leg = true;    // height of the ground ahead
  bool comfort = true;         // steps back into a comfortable stance
};

/// How the way over ground with holes is chosen, from the fields way_* of v1::PendulumParameters.
struct WayTuning {
  double near, along, across, most_along, most_across;  // m
  double pressure, beyond, timing;                      // costs, and a weight in m^2 / s^2
  double spare;                                         // m
  double goes_on, sets_out;                             // shares of steady steps
};

/// v1::PendulumParameters as plain numbers, which are read thousands of times a tick. Units as
/// there.
struct Tuning {
  explicit Tuning(const v1::PendulumParameters& p);

  double distance_scale, bias, step_limit, push_scale, speed_feedback, speed_feedback_limit;
  double acceleration, turn_rate, turn_lead, shortest_swing;
  double leg_stiffness, leg_damping, level_time, step_up, step_down, leg_shortest, leg_longest, arc;
  double fall_share, ankle_stiffness, ankle_damping, comfort_distance, comfort_angle, comfort_wait;
  double pivot_speed, pivot_slope, pivot_limit;
  Parts parts;
  WayTuning way;
};

}  // namespace promenade::control::pendulum
