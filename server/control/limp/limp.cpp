#include "control/limp/limp.h"

namespace promenade::control {

void Limp::update(physics::ArticulatedBody& body, const physics::GroundNow&, const Goal&, double) {
  body.set_fine(false);
  const auto drives = body.drives();
  for (std::size_t i = 1; i < drives.size(); ++i) {
    physics::JointDrive& drive = drives[i];
    drive.kp.setZero();
    drive.kd.setConstant(p_->damping() * creature_->gains[i].kd);
    drive.target_velocity.setZero();
    drive.feedforward.setZero();
  }
}

}  // namespace promenade::control
