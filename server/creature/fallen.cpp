#include "creature/fallen.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade {

bool has_fallen(const Creature& creature, const physics::ArticulatedBody& body, double ground) {
  struct Limits {
    double height, tilt_cos;
  };
  static const Limits kTwoLegs{0.62, std::cos(70 * kRadFromDeg)};
  static const Limits kOthers{0.35, std::cos(100 * kRadFromDeg)};
  const auto legs = std::count_if(creature.limbs.begin(), creature.limbs.end(),
                                  [](const Limb& l) { return l.kind == LimbKind::kLeg; });
  const Limits& limits = legs == 2 ? kTwoLegs : kOthers;
  const double height = body.state().root.position.z() - ground;
  if (height < limits.height * creature.standing_height) return true;
  return body.links()[std::size_t(creature.trunk)].rotation(2, 2) < limits.tilt_cos;
}

}  // namespace promenade
