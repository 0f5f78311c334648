#include "creature/pose.h"

#include "math/rotation.h"
#include "physics/articulated_body.h"

namespace promenade {

using physics::JointKind;

Quat joint_rotation(const physics::LinkModel& link, const Vec3& at) {
  switch (link.joint) {
    case JointKind::kHinge:
      return Quat(Eigen::AngleAxisd(at.x(), link.axis));
    case JointKind::kUniversal:
      return rotation_y(at.y()) * rotation_x(at.x());
    case JointKind::kBall:
      return quat_from_rotation_vector(at);
    case JointKind::kSlider:
    case JointKind::kFree:
    case JointKind::kPlanar:
    case JointKind::kFixed:
      break;
  }
  return Quat::Identity();
}

physics::ArticulationState rest_state(const Creature& creature, const Pose& root) {
  physics::ArticulationState state = physics::ArticulatedBody::zero_state(*creature.model, root);
  for (std::size_t i = 1; i < creature.rest.size(); ++i) {
    if (creature.rest[i].isZero(0)) continue;
    const physics::LinkModel& link = creature.model->links[i];
    state.joint[i] = joint_rotation(link, creature.rest[i]);
    if (!physics::type_of(link.joint).rotation) state.angle[i] = creature.rest[i].head<2>();
  }
  return state;
}

void hold_rest(const Creature& creature, double stiffness, double damping,
               std::span<physics::JointDrive> drives) {
  for (std::size_t i = 1; i < drives.size(); ++i) {
    const JointGains& gains = creature.gains[i];
    physics::JointDrive& drive = drives[i];
    if (physics::type_of(creature.model->links[i].joint).rotation) {
      drive.target = quat_from_rotation_vector(creature.rest[i]);
    } else {
      drive.target_angle = creature.rest[i].head<2>();
    }
    drive.target_velocity.setZero();
    drive.kp = stiffness * gains.kp * gains.scale;
    drive.kd = damping * gains.kd * gains.scale;
    drive.feedforward.setZero();
    drive.limit = gains.limit;
  }
}

}  // namespace promenade
