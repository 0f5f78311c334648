#pragma once

#include <cstdint>

#include "promenade/v1/creature.pb.h"

namespace promenade {

/// The body `base` with the edit done to it. Densities stay, except where the edit changes them.
/// Law:  along a link's long axis (the greatest component of the way from its joint to its centre
///       of mass; z for the root) sizes grow by scale * length, across it by scale * width;
///       anchors and shapes follow; m' = m * sx sy sz * density; second moments of mass
///       P_i' = P_i * (m'/m) * s_i^2, so that moments grow with mass and size and stay possible;
///       kp' = kp * M'/M over the whole body;
///       kd' = kd * sqrt((kp'/kp) (I'/I)), with I the moment about the joint of all that hangs on
///       it: the damping ratio kd / (2 sqrt(kp I)) stays. A kd of 0 stays 0, that is 2 sqrt(kp);
///       torque limit' = limit * M'/M * cbrt(V'/V), as weight times lever grows.
///       Of sliders: limits and rest grow with the parent along the axis, kp' = kp * M'/M over L'/L
///       with L the cube root of the volume, kd' keeps the damping ratio with the mass beyond, the
///       force limit grows as M'/M. Of ties: places grow with their links, rest length with L,
///       stiffness as M'/M over L'/L, damping as M'/M over sqrt(L'/L), breaking force as M'/M.
///       Joint offsets come last and are not scaled.
/// Source: Coros2010 §4 for density and kp; kd and limits are ours.
/// @pre `base` passes check_creature, `edit` passes check_edit
v1::Creature apply_edit(const v1::Creature& base, const v1::BodyEdit& edit);

/// A random edit of a body with the human's links: lengths of trunk, limbs and feet change by
/// factors from 0.6 to 1.5, the same on the left and on the right; then one leg is made shorter
/// than the other by up to 15 percent. The same seed gives the same edit on every machine.
v1::BodyEdit random_edit(std::uint64_t seed);

}  // namespace promenade
