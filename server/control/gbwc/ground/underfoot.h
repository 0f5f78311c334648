#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Where the ground under the stance foot is higher or lower than the query tells, all the
/// ground is taken to be that much higher or lower. So a walker that believes the ground to be
/// level can walk over unevenness that it does not know of.
void feel_ground(const Frame& f, double dt, UnderfootState& underfoot);
/// Whether a wall is so near on the way that feet keep away from it.
bool near_wall(const Frame& f);
/// Looks at the ground under the feet and on the way: sets ground_.grip and ground_.safe_speed.
/// Law:    grip = mu / mu1 between g0 and 1, mu the least friction, mu1 and g0 friction.firm and
///         friction.least_force; horizontal forces and changes of speed are that much weaker, turns
///         by its square. Speed at most a (mu - mu0), a and mu0 friction.speed_mps and
///         friction.least, and ground.careful_mps over steps and slopes. Before smooth ground it
///         falls by friction.slowing_mps2, so that it is there friction.ice_near_m before it.
void watch_ground(const Frame& f, const Vec2& asked, UnderfootState& underfoot);
/// Factor on the gains of swing leg and stance ankle: a leg that is swung hard pushes the other
/// foot away on smooth ground.
double softness(const Frame& f);
/// Where a foot takes the load, ahead of the ankle, of the sole's reach. On ice feet stand flat.
double stood_ahead(const Frame& f);

}  // namespace promenade::control::gbwc
