#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "creature/creature_library.h"
#include "math/rotation.h"
#include "physics/articulated_body.h"
#include "support/paths.h"

namespace promenade::reference {

/// A shipped body. Throws if the library does not load.
inline std::shared_ptr<const Creature> shipped_body(const char* name) {
  const auto library = CreatureLibrary::load(test::data_dir() / "creatures");
  if (!library) throw std::runtime_error(library.error().text());
  const auto* entry = library->find(name);
  if (!entry) throw std::runtime_error(std::string("no body ") + name);
  return entry->body;
}

/// The model without joint stops, which OdeBody has none of.
inline std::shared_ptr<const physics::ArticulationModel> without_stops(const Creature& body) {
  auto model = std::make_shared<physics::ArticulationModel>(*body.model);
  for (physics::LinkModel& link : model->links) {
    link.lower = Vec3::Constant(-100);
    link.upper = Vec3::Constant(100);
  }
  return model;
}

/// The servos of the body's file, towards the zero pose.
inline void set_gains(const Creature& body, double factor, std::span<physics::JointDrive> drives) {
  for (std::size_t i = 1; i < drives.size(); ++i) {
    drives[i].kp = factor * body.gains[i].kp * body.gains[i].scale;
    drives[i].kd = factor * body.gains[i].kd * body.gains[i].scale;
    drives[i].limit = body.gains[i].limit;
  }
}

/// Standing upright, its soles `clearance` above the ground.
inline physics::ArticulationState standing(const Creature& body, double clearance) {
  Pose root;
  root.position = Vec3(0, 0, body.standing_height + clearance);
  return physics::ArticulatedBody::zero_state(*body.model, root);
}

/// In the air with bent limbs, all of them moving.
inline physics::ArticulationState tumbling(const Creature& body) {
  physics::ArticulationState state = standing(body, 2);
  state.root.rotation = quat_from_rotation_vector(Vec3(0.2, -0.4, 0.3));
  const auto& links = body.model->links;
  for (std::size_t i = 1; i < links.size(); ++i) {
    const double k = static_cast<double>(i);
    state.joint[i] = quat_from_rotation_vector(0.4 * Vec3(std::sin(k), std::cos(k), 0.5));
    state.angle[i] = Vec2(0.5 * std::sin(2 * k),
                          links[i].joint == physics::JointKind::kUniversal ? 0.3 * std::cos(k) : 0);
  }
  for (std::size_t k = 0; k < state.velocity.size(); ++k) {
    state.velocity[k] = 1.5 * std::sin(2.3 * static_cast<double>(k) + 1);
  }
  return state;
}

}  // namespace promenade::reference
