#include "creature/biped/body_change.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "creature/biped/biped_state.h"
#include "creature/pose.h"
#include "math/rotation.h"

namespace promenade {
namespace {

using physics::ArticulatedBody;
using physics::ArticulationState;
using physics::JointKind;

std::size_t index_of(const Biped& biped, int part) {
  return static_cast<std::size_t>(biped.link[static_cast<std::size_t>(part)]);
}

/// The point of the sole under the ankle in the zero pose. World frame.
Vec3 sole_under_ankle(const Biped& biped, const ArticulatedBody& state, int side) {
  const std::size_t foot = index_of(biped, kLeftFoot + side);
  const physics::LinkMotion& m = state.links()[foot];
  const Vec3 below(0, 0, biped.ankle_height[static_cast<std::size_t>(side)]);
  return m.position + m.rotation * (state.model().links[foot].at_child - below);
}

/// How far the lowest point of a foot and its toes is above the ground there, m; negative inside.
double clearance(const Biped& biped, const ArticulatedBody& state, const physics::GroundNow& ground,
                 int side) {
  double least = 1e9;
  for (const int part : {kLeftFoot + side, kLeftToes + side}) {
    const std::size_t link = index_of(biped, part);
    const physics::LinkMotion& m = state.links()[link];
    const auto look_at = [&](const Vec3& in_link, double radius) {
      const Vec3 p = m.position + m.rotation * in_link;
      least = std::min(least, p.z() - radius - ground.height(p.x(), p.y()));
    };
    for (const physics::Shape& shape : state.model().links[link].shapes) {
      if (shape.kind == physics::Shape::Kind::kCapsule) {
        look_at(shape.a, shape.radius);
        look_at(shape.b, shape.radius);
        continue;
      }
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 sign((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
        look_at(shape.a + sign.cwiseProduct(shape.b), 0);
      }
    }
  }
  return least;
}

/// Rotations and rates, matched by the joints' names; joints without a counterpart are at rest.
ArticulationState carried_over(const Creature& from, const ArticulationState& old,
                               const Creature& to) {
  ArticulationState out = rest_state(to, old.root);
  const JointKind root = to.model->links[0].joint;
  if (root == from.model->links[0].joint) {
    std::copy_n(old.velocity.begin(), physics::dof_of(root), out.velocity.begin());
  }
  for (std::size_t i = 1; i < to.model->links.size(); ++i) {
    const int found = from.find_joint(to.joint_names[i]);
    if (found < 1) continue;
    const auto k = static_cast<std::size_t>(found);
    const physics::LinkModel& before = from.model->links[k];
    const physics::LinkModel& after = to.model->links[i];
    if (before.joint != after.joint) continue;
    out.joint[i] = old.joint[k];
    out.angle[i] = old.angle[k];
    // The angles stay within the new body's limits, which may be narrower.
    if (!physics::type_of(after.joint).rotation) {
      out.angle[i] = out.angle[i].cwiseMax(after.lower.head<2>()).cwiseMin(after.upper.head<2>());
    }
    for (int d = 0; d < physics::dof_of(after.joint); ++d) {
      out.velocity[static_cast<std::size_t>(after.dof + d)] =
          old.velocity[static_cast<std::size_t>(before.dof + d)];
    }
  }
  return out;
}

/// Bends a leg until its foot is `wanted` above the ground or the leg is bent as far as it goes.
void lift_foot(const Biped& biped, ArticulatedBody& state, const physics::GroundNow& ground,
               int side, double wanted) {
  constexpr double kStep = 0.01, kMost = 1.0;  // rad, at the hip; the knee bends twice as far
  const std::size_t thigh = index_of(biped, kLeftThigh + side),
                    shank = index_of(biped, kLeftShank + side),
                    foot = index_of(biped, kLeftFoot + side);
  const ArticulationState straight = state.state();
  for (double bend = kStep; bend < kMost && clearance(biped, state, ground, side) < wanted;
       bend += kStep) {
    ArticulationState bent = straight;
    bent.joint[thigh] = straight.joint[thigh] * rotation_y(-bend);
    bent.angle[shank].x() =
        std::min(straight.angle[shank].x() + 2 * bend, state.model().links[shank].upper.x());
    bent.angle[foot].y() =
        std::max(straight.angle[foot].y() - bend, state.model().links[foot].lower.y());
    state.set_state(bent);
  }
}

}  // namespace

ArticulatedBody change_body(const Creature& from, const ArticulatedBody& now, const Creature& to,
                            Footing footing, const physics::GroundNow& ground) {
  ArticulatedBody out(to.model);
  ArticulationState state = carried_over(from, now.state(), to);
  out.set_state(state);
  const auto old_biped = biped_of(from), new_biped = biped_of(to);
  if (footing == Footing::kOnNone || !old_biped || !new_biped) {
    state.root.position.z() += now.bounds().min().z() - out.bounds().min().z();
    out.set_state(state);
    return out;
  }
  std::array<Vec3, 2> move;
  std::array<double, 2> room{};  // m above the ground that each foot must have
  for (const int side : {kLeft, kRight}) {
    const auto i = static_cast<std::size_t>(side);
    move[i] = sole_under_ankle(*old_biped, now, side) - sole_under_ankle(*new_biped, out, side);
    // A foot in the ground must not get deeper, as the springs of its contacts hold it there; a
    // foot in the air must not drag along the ground.
    room[i] = std::min(clearance(*old_biped, now, ground, side), 0.01);
  }
  Vec3 shift = footing == Footing::kOnRight ? move[kRight] : move[kLeft];
  if (footing == Footing::kOnBoth) {
    shift = 0.5 * (move[kLeft] + move[kRight]);
    shift.z() = std::min(move[kLeft].z(), move[kRight].z());
  }
  state.root.position += shift;
  out.set_state(state);
  for (const int side : {kLeft, kRight}) {
    lift_foot(*new_biped, out, ground, side, room[static_cast<std::size_t>(side)] - 1e-4);
  }
  return out;
}

}  // namespace promenade
