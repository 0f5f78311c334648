#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

void compensate_gravity(const Frame& f);
Vec3 virtual_force(const Frame& f);
/// Law:    tau_j = J_j^T F over the joints j from the stance ankle to the trunk, with F the virtual
///         force on the COM and J_j its Jacobian by joint j
/// The ankle's torque is limited to what keeps the centre of pressure inside the sole, so that the
/// foot stays flat. The paper switches it off instead when a toe is lifted.
void tune_velocity(const Frame& f, const Vec3& force, BalanceState& balance);
/// Law:    tau_stance_hip = -tau_pelvis - tau_swing_hip - tau_lower_back, tau_pelvis the torque of
///         a servo that holds the pelvis in the world, the others torques on the child of the
///         joint. The servo is expressed as one of the thigh against the pelvis, so that the solver
///         can integrate it implicitly.
/// Source: Coros2010 §3.1 (Yin, Loken, van de Panne 2007)
void hold_pelvis(const Frame& f, const Vec3& force);
/// The share of the weight that each leg is taken to bear: the pelvis is held by the legs that
/// carry, and a foot that has just touched takes over from the other as the load moves to it.
std::array<double, 2> stance_shares(const Frame& f);

}  // namespace promenade::control::gbwc
