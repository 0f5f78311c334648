#include "world/occupant.h"

#include <cmath>

namespace promenade::world {
namespace {

// A state with greater speeds is taken for a numerical failure, although it is still finite.
constexpr double kMaxLinearSpeed = 60;  // m/s
constexpr double kMaxJointSpeed = 500;  // rad/s

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

void Occupant::visit_body(StateVisitor& state) {
  physics.visit(state);
  state.length(pushes, kMaxPushes);
  for (ActivePush& push : pushes) {
    state.choice(push.link, body->model->links.size());
    state(push.point, push.force, push.substeps_left);
  }
}

}  // namespace promenade::world
