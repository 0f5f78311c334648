#include "character/biped_state.h"

#include <cmath>

#include "math/rotation.h"

namespace promenade {

Vec3 joint_position(const physics::ArticulatedBody& body, int link) {
  const physics::LinkMotion& m = body.links()[link];
  return m.position + m.rotation * body.model().links[link].at_child;
}

BipedState observe(const Body& body, const physics::ArticulatedBody& state) {
  BipedState out;
  const auto links = state.links();
  const auto& model = state.model();
  for (std::size_t i = 0; i < links.size(); ++i) {
    out.com += model.links[i].mass * links[i].position;
    out.com_velocity += model.links[i].mass * links[i].velocity;
  }
  out.com /= body.total_mass;
  out.com_velocity /= body.total_mass;
  out.pelvis = state.state().root.rotation;
  out.heading = heading_of(out.pelvis);
  for (int side : {kLeft, kRight}) {
    out.hip[side] = joint_position(state, body.link[kLeftThigh + side]);
    out.knee[side] = joint_position(state, body.link[kLeftShank + side]);
    const int foot = body.link[kLeftFoot + side];
    out.ankle[side] = joint_position(state, foot);
    out.ankle_velocity[side] =
        links[foot].velocity + links[foot].omega.cross(out.ankle[side] - links[foot].position);
    Vec3 moment = Vec3::Zero();
    double load = 0;
    for (const physics::ContactPoint& c : state.contacts()) {
      if (c.link != foot && c.link != body.link[kLeftToes + side]) continue;
      out.foot_force[side] += c.force;
      const double weight = std::max(0.0, c.force.z());
      load += weight;
      moment += weight * c.position;
    }
    out.on_ground[side] = load > 1e-3 * body.total_mass * 9.8;
    out.foot_pressure_centre[side] = load > 1e-6 ? Vec3(moment / load) : out.ankle[side];
  }
  return out;
}

void branches(const physics::ArticulatedBody& body, std::array<Branch, physics::kMaxLinks>& out) {
  const auto links = body.links();
  const auto& model = body.model();
  const int count = static_cast<int>(links.size());
  for (int i = 0; i < count; ++i) {
    out[i].mass = model.links[i].mass;
    out[i].com = model.links[i].mass * links[i].position;
  }
  for (int i = count - 1; i > 0; --i) {
    out[model.links[i].parent].mass += out[i].mass;
    out[model.links[i].parent].com += out[i].com;
    out[i].com /= out[i].mass;
  }
  out[0].com /= out[0].mass;
}

double capture_distance(double velocity, double height, double gravity) {
  return velocity *
         std::sqrt(std::max(0.0, height) / gravity + velocity * velocity / (4 * gravity * gravity));
}

}  // namespace promenade
