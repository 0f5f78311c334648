#include "control/limp/limp.h"

#include "control/mass_centre.h"

namespace promenade::control {

void Limp::reset(const physics::ArticulatedBody& body, const Goal&) {
  report_ = ControlReport{};
  report_mass_centre(body, &report_);
  report_.capture_point = report_.com.head<2>();
}

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

void Limp::set_creature(std::shared_ptr<const Creature> creature, const physics::ArticulatedBody&) {
  creature_ = std::move(creature);
}

std::span<const ParameterRange> limp_ranges() {
  static constexpr ParameterRange kRanges[] = {{"damping", 0, 10}};
  return kRanges;
}

}  // namespace promenade::control
