#include "creature/fallen.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade {

bool has_fallen(const Creature& creature, const physics::ArticulatedBody& body, double ground,
                double stoop) {
  struct Limits {
    double height, tilt;  // share of the standing height; rad
  };
  static constexpr Limits kTwoLegs{0.62, 70 * kRadFromDeg};
  static constexpr Limits kOthers{0.35, 100 * kRadFromDeg};
  static constexpr Limits kStooped{0.35, 130 * kRadFromDeg};
  const auto legs = std::count_if(creature.limbs.begin(), creature.limbs.end(),
                                  [](const Limb& l) { return l.kind == LimbKind::kLeg; });
  Limits limits = legs == 2 ? kTwoLegs : kOthers;
  limits.height = std::lerp(limits.height, std::min(limits.height, kStooped.height), stoop);
  limits.tilt = std::lerp(limits.tilt, std::max(limits.tilt, kStooped.tilt), stoop);
  const double height = body.state().root.position.z() - ground;
  if (height < limits.height * creature.standing_height) return true;
  return body.links()[std::size_t(creature.trunk)].rotation(2, 2) < std::cos(limits.tilt);
}

bool has_fallen(const Creature& creature, const physics::ArticulatedBody& body,
                const physics::GroundNow& ground, double stoop) {
  constexpr double kStraddled = 0.65;  // of the standing height: legs straddle no higher blocks
  if (!ground.ground->has_relief()) return has_fallen(creature, body, 0.0, stoop);
  const auto below_root = [&](const Vec3& at) {
    return ground.at(at.x(), at.y(), body.state().root.position.z());
  };
  const physics::GroundPoint under = below_root(body.state().root.position);
  const double floor = under.there ? under.height : ground.ground->lowest();
  double lowest = floor;
  for (std::size_t i = 0; i < creature.model->links.size(); ++i) {
    if (!creature.model->links[i].is_foot) continue;
    const physics::GroundPoint there = below_root(body.links()[i].position);
    if (there.there) lowest = std::min(lowest, there.height);
  }
  return has_fallen(creature, body, std::max(lowest, floor - kStraddled * creature.standing_height),
                    stoop);
}

}  // namespace promenade
