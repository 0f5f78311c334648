#include "behaviour/tasks/abilities.h"

#include <algorithm>

#include "creature/biped/biped.h"
#include "creature/biped/biped_state.h"
#include "physics/articulated_body.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {

std::optional<HandLimits> hand_limits(const Creature& creature, const v1::AbilityParameters& p) {
  const auto view = biped_of(creature);
  if (!view) return std::nullopt;
  const Biped& biped = *view;
  const physics::ArticulatedBody upright(creature.model);  // in the zero pose
  double arm = 0;
  for (const int side : {kLeft, kRight}) arm += 0.5 * (biped.upper_arm[side] + biped.forearm[side]);
  const Vec3 left = joint_position(upright, biped.link[kLeftUpperArm]);
  const Vec3 right = joint_position(upright, biped.link[kLeftUpperArm + kRight]);
  HandLimits out;
  out.lift =
      std::min(p.most_load() * creature.total_mass, 2 * p.hand_force_n() / physics::kGravity);
  out.width = 2 * p.widest() * arm;
  out.reach_up = shoulder_height(creature, biped, upright) + p.highest() * arm +
                 p.shoulder_raised() * 0.5 * (left - right).head<2>().norm();
  return out;
}

}  // namespace promenade::behaviour::tasks
