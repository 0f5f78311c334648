#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// 0 on course to 1 far off.
double trouble_of(const Frame& f);
/// Share, 0 to 1, of a walk to the side.
double sideways_share(const Frame& f);
/// 1 in a turn or a change of speed, else 0.
double unrest(const Frame& f);
/// Where the COM of a regular step is beside the stance foot now, m, and how fast it moves there,
/// m/s; heading frame, along its y axis.
Vec2 sway(const Frame& f);
/// A pendulum's capture point moves away from its support as exp(omega t). If it would be further
/// than the planned step reaches before the step ends, the step has to end sooner.
/// Law:    t_left = log(reach / xi) / omega on each axis, t_left the time left, xi the distance of
///         the capture point from the support, reach the greatest that the step can catch
/// Source: not in Coros2010, whose steps end late or at foot-strike; after Khadiv et al. 2016,
///         "Step timing adjustment: a step toward generating robust gaits".
double phase_rate_of(const Frame& f);
/// Goes on in the step under way.
void advance_phase(const Frame& f, double dt, StepState& step);
/// Whether the swing foot has landed, or the other one has to become the stance foot all the same.
bool step_ends(const Frame& f);

}  // namespace promenade::control::gbwc
