#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Adds a torque on a link (world frame, N m; its parent gets the opposite) to its joint's
/// coordinates.
void add_torque(const Frame& f, int link, const Vec3& torque);
/// Gives a joint up: something else will hold it.
void let_go(physics::JointDrive& drive);
void set_gains(const Frame& f, physics::JointDrive& drive, int link, double strength);
/// A second servo beside that of a ball joint: of two springs the sum is one between their targets.
void add_servo(physics::JointDrive* drive, const Vec3& kp, const Vec3& kd, const Quat& target,
               const Vec3& target_velocity);
/// Servo of a ball joint towards an orientation of the link in the world that turns with `omega`.
void drive_to_world(const Frame& f, int link, const Quat& target, const Vec3& omega,
                    double strength);

}  // namespace promenade::control::gbwc
