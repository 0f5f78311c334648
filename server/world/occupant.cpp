#include "world/occupant.h"

#include <cmath>

namespace promenade::world {
namespace {

// Beyond these a state is a numerical accident, although still finite.
constexpr double kMaxLinearSpeed = 60;  // m/s
constexpr double kMaxJointSpeed = 500;  // rad/s
constexpr double kMaxDistance = 3000;   // m from the origin

}  // namespace

bool Occupant::is_sound() const {
  if (!physics.finite()) return false;
  const physics::ArticulationState& s = physics.state();
  if (s.root.position.cwiseAbs().maxCoeff() > kMaxDistance) return false;
  const physics::LinkMotion& root = physics.links()[0];
  if (root.velocity.cwiseAbs().maxCoeff() > kMaxLinearSpeed) return false;
  if (root.omega.cwiseAbs().maxCoeff() > kMaxJointSpeed) return false;
  for (std::size_t i = 1; i < physics.links().size(); ++i) {
    const physics::LinkModel& link = physics.model().links[i];
    const double fastest = physics::type_of(link.joint).linear ? kMaxLinearSpeed : kMaxJointSpeed;
    for (int k = 0; k < physics::dof_of(link.joint); ++k) {
      if (std::abs(s.velocity[std::size_t(link.dof + k)]) > fastest) return false;
    }
  }
  return true;
}

void Occupant::apply_pushes() {
  for (ActivePush& push : pushes) {
    const physics::LinkMotion& link = physics.links()[std::size_t(push.link)];
    physics.add_force({push.link, link.position + link.rotation * push.point, push.force});
    --push.substeps_left;
  }
  std::erase_if(pushes, [](const ActivePush& push) { return push.substeps_left <= 0; });
}

void Occupant::append_body(std::vector<double>& out) const {
  const physics::ArticulationState& s = physics.state();
  for (int i = 0; i < 3; ++i) out.push_back(s.root.position[i]);
  for (int i = 0; i < 4; ++i) out.push_back(s.root.rotation.coeffs()[i]);
  for (std::size_t i = 1; i < s.joint.size(); ++i) {
    for (int k = 0; k < 4; ++k) out.push_back(s.joint[i].coeffs()[k]);
    out.insert(out.end(), {s.angle[i].x(), s.angle[i].y()});
  }
  out.insert(out.end(), s.velocity.begin(), s.velocity.end());
  // Drives are not all told anew in each step, and contacts begin from the last step's impulses.
  const auto add = [&out](const Vec3& v) { out.insert(out.end(), {v.x(), v.y(), v.z()}); };
  for (const physics::JointDrive& drive : physics.drives()) {
    for (int k = 0; k < 4; ++k) out.push_back(drive.target.coeffs()[k]);
    out.insert(out.end(), {drive.target_angle.x(), drive.target_angle.y()});
    for (const Vec3& v : {drive.target_velocity, drive.kp, drive.kd, drive.feedforward,
                          drive.applied, drive.asked}) {
      add(v);
    }
  }
  for (const physics::ContactPoint& contact : physics.contacts()) {
    out.push_back(double(contact.link));
    add(contact.position);
    add(contact.force);
  }
  physics.append_memory(out);
}

void Occupant::append_pushes(std::vector<double>& out) const {
  for (const ActivePush& push : pushes) {
    out.insert(out.end(),
               {double(push.link), double(push.substeps_left), push.point.x(), push.point.y(),
                push.point.z(), push.force.x(), push.force.y(), push.force.z()});
  }
}

}  // namespace promenade::world
