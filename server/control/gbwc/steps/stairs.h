#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Whether the feet are on two treads of a flight.
bool on_stairs(const Frame& f);
/// Where the capture point is to be when a step onto a tread ends, m beyond that foothold.
double beyond_tread(const Frame& f);
/// The rate of the phase of a step onto a tread, 1/s. The foothold is given, so the time is free:
/// the step ends when the capture point is where the next one needs it.
/// Law:    t_left = log(x_end / xi) / omega, xi the distance of the capture point from the stance
///         ankle, x_end what it is to be
/// @param capture  m, xi
/// @param to_go    of the phase
double stairs_rate(const Frame& f, double capture, double to_go, double regular);
/// Whether the weight has moved far enough to the leading foot for the trailing one to lift. To the
/// side it must not move too far: both feet bearing do not stop it.
bool stairs_ready(const Frame& f);

}  // namespace promenade::control::gbwc
