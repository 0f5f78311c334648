#include "control/pendulum/parameters.h"

namespace promenade::control::pendulum {
Tuning::Tuning(const v1::PendulumParameters& p)
    : distance_scale(p.distance_scale()),
      bias(p.bias_s()),
      step_limit(p.step_limit()),
      push_scale(p.push_scale()),
      speed_feedback(p.speed_feedback()),
      speed_feedback_limit(p.speed_feedback_mps()),
      acceleration(p.acceleration_mps2()),
      turn_rate(p.turn_rate()),
      turn_lead(p.turn_lead_rad()),
      shortest_swing(p.shortest_swing_s()),
      leg_stiffness(p.leg_stiffness()),
      leg_damping(p.leg_damping()),
      level_time(p.level_time_s()),
      step_up(p.step_up()),
      step_down(p.step_down()),
      leg_shortest(p.leg_shortest()),
      leg_longest(p.leg_longest()),
      arc(p.arc()),
      fall_share(p.fall_share()),
      ankle_stiffness(p.ankle_stiffness()),
      ankle_damping(p.ankle_damping()),
      comfort_distance(p.comfort_m()),
      comfort_angle(p.comfort_rad()),
      comfort_wait(p.comfort_wait_s()),
      pivot_speed(p.pivot_speed_s()),
      pivot_slope(p.pivot_slope()),
      pivot_limit(p.pivot_limit_m()),
      parts{p.feet() >= 0.5, p.ankle_torque() >= 0.5, p.elongated_body() >= 0.5,
            p.variable_leg() >= 0.5, p.comfort() >= 0.5},
      way{p.way_near_m(),        p.way_along_m(),  p.way_across_m(), p.way_most_along_m(),
          p.way_most_across_m(), p.way_pressure(), p.way_beyond(),   p.way_timing(),
          p.way_spare_m(),       p.way_goes_on(),  p.way_sets_out()} {}

}  // namespace promenade::control::pendulum
