#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Servo of an ankle towards a pitch of the foot against the ground (rad), level sideways. It is
/// soft and well damped, so quick movements need the rate of the pitch as well.
/// @param rate  rad/s, of the target
void drive_foot(const Frame& f, int side, double pitch, double rate, double strength);
/// Servos of hip and knee that take the ankle along `now` to `next`, `ahead` seconds later, with
/// the knee's axis likewise (world).
void reach_for(const Frame& f, int side, const Vec3& now, const Vec3& next, double ahead,
               const Vec3& axis, const Vec3& next_axis, double strength);
void drive_swing_leg(const Frame& f, SwingState& swing, ControlReport& report);
void drive_stance_leg(const Frame& f, int side, SwingState& swing);

}  // namespace promenade::control::gbwc
