#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// How much of the pressure under the stance foot is what a given foothold asks for, 0 to 1.
double given_share(const Frame& f);
/// Where the capture point is to be when the step ends, m ahead of the stance ankle.
/// Law:    before what is in the way, as in steps that are all alike: x_end = s g / (g - 1), s the
///         length of the step, g the growth of a deviation in one
double given_capture(const Frame& f);
/// Where the pressure under the stance foot takes the capture point there in what is left of the
/// step, m from the ankle, heading frame, within the sole. Sideways, where the foothold is free,
/// the capture point is to be where regular steps have it.
/// Law:    x(t) = p + (x - p) exp(omega t), so p = (x_end - x exp(omega t)) / (1 - exp(omega t)) on
///         each axis, x the place of the capture point now, p that of the pressure, t the time
///         left. Sideways x_end = W g / (1 + g), W the width of the step
Vec2 given_pressure(const Frame& f);
/// The rate of the phase of a step over an obstacle, 1/s: slower where the body would not get there
/// in the usual time with the pressure at the heel.
/// Law:    t = log((x_end - p) / (x - p)) / omega
/// @param capture  m, x
/// @param to_go    of the phase
double rate_over(const Frame& f, double capture, double to_go, double regular);

}  // namespace promenade::control::gbwc
