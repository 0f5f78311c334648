// Servos and stops at the start of a step, for implicit integration: their torques and their
// additions to the mass matrix. batch_kernels.inc decides within the step whether a servo is held
// to its limit.
#include "math/rotation.h"
#include "physics/dynamics/batch.h"

namespace promenade::physics {
namespace {

/// Whether a ball joint may be beyond a limit. A coordinate of the rotation vector is at most pi
/// times that of the quaternion, so most joints can be ruled out without an arc tangent.
bool near_limits(const LinkModel& link, const Quat& joint) {
  const Vec3 most = kPi * joint.vec().cwiseAbs();
  return (most.array() > link.upper.array() || -most.array() < link.lower.array()).any();
}

}  // namespace

void load_servos(Batch& batch, const ArticulatedBody::Work& w, double dt) {
  const int lane = w.lane;
  const ArticulationModel& model = *w.model;
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    const JointDrive& drive = w.drives[i];
    Vec3 position = Vec3::Zero(), error = Vec3::Zero();
    const double stop_kp = link.stop_stiffness, stop_kd = link.stop_damping;
    if (type_of(link.joint).rotation) {
      if (near_limits(link, w.state.joint[i])) position = rotation_vector(w.state.joint[i]);
      error = rotation_vector(w.state.joint[i].conjugate() * drive.target);
    } else {
      position.head<2>() = w.state.angle[i];
      error.head<2>() = drive.target_angle - w.state.angle[i];
    }
    for (int k = 0; k < dof_of(link.joint); ++k) {
      const double rate = w.state.velocity[std::size_t(link.dof + k)];
      ServoLanes& servo = batch.servo[std::size_t(link.dof + k)];
      // The target is where it will be at the end of the step.
      servo.torque[lane] = drive.feedforward[k] + drive.kp[k] * error[k] +
                           (drive.kp[k] * dt + drive.kd[k]) * (drive.target_velocity[k] - rate);
      servo.damping[lane] = dt * drive.kd[k];
      servo.spring[lane] = dt * dt * drive.kp[k];
      servo.limit[lane] = drive.limit[k];
      servo.asked_last[lane] = drive.asked[k];
      const double beyond = position[k] < link.lower[k]   ? link.lower[k] - position[k]
                            : position[k] > link.upper[k] ? link.upper[k] - position[k]
                                                          : 0;
      servo.stop[lane] = beyond == 0 ? 0 : dt * (stop_kd + dt * stop_kp);
      servo.stop_torque[lane] = beyond == 0 ? 0 : stop_kp * (beyond - dt * rate) - stop_kd * rate;
    }
  }
}

}  // namespace promenade::physics
