#include "control/hold/hold.h"

#include "creature/pose.h"

namespace promenade::control {

void Hold::update(physics::ArticulatedBody& body, const physics::GroundNow&, const Goal&, double) {
  body.set_fine(false);
  hold_rest(*creature_, p_->stiffness(), p_->damping(), body.drives());
  report_mass_centre(body);
}

}  // namespace promenade::control
