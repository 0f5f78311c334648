#include "control/hold/hold.h"

#include "control/mass_centre.h"
#include "creature/pose.h"

namespace promenade::control {

void Hold::reset(const physics::ArticulatedBody& body, const Goal&) {
  report_ = ControlReport{};
  report_mass_centre(body, &report_);
  report_.capture_point = report_.com.head<2>();
}

void Hold::update(physics::ArticulatedBody& body, const physics::GroundNow&, const Goal&, double) {
  body.set_fine(false);
  hold_rest(*creature_, p_->stiffness(), p_->damping(), body.drives());
  report_mass_centre(body, &report_);
  report_.capture_point = report_.com.head<2>();
}

void Hold::set_creature(std::shared_ptr<const Creature> creature, const physics::ArticulatedBody&) {
  creature_ = std::move(creature);
}

std::span<const ParameterRange> hold_ranges() {
  static constexpr ParameterRange kRanges[] = {{"stiffness", 0, 100}, {"damping", 0, 100}};
  return kRanges;
}

}  // namespace promenade::control
