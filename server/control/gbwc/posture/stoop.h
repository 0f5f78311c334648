#pragma once

#include "control/gbwc/parameters.h"
#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;
struct WalkerBody;

/// The body stoops while a hand's place in the world is low and out of the arm's reach, and comes
/// up again when it is not, by ds/dt = r, where s is the stoop, 0 upright and 1 deepest.
/// Law:    dr/dt = (clamp(k (s' - s)) - r) / T, s' the stoop that brings the arm to its place, k
/// and
///         T stoop.gain_ps and stoop.ease_s
void update_stoop(const Frame& f, const Goal& goal, double dt, StoopState& stoop);
/// The chest tilts sideways for a hand whose place is higher than the arm reaches, and raises its
/// shoulder by that.
/// Law:    d sigma/dt = k h / w, k stretch.gain_ps, sigma the tilt (rad, positive raises the left
///         shoulder), h the height that is missing with a nearly straight arm, w half the width of
///         the shoulders; sigma fades where nothing is high
void update_stretch(const Frame& f, const Goal& goal, double dt, StretchState& stretch);
/// rad, by which a knee is bent for a stoop.
double stooped_knee(const Frame& f, int side);
/// m, from the ankles ahead to where the COM of who stoops rests.
double stooped_rest(const WalkerBody& body, const v1::GbwcStoop& p);

}  // namespace promenade::control::gbwc
