#include "creature/material_message.h"

namespace promenade {

void check_material(schema::Checker* check, const std::string& key, const v1::Material& message) {
  check->range(key + "friction", message.friction(), 0, 2);
  check->range(key + "restitution", message.restitution(), 0, 1);
  if (message.stiffness_npm() != 0)
    check->range(key + "stiffness_npm", message.stiffness_npm(), 1e3, 1e6, " N/m");
}

physics::Material build_material(const v1::Material& message) {
  physics::Material out;
  if (message.friction() > 0) out.friction = message.friction();
  out.restitution = message.restitution();
  if (message.stiffness_npm() > 0) out.stiffness = message.stiffness_npm();
  return out;
}

}  // namespace promenade
