#include "control/mass_centre.h"

#include "math/rotation.h"

namespace promenade::control {

void report_mass_centre(const physics::ArticulatedBody& body, ControlReport* report) {
  const physics::ArticulationModel& model = body.model();
  const auto links = body.links();
  Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
  for (std::size_t i = 0; i < links.size(); ++i) {
    place += model.links[i].mass * links[i].position;
    velocity += model.links[i].mass * links[i].velocity;
  }
  report->com = place / model.total_mass;
  report->com_velocity = velocity / model.total_mass;
  report->heading = heading_of(body.state().root.rotation);
}

}  // namespace promenade::control
