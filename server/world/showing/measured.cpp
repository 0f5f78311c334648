#include "world/showing/measured.h"

#include <algorithm>

#include "creature/biped/biped_state.h"
#include "math/rotation.h"
#include "world/entity/entity.h"

namespace promenade::world {
namespace {

void measure_mass(const physics::ArticulatedBody& body, control::ControlReport& out) {
  const physics::ArticulationModel& model = body.model();
  const auto links = body.links();
  out.com.setZero();
  out.com_velocity.setZero();
  for (std::size_t i = 0; i < links.size(); ++i) {
    out.com += model.links[i].mass * links[i].position;
    out.com_velocity += model.links[i].mass * links[i].velocity;
  }
  out.com /= model.total_mass;
  out.com_velocity /= model.total_mass;
  out.heading = heading_of(body.state().root.rotation);
}

void measure_capture_point(const physics::GroundNow& ground, control::ControlReport& out) {
  const physics::GroundPoint under = ground.at(out.com.x(), out.com.y(), out.com.z());
  const double height = under.there ? std::max(0.0, out.com.z() - under.height) : 0;
  const Vec3 carried = under.there ? under.velocity : Vec3(Vec3::Zero());
  const Vec2 v = rotated(Vec2((out.com_velocity - carried).head<2>()), -out.heading);
  const Vec2 reach(capture_distance(v.x(), height), capture_distance(v.y(), height));
  out.capture_point = out.com.head<2>() + rotated(reach, out.heading);
}

/// Measures a character whose steps are over.
void measure_rest(const Entity& e, control::ControlReport& out) {
  out.standing = false;  // only a body in balance stands
  out.phase = out.stoop = 0;
  out.mean_velocity = rotated(Vec2(out.com_velocity.head<2>()), -out.heading);
  out.foot_target = out.com;
  if (!e.biped) return;
  const BipedState state = observe(*e.biped, e.physics);
  out.foot_force = state.foot_force;
  out.foot_on_ground = state.on_ground;
  out.foot_target = state.ankle[out.left_stance ? kRight : kLeft];
}

}  // namespace

control::ControlReport measured(const Entity& e, const physics::GroundNow& ground) {
  control::ControlReport out = e.driver().report();
  if (!e.present()) {
    out.com_velocity.setZero();
    out.mean_velocity.setZero();
    out.capture_point = out.com.head<2>();
    out.foot_force.fill(Vec3::Zero());
    out.foot_on_ground.fill(false);
    out.standing = false;
    out.phase = 0;
    return out;
  }
  if (e.kinematic()) return out;
  measure_mass(e.physics, out);
  measure_capture_point(ground, out);
  if (e.fallen || !e.family->walks) measure_rest(e, out);
  return out;
}

}  // namespace promenade::world
