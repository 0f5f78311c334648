#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// A foot that meets ground where none should be, or a step on other ground than the known one,
/// makes wary for some seconds: wary walkers lift their feet and do not hurry. On course over level
/// ground a foot that scuffs or lands hard means nothing; otherwise it is taken for a warning.
void grow_wary(const Frame& f, double felt_before, double dt, StumbleState& stumble);
/// How much higher wary feet are lifted, m.
double wary_height(const Frame& f, double phase);
/// How much lower than the ground a wary foot goes at the end of its step, to find ground there, m.
double wary_search(const Frame& f, double phase);
/// Feels whether the swing foot is held up by something in its way: sets stumble_.stubbed,
/// stumble_.top and stumble_.at, stumble_.lowers and stumble_.rough.
void feel_stub(const Frame& f, StumbleState& stumble);
/// Whether the swing foot stands on something, though higher than it was to land, or with its ankle
/// high over an edge.
bool stands_early(const Frame& f);
/// Takes the ankle of a stubbed foot up before what it has met, and then over it; or, late in the
/// step, down before it.
/// @param usual  where it would be without
Vec3 stubbed_ankle(const Frame& f, double phase, const Vec3& usual);

}  // namespace promenade::control::gbwc
