#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// Goes on with a swing that is under way: it began where its path is at the ankle now.
void go_on_swinging(const Frame& f, StepState& step, SwingState& swing);
Vec3 swing_ankle_at(const Frame& f, double phase, double ahead);
/// The highest ground that ankle and toes of the swing foot pass on the way from `now` to `end`.
double ground_on_way(const Frame& f, const Vec2& now, const Vec2& at, const Vec2& end);
/// Direction of the plane of the swing leg, rad: ahead of the heading by the rest of a turn (§3.5).
/// In sharp turns it starts from the direction in which the foot was lifted and changes over the
/// step: a leg that is untwisted at once throws pelvis and stance leg round the other way.
double swing_heading(const Frame& f, double phase);

}  // namespace promenade::control::gbwc
