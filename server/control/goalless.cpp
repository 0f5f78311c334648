#include "control/goalless.h"

#include "math/rotation.h"

namespace promenade::control {

void Goalless::report_mass_centre(const physics::ArticulatedBody& body) {
  const physics::ArticulationModel& model = body.model();
  const auto links = body.links();
  Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
  for (std::size_t i = 0; i < links.size(); ++i) {
    place += model.links[i].mass * links[i].position;
    velocity += model.links[i].mass * links[i].velocity;
  }
  report_.com = place / model.total_mass;
  report_.com_velocity = velocity / model.total_mass;
  report_.capture_point = report_.com.head<2>();
  report_.heading = heading_of(body.state().root.rotation);
}

void Goalless::reset(const physics::ArticulatedBody& body, const Goal&) {
  report_ = ControlReport{};
  report_mass_centre(body);
}

}  // namespace promenade::control
