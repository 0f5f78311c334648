#include "creature/biped/biped_state.h"

#include <cmath>

#include "math/rotation.h"

namespace promenade {

Vec3 joint_position(const physics::ArticulatedBody& body, int link) {
  const physics::LinkMotion& m = body.links()[link];
  return m.position + m.rotation * body.model().links[link].at_child;
}

FootLoad& FootLoad::operator+=(const FootLoad& other) {
  force += other.force;
  moment += other.moment;
  weight += other.weight;
  return *this;
}

FootLoad& FootLoad::operator/=(double count) {
  force /= count;
  moment /= count;
  weight /= count;
  return *this;
}

std::array<FootLoad, 2> foot_loads(const Biped& biped, const physics::ArticulatedBody& state) {
  std::array<FootLoad, 2> out;
  for (const physics::ContactPoint& c : state.contacts()) {
    for (int side : {kLeft, kRight}) {
      if (c.link != biped.link[kLeftFoot + side] && c.link != biped.link[kLeftToes + side])
        continue;
      const double weight = std::max(0.0, c.force.z());
      out[side] += {c.force, weight * c.position, weight};
    }
  }
  return out;
}

BipedState observe(const Biped& biped, const physics::ArticulatedBody& state) {
  return observe(biped, state, foot_loads(biped, state));
}

BipedState observe(const Biped& biped, const physics::ArticulatedBody& state,
                   const std::array<FootLoad, 2>& loads) {
  BipedState out;
  const auto links = state.links();
  const auto& model = state.model();
  for (std::size_t i = 0; i < links.size(); ++i) {
    out.com += model.links[i].mass * links[i].position;
    out.com_velocity += model.links[i].mass * links[i].velocity;
  }
  out.com /= model.total_mass;
  out.com_velocity /= model.total_mass;
  out.pelvis = state.state().root.rotation;
  out.heading = heading_of(out.pelvis);
  for (int side : {kLeft, kRight}) {
    out.hip[side] = joint_position(state, biped.link[kLeftThigh + side]);
    out.knee[side] = joint_position(state, biped.link[kLeftShank + side]);
    const int foot = biped.link[kLeftFoot + side];
    out.ankle[side] = joint_position(state, foot);
    out.ankle_velocity[side] =
        links[foot].velocity + links[foot].omega.cross(out.ankle[side] - links[foot].position);
    const FootLoad& load = loads[side];
    out.foot_force[side] = load.force;
    out.on_ground[side] = load.weight > 1e-3 * model.total_mass * physics::kGravity;
    out.foot_pressure_centre[side] =
        load.weight > 1e-6 ? Vec3(load.moment / load.weight) : out.ankle[side];
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

double shoulder_height(const Creature& creature, const Biped& biped,
                       const physics::ArticulatedBody& upright) {
  const Vec3 shoulder = joint_position(upright, biped.link[kLeftUpperArm]);
  return creature.standing_height + shoulder.z() - upright.links()[0].position.z();
}

double capture_distance(double velocity, double height, double gravity) {
  return velocity *
         std::sqrt(std::max(0.0, height) / gravity + velocity * velocity / (4 * gravity * gravity));
}

}  // namespace promenade
