#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// The swing ankle over the risers between where it was and its tread; aside it is as usual.
Vec3 climbing_ankle(const Frame& f, double phase, const Vec3& usual);
/// The stance knee that carries the hip along a slope as steep as the stairs, rad.
double climbing_knee(const Frame& f, int side, double ahead);
/// How much higher the leading foot stands than the trailing one, behind a riser, m.
double climbs_by(const Frame& f);

}  // namespace promenade::control::gbwc
