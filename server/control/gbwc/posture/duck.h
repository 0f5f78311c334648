#pragma once

#include "control/gbwc/parameters.h"
#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;
struct WalkerBody;

/// How far the knees bend at the most, rad.
/// Law:    knee = K min(1, (L / lean)^2), lean the angle (rad) of the shanks, forward, in the
///         deepest bend with knees bent by K and the COM over the middle of the feet, K and L
///         bend.knee_rad and bend.shank_lean_rad
/// The more of a body's mass is at its hips, the further the shanks lean, and the sooner the body
/// sits down behind its feet. The exponent is fitted.
double deepest_crouch(const WalkerBody& body, const GbwcParameters& parameters);
/// How much lower the head is in the greatest bend, m.
double duck_drop(const WalkerBody& body, const v1::GbwcBend& p);
/// m over the soles: what hangs lower than that is a wall, either by the parameters or because the
/// body does not bend as far down.
double lowest_underside(const Frame& f);
/// Looks for what hangs lower than the body is high, and bends by its distance.
void watch_ceiling(const Frame& f, DuckState& duck);
/// Bends as far as is asked, where nothing above asks for more.
void bend_as_asked(const Frame& f, double wanted, double dt, DuckState& duck);
/// Pitch that ducking adds to a part of the trunk, rad, world. Over an obstacle it is the back
/// that bends: hips that are bent as well would not let the thigh come up. What is asked of the
/// back is beyond its range, so that its servo presses it to the stop; a target within the range
/// bends it less.
double duck_pitch(const Frame& f, Part part);
/// Bend of the stance knee, rad. Who walks backward below something keeps the knees straighter:
/// deep in the knees one sits down. A bend that is asked for is taken as it is.
double knee_bend(const Frame& f);
/// Who is bent sways less in quick steps. Share of the usual step time.
double duck_step_time(const Frame& f);
/// Share of its bend that the stance knee keeps while stepping over an obstacle. It straightens the
/// less the further the body is bent: with the trunk bent over straight legs the COM would be ahead
/// of the feet.
double knee_over(const Frame& f);

}  // namespace promenade::control::gbwc
