#include "world/entity/occupant.h"

#include <algorithm>
#include <cmath>

namespace promenade::world {
namespace {

// A state with greater speeds is taken for a numerical failure, although it is still finite.
constexpr double kMaxLinearSpeed = 60;  // m/s
constexpr double kMaxJointSpeed = 500;  // rad/s

}  // namespace

bool Occupant::is_sound() const {
  const physics::ArticulationState& s = physics.state();
  // Mostly all coordinates are below the lesser limit, whatever their joints are.
  static_assert(kMaxLinearSpeed < kMaxJointSpeed);
  const bool slow = std::all_of(s.velocity.begin(), s.velocity.end(), [](double rate) {
    return std::abs(rate) <= kMaxLinearSpeed;  // not so for NaN
  });
  if (slow ? !physics.positions_finite() : !physics.finite()) return false;
  if (s.root.position.cwiseAbs().maxCoeff() > kMaxDistance) return false;
  const physics::LinkMotion& root = physics.links()[0];
  if (root.velocity.cwiseAbs().maxCoeff() > kMaxLinearSpeed) return false;
  if (root.omega.cwiseAbs().maxCoeff() > kMaxJointSpeed) return false;
  if (slow) return true;
  const std::vector<physics::LinkModel>& links = physics.model().links;
  for (std::size_t i = 1; i < links.size(); ++i) {
    const physics::JointType& type = physics::type_of(links[i].joint);
    const double fastest = type.linear ? kMaxLinearSpeed : kMaxJointSpeed;
    const double* rate = s.velocity.data() + links[i].dof;
    for (int k = 0; k < type.dof; ++k) {
      if (std::abs(rate[k]) > fastest) return false;
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

void Occupant::visit_pushes(StateVisitor& state) {
  state.length(pushes, kMaxPushes);
  for (ActivePush& push : pushes) {
    state.choice(push.link, body->model->links.size());
    state(push.point, push.force, push.substeps_left);
  }
}

}  // namespace promenade::world
