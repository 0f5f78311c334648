#include "control/pendulum/parameters.h"

namespace promenade::control::pendulum {
namespace {

// A range begins at 0 where 0 switches a part off, and above it where the value is a divisor.
constexpr ParameterRange kRanges[] = {
    {"distance_scale", 0.1, 2},
    {"bias_s", 0, 1},
    {"step_limit", 0.05, 1.5},
    {"push_scale", 0, 10},
    {"speed_feedback", 0, 1},
    {"speed_feedback_mps", 0, 2},
    {"acceleration_mps2", 0.01, 100},
    {"turn_rate", 0.01, 100},
    {"turn_lead_rad", 0.01, 3},
    {"shortest_swing_s", 0.05, 2},
    {"leg_stiffness", 1, 1e4},
    {"leg_damping", 0, 200},
    {"level_time_s", 0.01, 2},
    {"step_up", 0, 1},
    {"step_down", 0, 1},
    {"leg_shortest", 0.1, 1},
    {"leg_longest", 1, 1.5},
    {"arc", 0, 1},
    {"fall_share", 0.05, 0.9},
    {"ankle_stiffness", 0, 20},
    {"ankle_damping", 0, 20},
    {"comfort_m", 0.01, 1},
    {"comfort_rad", 0.01, 3.2},
    {"comfort_wait_s", 0, 60},
    {"pivot_speed_s", 0, 1},
    {"pivot_slope", 0, 5},
    {"pivot_limit_m", 0, 1},
    {"feet", 0, 1},
    {"ankle_torque", 0, 1},
    {"elongated_body", 0, 1},
    {"variable_leg", 0, 1},
    {"comfort", 0, 1},
};

}  // namespace

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
            p.variable_leg() >= 0.5, p.comfort() >= 0.5} {}

std::span<const ParameterRange> pendulum_ranges() { return kRanges; }

}  // namespace promenade::control::pendulum
