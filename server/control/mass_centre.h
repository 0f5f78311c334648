#pragma once

#include "control/controller.h"

namespace promenade::control {

/// Writes centre of mass, its velocity and the heading of the root into a report.
void report_mass_centre(const physics::ArticulatedBody& body, ControlReport* report);

}  // namespace promenade::control
