#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// The swing begins where the foot is now.
void lift_off(const Frame& f, StepState& step, SwingState& swing);
void begin_push_off(const Frame& f, StepState& step, SwingState& swing);
void push_off(const Frame& f, StepState& step, SwingState& swing);
void end_push_off(const Frame& f, StepState& step, SwingState& swing);
/// Whether the weight still moves to the foot behind an obstacle: the other one stays on the ground
/// until the capture point is near that foot.
bool straddles(const Frame& f);
void drive_push_off(const Frame& f, SwingState& swing, ControlReport& report);
/// How far the joint of the toes is ahead of the ankle, m; 0 where it is behind.
double ball_ahead(const Frame& f, int side);
/// Torque on the stance foot about its y axis that puts the centre of pressure where a rolling foot
/// has it, N m.
/// Law:    tau = N (p - a), p = a + c + rho (x - a), N the load on the foot, a, p, x the places of
///         ankle, centre of pressure and COM along the heading, c the place of the load with the
///         COM above the ankle (stood_ahead), rho the share (roll_over)
double roll_over_torque(const Frame& f, int side, double load);

}  // namespace promenade::control::gbwc
